"""Character classes agree with Unicode, and the specification's name pattern with the validation of names."""

import re
import unicodedata
from typing import Literal

import pytest

from adoption.animals.allowed_values import animal_name
from adoption.unicode_characters import BIDI_CONTROL, VISIBLE, is_noncharacter
from adoption.unicode_normalization import (
    JOINER,
    MARKS_FROM,
    MARKS_MOST,
    MARKS_TO,
    RUN_LOOKED_AT,
    long_run,
    marks_in,
    normal_form,
)
from api.schemas import NAME_PATTERN

EVERY = [chr(number) for number in range(0x110000)]
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def test_format_characters_and_blanks_are_invisible() -> None:
    invisible = {letter for letter in EVERY if unicodedata.category(letter) in ("Cf", "Zl", "Zp", "Zs", "Cc")}
    assert {letter for letter in invisible if VISIBLE.search(letter)} == set()


def test_letters_numbers_and_symbols_are_visible() -> None:
    for letter in "aé猫\u0430٣🐶#\u0301\U0001fae8":
        assert VISIBLE.search(letter), letter


def test_bidi_controls_are_those_of_unicode() -> None:
    found = {letter for letter in EVERY if BIDI_CONTROL.search(letter)}
    explicit = {letter for letter in EVERY if unicodedata.bidirectional(letter) in BIDI}
    assert found == explicit | {"\u061c", "\u200e", "\u200f"}


def test_there_are_66_noncharacters() -> None:
    assert sum(map(is_noncharacter, EVERY)) == 66


@pytest.mark.parametrize("around", ["{}", "a{}b", " {} "])
def test_the_name_pattern_of_the_specification_agrees_with_the_rule(around: str) -> None:
    """They agree on every character of the basic plane, except for surrogates, which JSON cannot contain."""

    def is_accepted(name: str) -> bool:
        try:
            return bool(animal_name(name))
        except ValueError:
            return False

    pattern = re.compile(NAME_PATTERN)
    for letter in EVERY[:0xD800] + EVERY[0xE000:0x10000]:
        name = around.format(letter)
        assert bool(pattern.search(name)) == is_accepted(name), f"U+{ord(letter):04X}"


def test_all_combining_marks_are_known_and_short() -> None:
    for each in EVERY:
        parts = unicodedata.normalize("NFKD", each)
        if parts == each and not unicodedata.combining(each):
            continue
        leading, trailing = marks_in(parts), marks_in(parts[::-1])
        if leading:
            assert MARKS_FROM <= ord(each) < MARKS_TO
            assert leading == len(parts) <= 2
            assert long_run().search(each * RUN_LOOKED_AT), each
        assert trailing <= 4


@pytest.mark.parametrize("form", FORMS)
def test_nfc_agrees_with_unicode(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> None:
    written = ("Zoë", "Zoe\u0308", "\u00bd ﬁ", "강아지", "Việt Nam", "e" + "\u0301\u0323" * (MARKS_MOST // 2))
    for text in written:
        assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("marks", ["\u0301\u0323", "\u0f73", "\u0301\uff9e"])
def test_a_long_run_of_combining_marks_is_split(
    form: Literal["NFC", "NFD", "NFKC", "NFKD"], marks: str
) -> None:
    once = normal_form(form, "a" + marks * 1_000)
    assert normal_form(form, once) == once
    assert max(map(len, normal_form("NFKD", once).split(JOINER))) <= MARKS_MOST + 1
    assert len(once.replace(JOINER, "")) == len(unicodedata.normalize(form, "a" + marks * 1_000))
