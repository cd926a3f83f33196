"""Facts about an animal in words."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from adoption.animals.age_groups import age_group
from adoption.animals.public_profiles import Profile
from adoption.translations import cached_by_language, gettext, language, message, ngettext
from portal.animal_labels import AGE_GROUPS, SEXES, SIZES, SPECIES_BY_ID, age_in_words, breed_in_words
from portal.capitalization import capitalise
from portal.translated_labels import Labels

COATS = Labels(
    {
        "hairless": message("Hairless"),
        "short": message("Short"),
        "medium": message("Medium"),
        "long": message("Long"),
        "wire": message("Wiry"),
        "curly": message("Curly"),
    }
)
YOUNG_OF = {1: message("puppy"), 2: message("kitten")}
"""Words for a young animal, by category. Other categories have no such word."""
HORSES = 6
SPECIES_AFTER_BREED = (1, 2, 3)
"""Categories whose species is shown after the breed, such as "Beagle dog". Other categories show only the
breed, such as "Shetland pony"."""
COMMON_NOUNS = {
    "Domestic",
    "Mixed",
    "Crossbreed",
    "Lop",
    "Dwarf",
    "Miniature",
    "Standard",
    "Other",
    "Unknown",
}
COMMON_NOUNS |= {species.one_message.split()[0].capitalize() for species in SPECIES_BY_ID.values()}
"""First words of breeds that are not proper names. Within a sentence, these words are in lower case."""


class Fact(NamedTuple):
    label: str
    value: str


class Company(NamedTuple):
    """An answer to the question whether the animal can live with children, dogs or cats."""

    who: str
    answer: str
    """``yes``, ``no`` or ``unknown``."""
    text: str


class WaitingTime(NamedTuple):
    since: str
    """The arrival date, in ISO 8601."""
    long: str
    """The waiting time in words, such as "waiting for over a year"."""


def fact_table(animal: Profile, today: date) -> list[Fact]:
    """Return the known facts, in the order of the page."""
    facts = {
        gettext("Age"): age_with_group(animal, today),
        gettext("Sex"): sex_in_words(animal),
        gettext("Breed"): "" if has_no_breed(animal) else breed_in_words(animal),
        gettext("Size"): SIZES.get(animal.size or "", ""),
        gettext("Coat"): COATS.get(animal.coat or "", ""),
        gettext("Colour"): animal.colours or "",
        gettext("House trained"): house_trained(animal),
        gettext("Vaccinations"): gettext("Up to date") if animal.shots_current else "",
        gettext("Declawed"): gettext("Yes") if animal.declawed else "",
        gettext("Special needs"): gettext("Yes") if animal.special_needs else "",
        gettext("Adoption fee"): "" if animal.status == "sold" else fee_in_words(animal),
        gettext("Reference"): animal.code or "",
    }
    return [Fact(label, value) for label, value in facts.items() if value]


def house_trained(animal: Profile) -> str:
    if animal.house_trained is None:
        return ""
    return gettext("Yes") if animal.house_trained else gettext("Not yet")


def age_with_group(animal: Profile, today: date) -> str:
    """Return the age and its group, such as "About 4 years, adult".

    If the age is unknown, return only the group.
    """
    if not animal.birth_date:
        return AGE_GROUPS[animal.age_group] if animal.age_group else ""
    birth = date.fromisoformat(animal.birth_date)
    age = age_in_words(birth, bool(animal.birth_date_estimated), today)
    group = AGE_GROUPS[age_group(birth, today)].lower()
    return age and gettext("%(age)s, %(group)s", age=age, group=group)


def sex_in_words(animal: Profile) -> str:
    """Return the sex in words, such as "Female, spayed"; empty if the sex is unknown."""
    sex = SEXES.get(animal.sex or "", "")
    if animal.altered is None:
        return sex
    if animal.sex == "female":
        altered = gettext("spayed") if animal.altered else gettext("not spayed yet")
    elif animal.sex == "male" and animal.category_id == HORSES:
        altered = gettext("gelded") if animal.altered else gettext("not gelded yet")
    else:
        altered = gettext("neutered") if animal.altered else gettext("not neutered yet")
    return gettext("%(sex)s, %(altered)s", sex=sex, altered=altered) if sex else capitalise(altered)


def fee_in_words(animal: Profile) -> str:
    if animal.fee_cents is None:
        return ""
    return money(animal.fee_cents, animal.shelter.currency) if animal.fee_cents else gettext("Waived")


@cached_by_language(500)
def money(cents: int, currency: str) -> str:
    """Return an amount such as "£95" or "US$99.50"."""
    # Imported on first use: Babel's tables take five megabytes.
    from babel.numbers import format_currency

    amount = Decimal(cents) / 100
    locale = "en_GB" if language() == "en" else language().replace("-", "_")
    if amount == amount.to_integral_value():
        return format_currency(amount, currency, "¤#,##0", locale=locale, currency_digits=False)
    return format_currency(amount, currency, locale=locale)


def companions_of(animal: Profile) -> list[Company]:
    """Return whether the animal can live with children, dogs and cats.

    An unknown answer is left out if the question is unusual for the species.
    """
    answers = {
        gettext("Children"): animal.good_with_children,
        gettext("Other dogs") if animal.category_id == 1 else gettext("Dogs"): animal.good_with_dogs,
        gettext("Other cats") if animal.category_id == 2 else gettext("Cats"): animal.good_with_cats,
    }
    if animal.category_id not in SPECIES_AFTER_BREED and set(answers.values()) == {None}:
        return []
    return [
        Company(who, "unknown", gettext("not tested"))
        if answer is None
        else Company(who, "yes", gettext("yes"))
        if answer
        else Company(who, "no", gettext("no"))
        for who, answer in answers.items()
    ]


def animal_waiting_time(animal: Profile, today: date) -> WaitingTime | None:
    """Return how long the animal has waited.

    The result is None if the arrival date is unknown or the animal is adopted.
    """
    arrival = date.fromisoformat(animal.arrival_date) if animal.arrival_date else today
    if animal.status == "sold" or not animal.arrival_date or arrival > today:
        return None
    return WaitingTime(arrival.isoformat(), waiting_in_words(arrival, today))


def waiting_in_words(arrival: date, today: date) -> str:
    """Return the waiting time in words, such as "waiting for 3 weeks".

    The unit is days, weeks, months or years.
    """
    days = (today - arrival).days
    months = (today.year - arrival.year) * 12 + today.month - arrival.month - (today.day < arrival.day)
    if days < 2:
        return gettext("new here")
    if days < 14:
        return ngettext("waiting for %(num)s day", "waiting for %(num)s days", days)
    if months < 2:
        return ngettext("waiting for %(num)s week", "waiting for %(num)s weeks", days // 7)
    if months < 12:
        return ngettext("waiting for %(num)s month", "waiting for %(num)s months", months)
    years = months // 12
    exact = arrival.replace(year=arrival.year + years, day=min(arrival.day, 28)) == today
    if exact:
        return ngettext("waiting for a year", "waiting for %(num)s years", years)
    return ngettext("waiting for over a year", "waiting for over %(num)s years", years)


def is_baby(animal: Profile, today: date) -> bool:
    if not animal.birth_date:
        return animal.age_group == "baby"
    return age_group(date.fromisoformat(animal.birth_date), today) == "baby"


def has_no_breed(animal: Profile) -> bool:
    """Return whether no breed is known."""
    return bool(animal.breed_unknown or not animal.breed_primary)


def name_of_kind(animal: Profile, today: date) -> str:
    """Return the breed with the word for a young animal, for the start of a sentence.

    Examples: "Domestic shorthair kitten" and "Beagle".
    """
    if animal.category_id not in YOUNG_OF or not is_baby(animal, today):
        return breed_in_words(animal)
    young = gettext(YOUNG_OF[animal.category_id])
    if not has_no_breed(animal):
        return gettext("%(breed)s %(animal)s", breed=breed_in_words(animal), animal=young)
    if animal.breed_mixed:
        return gettext("%(species)s, mixed breed", species=capitalise(young))
    return capitalise(young)


def kind_in_words(animal: Profile) -> str:
    """Return the breed and species for the middle of a sentence, such as "domestic shorthair cat"."""
    species = SPECIES_BY_ID[animal.category_id].one
    if has_no_breed(animal):
        return gettext("mixed-breed %(animal)s", animal=species) if animal.breed_mixed else species
    breed = within_sentence(breed_in_words(animal))
    crossed = animal.breed_mixed or animal.breed_secondary
    one_name = animal.category_id in SPECIES_AFTER_BREED and species not in breed.lower()
    return gettext("%(breed)s %(animal)s", breed=breed, animal=species) if one_name and not crossed else breed


def within_sentence(breed: str) -> str:
    first = breed.split()[0].rstrip(",") if breed.strip() else ""
    return breed[:1].lower() + breed[1:] if first in COMMON_NOUNS else breed
