"""Parsers of single cells.

Each parser takes the cell's text, trimmed and not blank. For an invalid text, the parser raises ValueError
with the reason and the fix.
"""

import re
from typing import NamedTuple

from adoption.animals.allowed_values import (
    CATEGORIES,
    CODE_LONGEST,
    FEE_HIGHEST,
    MICROCHIP_LONGEST,
    PROSE_LONGEST,
    animal_name,
)
from adoption.animals.parsing.breed_and_colour_parser import ordinary
from adoption.animals.parsing.parse_cache import kept_by_text
from adoption.animals.parsing.text_cleanup import clean_line, clean_prose, plain_word
from adoption.animals.parsing.vocabulary import COATS, NO, NOT_KNOWN, SIZES, SPECIES_WORDS, YES
from adoption.links_in_names import without_web_addresses
from adoption.translations import message

CELL_LONGEST = PROSE_LONGEST
WORDS_LONGEST = 2_000
"""Limit of characters in a cell, except for long texts."""
PROSE = frozenset(
    (
        "special_needs",
        "special_needs_note",
        "description",
        "petharbor_memo",
        "notes",
        "arrival_reason",
        "surrenderer",
        "foster_home",
    )
)
"""Columns with long texts."""

ERRORS = frozenset(["#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"])
ROUNDED = re.compile(r"\d([.,]\d+)?E\+?\d+", re.IGNORECASE)
"""Matches a large number that a spreadsheet has rounded for display."""
AS_DECIMAL = re.compile(r"(\d{9,})[.,]0+")
"""Matches a whole number that was stored as a decimal. pandas writes a column with blanks this way."""
UNREADABLE = re.compile("[\x00\ud800-\udfff]")


def within_length(text: str, longest: int) -> str:
    """Return the text. Raises ValueError if the text has more than ``longest`` characters."""
    if len(text) > longest:
        raise ValueError(f"has {len(text):,} characters. The limit is {longest:,}. Shorten it")
    return text


def refuse_broken(text: str, column: str) -> None:
    """Raise ValueError if a cell is too long, has a formula error or contains invalid characters."""
    within_length(text, CELL_LONGEST if column in PROSE else WORDS_LONGEST)
    if text in ERRORS:
        raise ValueError(
            message("the spreadsheet's formula has an error. Fix the formula or enter the value")
        )
    refuse_unreadable(text)


def refuse_unreadable(text: str) -> None:
    """Raise ValueError for characters that no database can store: NUL and lone surrogates."""
    if UNREADABLE.search(text):
        raise ValueError(message("contains a character that cannot be stored. Type the cell again"))


def exact_number(text: str) -> str:
    """Return a code or number unchanged. Raises ValueError if a spreadsheet has rounded the number."""
    if ROUNDED.fullmatch(text):
        raise ValueError(
            message("the spreadsheet has rounded this number. Format the column as text and export again")
        )
    whole = AS_DECIMAL.fullmatch(text)
    return whole[1] if whole else text


def parse_code(text: str) -> str:
    text = exact_number(clean_line(text))
    if len(text) > CODE_LONGEST:
        raise ValueError(f"has {len(text):,} characters. A code has {CODE_LONGEST} at most")
    return text


def parse_microchip(text: str) -> str | None:
    text = clean_line(text)
    if text.lower() in NOT_KNOWN or text.lower() in ("none", "no"):
        return None
    if text.lower() == "yes":
        raise ValueError(message("this says only that there is a microchip. Write the microchip's number"))
    text = exact_number(text)
    if len(text) > MICROCHIP_LONGEST:
        raise ValueError(f"has {len(text):,} characters. A microchip number has {MICROCHIP_LONGEST} at most")
    return text


def parse_name(text: str) -> str | None:
    """Return a name without web addresses and without the star that means "named by staff"."""
    text = clean_line(text).lstrip("*").strip()
    if not text:
        return None
    if "\ufffd" in text:
        raise ValueError(message("contains a character that could not be read. Save the file as UTF-8"))
    named = without_web_addresses(text)
    return animal_name(named) if named else None


def parse_asm_name(text: str) -> str | None:
    return parse_name(text.replace("`", "'"))


class ParsedSpecies(NamedTuple):
    category_id: int
    word: str
    """The word from the cell if the word has no known category; otherwise empty."""
    dead: bool = False


OTHER = next(number for number, name in CATEGORIES.items() if name == "Other")


@kept_by_text(1024)
def parse_species(text: str) -> ParsedSpecies:
    text = clean_line(text)
    dead = text.lower().startswith("dead ")
    text = text[5:] if dead else text
    word = plain_word(text)
    found = category_of(word) or category_of(re.split(r" ?[(\[,]| - ", word)[0])
    if found is None:
        parts = {category_of(part.strip()) for part in re.split(r"[/|+]| or ", word)}
        found = parts.pop() if len(parts) == 1 else None
    return ParsedSpecies(found, "", dead) if found else ParsedSpecies(OTHER, ordinary(text)[:100], dead)


def category_of(word: str) -> int | None:
    """Return the category of a word, singular or plural; None if the word is unknown."""
    bare = re.sub(r"^(domestic|house|companion|pet) ", "", word.replace("-", " "))
    for each in (word, word.replace("-", " "), bare):
        for name in (each, each.removesuffix("ies") + "y", each.removesuffix("es"), each.removesuffix("s")):
            if name in SPECIES_WORDS:
                return SPECIES_WORDS[name]
    return None


def parse_size(text: str) -> str | None:
    return parse_known_word(text, SIZES, "size", "small, medium, large or extra large")


def parse_asm_size(text: str) -> str | None:
    coded = {"0": "xl", "1": "l", "2": "m", "3": "s"}
    return parse_size(coded.get(text, text))


def parse_coat(text: str) -> str | None:
    return parse_known_word(text, COATS, "coat", "hairless, short, medium, long, wire or curly")


def parse_known_word(text: str, words: dict[str, str], what: str, known: str) -> str | None:
    # The word comes first, as in "Large 61-100 lbs" and "Med. (20-60 lbs)".
    word = plain_word(text)
    for each in (word, re.split(r"(?<![\s.])[\s.]*+[(\d]", word)[0].strip(" .-")):
        if each in words:
            return words[each]
    if word in NOT_KNOWN:
        return None
    raise ValueError(f"this is not a {what} that we know. Write {known}")


def parse_yes_no(text: str) -> bool | None:
    word = plain_word(text)
    if word in YES:
        return True
    if word in NO:
        return False
    if word in NOT_KNOWN:
        return None
    raise ValueError(message("this is neither yes nor no. Write yes, no or unknown"))


def parse_no_yes(text: str) -> bool | None:
    """Parse a cell of a "not good with" column: 1 means no, 0 means yes."""
    answer = parse_yes_no(text)
    return None if answer is None else not answer


def parse_asm_yes_no(text: str) -> bool | None:
    """Parse ShelterManager's code, or a word.

    The codes are 0 for yes, 1 for no and 2 for unknown. Any other number is a child's age, and becomes None.
    """
    coded = {"0": "yes", "1": "no", "2": "unknown"}
    if text.isdigit() and text not in coded:
        return None
    word = plain_word(text)
    return None if word.startswith("over ") else parse_yes_no(coded.get(word, word))


FREE = frozenset(["waived", "free", "no fee", "fee waived", "none", "sponsored"]) | frozenset(
    ["kostenlos", "kostenfrei", "gratis", "gratuit", "gratuito", "gratuita", "grátis", "無料"]
)
FEE = re.compile(
    r"(?:[A-Z]{3}|[A-Z]{0,3}\$|[€£¥￥])?\s*([\d.,' ]*\d)(?:[.,]?-+)?\s*(?:[A-Za-z]{3,7}|[$€£¥円])?"
)
THOUSANDTHS = re.compile(r"\D*\d+\.\d{3}\D*")
"""Matches an amount such as 12.345: either thousands, or more decimals than any currency has."""


def parse_fee(text: str) -> int | None:
    """Return the fee in hundredths of the currency. 0 means waived, None means not shown."""
    word = clean_line(text).rstrip(" .")
    if word.lower() in FREE:
        return 0
    if word.lower() in NOT_KNOWN or word.lower() in (
        "not shown",
        "varies",
        "tbd",
        "ask",
        "inquire",
        "enquire",
    ):
        return None
    digits = FEE.fullmatch(word)
    if digits is None:
        raise ValueError(message("this is not an amount, so no fee is shown. Write a number such as 125.00"))
    cents = hundredths(digits[1].replace(" ", "").replace("'", ""))
    if cents > FEE_HIGHEST:
        raise ValueError(message("this fee is too high. Write a number such as 125.00"))
    return cents


def fee_doubt(text: str, cents: int) -> str:
    """Return a sentence that says how an ambiguous amount was read; empty if the amount is clear."""
    if not THOUSANDTHS.fullmatch(text):
        return ""
    return f"the point is read as a thousands separator: {cents // 100}. Write a number such as 125.00"


def parse_asm_fee(text: str) -> int | None:
    """Parse a fee from ShelterManager, which writes hundredths."""
    return int(text) if text.isdigit() and int(text) <= FEE_HIGHEST else parse_fee(text)


def hundredths(number: str) -> int:
    """Return an amount in hundredths.

    The last point or comma is a decimal mark if one or two digits follow.
    """
    found = re.fullmatch(r"(.*?)(?:[.,](\d{1,2}))?", number)
    assert found is not None  # noqa: S101 - the pattern fits every text
    whole = re.sub(r"[.,]", "", found[1]) or "0"
    if len(whole) > 12:
        raise ValueError(message("this fee is too high. Write a number such as 125.00"))
    return int(whole) * 100 + int((found[2] or "").ljust(2, "0"))


def parse_special_needs(text: str) -> tuple[bool, str]:
    """Return whether the animal has special needs, and a note.

    The note is empty if the cell is only yes or no.
    """
    try:
        return bool(parse_yes_no(text)), ""
    except ValueError:
        return True, clean_prose(text)


def photo_addresses(text: str) -> list[str]:
    """Return the photo URLs in a cell. File names are ignored."""
    parts = re.split(r"[\s|;]+|,(?=https?://)", text)
    return [each for each in parts if re.match("https?://", each, re.IGNORECASE)]
