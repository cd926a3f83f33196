"""Labels of an animal's status, species, sex, age, size and breed."""

from datetime import date
from typing import NamedTuple

from adoption.animals.catalogue_cards import Listing
from adoption.animals.public_profiles import Profile
from adoption.animals.staff_list import StaffListRow
from adoption.translations import gettext, message, ngettext
from portal.translated_labels import Labels

STATUSES = Labels(
    {"available": message("Available"), "pending": message("Adoption pending"), "sold": message("Adopted")}
)
SEXES = Labels({"female": message("Female"), "male": message("Male")})
AGE_GROUPS = Labels(
    {
        "baby": message("Baby"),
        "young": message("Young"),
        "adult": message("Adult"),
        "senior": message("Senior"),
    }
)
AGES = Labels(
    {
        "baby": message("Baby, under 1 year"),
        "young": message("Young, 1 to 2 years"),
        "adult": message("Adult, 3 to 7 years"),
        "senior": message("Senior, 8 years and over"),
    }
)
UNTESTED = Labels({"yes": message("Also animals not tested yet")})
SIZES = Labels(
    {
        "small": message("Small"),
        "medium": message("Medium"),
        "large": message("Large"),
        "xlarge": message("Extra large"),
    }
)


class SpeciesLabel(NamedTuple):
    """The names of a category in addresses and texts, and its icon."""

    slug: str
    category_id: int
    label_message: str
    plural_message: str
    one_message: str
    icon: str

    @property
    def label(self) -> str:
        return gettext(self.label_message)

    @property
    def plural(self) -> str:
        """The plural within a sentence, such as "cats"."""
        return gettext(self.plural_message)

    @property
    def one(self) -> str:
        return gettext(self.one_message)

    @property
    def placeholder(self) -> str:
        return f"placeholders/{self.slug}.svg"


SPECIES = (
    SpeciesLabel("dog", 1, message("Dogs"), message("dogs"), message("dog"), "dog"),
    SpeciesLabel("cat", 2, message("Cats"), message("cats"), message("cat"), "cat"),
    SpeciesLabel("rabbit", 3, message("Rabbits"), message("rabbits"), message("rabbit"), "rabbit"),
    SpeciesLabel(
        "small", 4, message("Small & furry"), message("small animals"), message("small animal"), "rat"
    ),
    SpeciesLabel("bird", 5, message("Birds"), message("birds"), message("bird"), "bird"),
    SpeciesLabel("horse", 6, message("Horses"), message("horses"), message("horse"), "horseshoe"),
    SpeciesLabel("barnyard", 7, message("Farm"), message("farm animals"), message("farm animal"), "egg"),
    SpeciesLabel("reptile", 8, message("Reptiles"), message("reptiles"), message("reptile"), "turtle"),
    SpeciesLabel("fish", 9, message("Fish"), message("fish"), message("fish"), "fish"),
    SpeciesLabel("other", 10, message("Others"), message("other animals"), message("other animal"), "star"),
)
SPECIES_BY_SLUG = {species.slug: species for species in SPECIES}
SPECIES_BY_ID = {species.category_id: species for species in SPECIES}


def count_animals(number: int, category_id: int | None = None) -> str:
    """Return a number of animals such as "2,000 cats", or "2,000 animals" without a category."""
    match category_id:
        case 1:
            return ngettext("%(num)s dog", "%(num)s dogs", number)
        case 2:
            return ngettext("%(num)s cat", "%(num)s cats", number)
        case 3:
            return ngettext("%(num)s rabbit", "%(num)s rabbits", number)
        case 4:
            return ngettext("%(num)s small animal", "%(num)s small animals", number)
        case 5:
            return ngettext("%(num)s bird", "%(num)s birds", number)
        case 6:
            return ngettext("%(num)s horse", "%(num)s horses", number)
        case 7:
            return ngettext("%(num)s farm animal", "%(num)s farm animals", number)
        case 8:
            return ngettext("%(num)s reptile", "%(num)s reptiles", number)
        case 9:
            return ngettext("%(num)s fish", "%(num)s fish", number)
        case 10:
            return ngettext("%(num)s other animal", "%(num)s other animals", number)
    return ngettext("%(num)s animal", "%(num)s animals", number)


def breed_in_words(animal: Listing | Profile | StaffListRow) -> str:
    """Return the breed in a shelter's words, or the species if the breed is unknown."""
    if animal.breed_unknown or not animal.breed_primary:
        species = SPECIES_BY_ID[animal.category_id].one.capitalize()
        return gettext("%(species)s, mixed breed", species=species) if animal.breed_mixed else species
    if animal.breed_secondary:
        breeds = {"breed": animal.breed_primary, "other": animal.breed_secondary}
        return gettext("%(breed)s and %(other)s cross", **breeds)
    breed = animal.breed_primary
    return gettext("%(breed)s cross", breed=breed) if animal.breed_mixed else breed


def age_in_words(birth: date | None, estimated: bool, today: date, group: str | None = None) -> str:
    """Return an age such as "12 weeks" or "About 4 years".

    If the age is unknown, return the age group, such as "Adult".
    """
    if birth is None or birth > today:
        return AGE_GROUPS[group] if group else ""
    days = (today - birth).days
    months = (today.year - birth.year) * 12 + today.month - birth.month - (today.day < birth.day)
    if days < 14:
        age = ngettext("%(num)s day", "%(num)s days", days)
    elif months < 4:
        age = ngettext("%(num)s week", "%(num)s weeks", days // 7)
    elif months < 12:
        age = ngettext("%(num)s month", "%(num)s months", months)
    else:
        age = ngettext("%(num)s year", "%(num)s years", months // 12)
    return gettext("About %(age)s", age=age) if estimated else age
