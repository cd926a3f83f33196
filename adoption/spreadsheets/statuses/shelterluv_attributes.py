"""Parser of Shelterluv's attributes: a list in one cell, in the shelter's own words."""

import re
from typing import NamedTuple

from adoption.spreadsheets.statuses.status_parsers import Flags, parse_flags

FRIENDS = {
    "good_with_cats": r"cats?",
    "good_with_dogs": r"dogs?",
    "good_with_children": r"(?:small |young )?(?:kids?|child(?:ren)?)",
}
NEVER = r"\b(?:no|not good with|not ok with|dislikes|without)\b.*?\b"
ALWAYS = r"\b(?:good|great|ok|okay|fine|lives?d?|likes|loves)\b.*?\b"
ATTRIBUTE_LONGEST = 200
HOUSE_TRAINED = re.compile(r"\b(house ?-?(?:trained|broken)|potty trained)\b")


class Attributes(NamedTuple):
    traits: dict[str, bool]
    flags: Flags


def parse_attributes(text: str) -> Attributes:
    """Return the traits in a list of attributes, and the attributes that hide the animal as flags."""
    traits: dict[str, bool] = {}
    for attribute in (each[:ATTRIBUTE_LONGEST] for each in re.split(r"[,;|\n]", text.lower())):
        for field, friend in FRIENDS.items():
            if re.search(rf"{NEVER}{friend}\b", attribute):
                traits[field] = False
            elif re.search(rf"{ALWAYS}{friend}\b|\b{friend}[ -](?:friendly|social)\b", attribute):
                traits.setdefault(field, True)
        if HOUSE_TRAINED.search(attribute) and "not" not in attribute:
            traits["house_trained"] = True
        if "special needs" in attribute:
            traits["special_needs"] = True
    return Attributes(traits, parse_flags(text))
