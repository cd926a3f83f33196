"""An animal's breed, sex, colours and other traits, from all columns of its row.

Each function reads ``facts``, the parsed cells by meaning, and sets ``values``, the animal's columns.
"""

from collections.abc import Mapping
from typing import Any

from adoption.animals.parsing.breed_and_colour_parser import ParsedBreed

Facts = Mapping[str, Any]

TRAITS = {
    "size": "size",
    "coat": "coat",
    "children": "good_with_children",
    "dogs": "good_with_dogs",
    "cats": "good_with_cats",
    "no_children": "good_with_children",
    "no_dogs": "good_with_dogs",
    "no_cats": "good_with_cats",
    "house_trained": "house_trained",
    "shots_current": "shots_current",
    "declawed": "declawed",
    "video": "video_url",
}
TEXTS = {"special_needs_note": "special_needs_note", "description": "description"}


def settle_breed(facts: Facts, values: dict[str, Any]) -> None:
    first, second = facts.get("breed_primary"), facts.get("breed_secondary")
    if "breed_primary" in facts:
        first = first or ParsedBreed(None, None, False, False)
        values |= {f"breed_{field}": value for field, value in first._asdict().items()}
    if "breed_secondary" in facts and second is not None:
        # In a cell for the second breed, "Mix" or "Unknown" only means that the animal is a mix.
        other = second.primary if second.primary not in ("Mixed Breed", values.get("breed_primary")) else None
        values["breed_secondary"] = other or values.get("breed_secondary")
        values["breed_mixed"] = bool(values.get("breed_mixed") or other or second.mixed or second.unknown)
    elif "breed_secondary" in facts:
        values.setdefault("breed_secondary", None)
    for meaning in ("mixed", "purebred"):
        if facts.get(meaning) is not None:
            values["breed_mixed"] = facts[meaning]
    if (kind := facts.get("species")) and kind.word:
        named = values.get("breed_primary")
        values["breed_primary"] = kind.word
        values["breed_secondary"] = named if named and named != kind.word else values.get("breed_secondary")


def settle_traits(facts: Facts, values: dict[str, Any]) -> None:
    for meaning, column in TRAITS.items():
        if meaning in facts:
            values[column] = facts[meaning]
    settle_sex(facts, values)
    if facts.get("attributes"):
        for column, value in facts["attributes"].traits.items():
            values.setdefault(column, value)
    colours = [facts[each] or () for each in ("colour", "colour_2", "colour_3") if each in facts]
    if colours:
        values["colours"] = (
            ", ".join(list(dict.fromkeys(each for some in colours for each in some))[:3]) or None
        )
    if "special_needs" in facts:
        needs, note = facts["special_needs"] or (False, "")
        values["special_needs"] = needs
        if note or "special_needs_note" not in facts:
            values["special_needs_note"] = note
    for meaning, column in TEXTS.items():
        if meaning in facts and column not in values:
            values[column] = facts[meaning] or ""
    if "tags" in facts:
        values["tags"] = facts["tags"] or "[]"
    if "arrived" in facts:
        values["arrival_date"] = facts["arrived"].date() if facts["arrived"] else None


def settle_sex(facts: Facts, values: dict[str, Any]) -> None:
    """Set the sex, and whether the animal is altered. One column can have both facts."""
    sex, altered = facts.get("sex"), facts.get("altered")
    if "sex" in facts:
        values["sex"] = sex.sex if sex else None
    if "altered" in facts:
        values["altered"] = altered.altered if altered else None
    if sex and sex.altered is not None and values.get("altered") is None:
        values["altered"] = sex.altered
    if altered and altered.sex and values.get("sex") is None:
        values["sex"] = altered.sex
    if facts.get("altered_date"):
        values["altered"] = True
