"""Limits and allowed values of an animal's fields, shared by the API, the forms and the importer."""

import unicodedata

from adoption.links_in_names import has_web_address
from adoption.unicode_characters import BIDI_CONTROL, VISIBLE, code_point, is_noncharacter
from adoption.unicode_normalization import normal_form
from adoption.validation import ROOM

STATUSES = ("available", "pending", "sold")
WAITING = ("available", "pending")
"""Statuses of animals that can still be adopted."""
STATUS_OF_NEW = "available"
SEXES = ("female", "male")
SIZES = ("small", "medium", "large", "xlarge")
COATS = ("hairless", "short", "medium", "long", "wire", "curly")

# Ids are public and never change. The categories table has the same ids.
CATEGORIES = {
    1: "Dog",
    2: "Cat",
    3: "Rabbit",
    4: "Small & furry",
    5: "Bird",
    6: "Horse",
    7: "Barnyard",
    8: "Reptile",
    9: "Fish",
    10: "Other",
}

SPECIES = {
    1: "dog",
    2: "cat",
    3: "rabbit",
    4: "small",
    5: "bird",
    6: "horse",
    7: "barnyard",
    8: "reptile",
    9: "fish",
    10: "other",
}
"""The name of each category for programs. It never changes."""

ID_LARGEST = 2**63 - 1
"""The largest id that a database column can store."""

NAME_LONGEST = 200
CODE_LONGEST = 100
MICROCHIP_LONGEST = 50
BREED_LONGEST = 100
COLOURS_LONGEST = 200
PROSE_LONGEST = 32_767
"""Limit of characters in a long text.

A spreadsheet cell has the same limit, so exported texts can be imported unchanged.
"""
FEE_HIGHEST = 10_000_000
"""Limit of a fee in hundredths of the currency. No shelter charges more than 100,000."""


def category_id(number: int) -> int:
    """Return the id of an existing category.

    Raises ValueError for an unknown id. The message continues a sentence that starts with the field's name.
    """
    if number not in CATEGORIES:
        raise ValueError("is not the id of a category; GET /v1/categories lists them")
    return number


def animal_name(text: str) -> str:
    """Return a name in its stored form: trimmed, in NFC, 1 to 200 characters, at least one of them visible.

    Raises ValueError for an invalid name. The message continues a sentence that starts with the field's name.
    """
    name = text.strip()
    if len(name) <= ROOM * NAME_LONGEST:
        name = normal_form("NFC", name).strip()
    if not name:
        raise ValueError("must not be blank")
    if len(name) > NAME_LONGEST:
        raise ValueError(f"must have {NAME_LONGEST} characters at most, not {len(name):,}")
    categories = set(map(unicodedata.category, name))
    if "Cs" in categories:
        raise ValueError("must not contain a lone surrogate")
    if "Cc" in categories:
        raise ValueError("must not contain control characters")
    if bidi := BIDI_CONTROL.search(name):
        raise ValueError(f"must not contain {code_point(bidi[0])}, which changes the direction of text")
    if noncharacter := next(filter(is_noncharacter, name), ""):
        raise ValueError(f"must not contain {code_point(noncharacter)}, which is not a character")
    if not VISIBLE.search(name):
        raise ValueError("must contain a visible character")
    if has_web_address(name):
        raise ValueError("must not contain a web address")
    return name
