"""Petfinder's types of animals, and its names for the values of fields."""

import re
from typing import NamedTuple

from adoption.animals.allowed_values import COATS
from adoption.spreadsheets.exports.petfinder import TYPES as TYPE_NAMES


class AnimalType(NamedTuple):
    """A type, which has one or more categories."""

    name: str
    slug: str
    category_ids: tuple[int, ...]


def slug_of(text: str) -> str:
    """Return a name in small letters with hyphens, such as "small-furry" for "Small & Furry"."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def list_types() -> dict[str, AnimalType]:
    found: dict[str, AnimalType] = {}
    for name in TYPE_NAMES.values():
        ids = tuple(id_ for id_, of in TYPE_NAMES.items() if of == name)
        found[slug_of(name)] = AnimalType(name, slug_of(name), ids)
    return found


TYPES = list_types()
"""The eight types by slug."""
TYPE_OF_CATEGORY = {id_: each for each in TYPES.values() for id_ in each.category_ids}
COAT_NAMES = tuple(coat.capitalize() for coat in COATS)
COLOUR_NAMES = ("Black", "White", "Brown", "Grey", "Cream", "Golden", "Orange", "Red", "Tan", "Tricolor")
GENDERS = ("Male", "Female", "Unknown")
SIZES = {"small": "Small", "medium": "Medium", "large": "Large", "xlarge": "Extra Large"}
UNKNOWN = "Unknown"
STATUSES = {"available": "adoptable", "pending": "adoptable", "sold": "adopted"}
PENDING_TAG = "Adoption pending"
