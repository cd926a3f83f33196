"""Labels of statuses, species and other values of columns."""

import re
from datetime import date
from typing import NamedTuple

from adoption.animals.listings import Listing
from adoption.animals.profiles import Profile
from adoption.animals.staff_list import StaffListRow
from adoption.text_joining import counted as counted

STATUSES = {"available": "Available", "pending": "Adoption pending", "sold": "Adopted"}
SEXES = {"female": "Female", "male": "Male"}
AGES = {
    "baby": "Baby, under 1 year",
    "young": "Young, 1 to 2 years",
    "adult": "Adult, 3 to 7 years",
    "senior": "Senior, 8 years and over",
}
UNTESTED = {"yes": "Also those not tested yet"}
PHONE = re.compile(r"[+(]?[0-9][0-9 ()./-]{4,}")
SIZES = {"small": "Small", "medium": "Medium", "large": "Large", "xlarge": "Extra large"}


class SpeciesLabel(NamedTuple):
    """A category's names in addresses and texts, and its icon."""

    slug: str
    category_id: int
    label: str
    plural: str
    """Within a sentence, as in "12 cats"."""
    one: str
    icon: str

    @property
    def placeholder(self) -> str:
        return f"placeholders/{self.slug}.svg"


SPECIES = (
    SpeciesLabel("dog", 1, "Dogs", "dogs", "dog", "dog"),
    SpeciesLabel("cat", 2, "Cats", "cats", "cat", "cat"),
    SpeciesLabel("rabbit", 3, "Rabbits", "rabbits", "rabbit", "rabbit"),
    SpeciesLabel("small", 4, "Small & furry", "small animals", "small animal", "rat"),
    SpeciesLabel("bird", 5, "Birds", "birds", "bird", "bird"),
    SpeciesLabel("horse", 6, "Horses", "horses", "horse", "horseshoe"),
    SpeciesLabel("barnyard", 7, "Farm", "farm animals", "farm animal", "egg"),
    SpeciesLabel("reptile", 8, "Reptiles", "reptiles", "reptile", "turtle"),
    SpeciesLabel("fish", 9, "Fish", "fish", "fish", "fish"),
    SpeciesLabel("other", 10, "Others", "other animals", "other animal", "star"),
)
SPECIES_BY_SLUG = {species.slug: species for species in SPECIES}
SPECIES_BY_ID = {species.category_id: species for species in SPECIES}


def breed_in_words(animal: Listing | Profile | StaffListRow) -> str:
    """Return the breed as a shelter would say it, or the species if the breed is not known."""
    if animal.breed_unknown or not animal.breed_primary:
        species = SPECIES_BY_ID[animal.category_id].one.capitalize()
        return f"{species}, mixed breed" if animal.breed_mixed else species
    if animal.breed_secondary:
        return f"{animal.breed_primary} and {animal.breed_secondary} cross"
    return f"{animal.breed_primary} cross" if animal.breed_mixed else animal.breed_primary


def age_in_words(birth: date | None, estimated: bool, today: date, group: str | None = None) -> str:
    """Return an age such as "12 weeks" or "About 4 years", else the age group, such as "Adult"."""
    if birth is None or birth > today:
        return (group or "").capitalize()
    days = (today - birth).days
    months = (today.year - birth.year) * 12 + today.month - birth.month - (today.day < birth.day)
    if days < 14:
        age = counted(days, "day")
    elif months < 4:
        age = counted(days // 7, "week")
    elif months < 12:
        age = counted(months, "month")
    else:
        age = counted(months // 12, "year")
    return f"About {age}" if estimated else age


def capitalise(words: str) -> str:
    """Return the text with a capital first letter. The rest is unchanged, unlike with ``str.capitalize``."""
    return words[:1].upper() + words[1:]


def tel_number(phone: str) -> str:
    """Return a phone number for a ``tel:`` link (RFC 3966), or an empty text if it is not one number."""
    return re.sub("[^+0-9]", "", phone) if PHONE.fullmatch(phone.strip()) else ""
