"""The format of API keys."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adoption.accounts.api_access.key_format import ALPHABET, generate_key, read_key


def test_a_new_key_is_parsed_into_its_parts() -> None:
    text, parts = generate_key()
    assert read_key(text) == parts
    assert len(parts.secret_hash) == 64


def test_keys_are_unique() -> None:
    keys = {generate_key()[0] for _ in range(200)}
    assert len(keys) == len({key[:15] for key in keys}) == 200


def test_a_key_with_one_wrong_character_is_rejected() -> None:
    text, _ = generate_key(random.Random(7).choice)
    for place in range(len(text)):
        for letter in ALPHABET + "-_ \n":
            if letter != text[place]:
                assert read_key(text[:place] + letter + text[place + 1 :]) is None


def test_a_key_with_two_swapped_characters_is_rejected() -> None:
    text, _ = generate_key(random.Random(7).choice)
    for place in range(len(text) - 1):
        swapped = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        assert swapped == text or read_key(swapped) is None


@given(st.text(max_size=80) | st.text(string.printable, max_size=80).map(lambda text: f"hw_{text}"))
def test_text_in_any_other_format_is_not_a_key(text: str) -> None:
    assert read_key(text) is None


@pytest.mark.parametrize("around", ["{} ", " {}", "{}\n", "\ufeff{}", "{}\x00"])
def test_a_key_with_characters_around_it_is_rejected(around: str) -> None:
    assert read_key(around.format(generate_key()[0])) is None
