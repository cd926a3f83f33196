"""Facts about an animal in words."""

from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from adoption.animals.ages import age_group
from adoption.animals.profiles import Profile
from portal.labels import SEXES, SIZES, SPECIES_BY_ID, age_in_words, breed_in_words, capitalise, counted

COATS = {
    "hairless": "Hairless",
    "short": "Short",
    "medium": "Medium",
    "long": "Long",
    "wire": "Wiry",
    "curly": "Curly",
}
YES_OR_NO = {True: "Yes", False: "Not yet"}
YOUNG_OF = {1: "puppy", 2: "kitten"}
"""Words for the young of a category. Other categories have no single word."""
HORSES = 6
SPECIES_AFTER_BREED = (1, 2, 3)
"""Categories whose species follows the breed: "Beagle dog", but not "Shetland pony horse"."""
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
COMMON_NOUNS |= {species.one.split()[0].capitalize() for species in SPECIES_BY_ID.values()}
"""First words of breeds that are not proper names, and so are in lower case within a sentence."""


class Fact(NamedTuple):
    label: str
    value: str


class Company(NamedTuple):
    """Whether the animal can live with children, dogs or cats."""

    who: str
    answer: str
    """``yes``, ``no`` or ``unknown``."""
    text: str


class WaitingTime(NamedTuple):
    since: str
    """The date in ISO 8601."""
    long: str
    """Such as "waiting for over a year"."""


def fact_table(animal: Profile, today: date) -> list[Fact]:
    """Return the known facts, in the order of the page."""
    facts = {
        "Age": age_with_group(animal, today),
        "Sex": sex_in_words(animal),
        "Breed": "" if has_no_breed(animal) else breed_in_words(animal),
        "Size": SIZES.get(animal.size or "", ""),
        "Coat": COATS.get(animal.coat or "", ""),
        "Colour": animal.colours or "",
        "House trained": "" if animal.house_trained is None else YES_OR_NO[bool(animal.house_trained)],
        "Special needs": "Yes" if animal.special_needs else "",
        "Adoption fee": "" if animal.status == "sold" else fee_in_words(animal),
        "Reference": animal.code or "",
    }
    return [Fact(label, value) for label, value in facts.items() if value]


def age_with_group(animal: Profile, today: date) -> str:
    """Return the age and its group, such as "About 4 years, adult", or the group alone."""
    if not animal.birth_date:
        return (animal.age_group or "").capitalize()
    birth = date.fromisoformat(animal.birth_date)
    age = age_in_words(birth, bool(animal.birth_date_estimated), today)
    return age and f"{age}, {age_group(birth, today)}"


def sex_in_words(animal: Profile) -> str:
    """Return such as "Female, spayed", or "" if neither is known."""
    done = {"female": "spayed", "male": "gelded" if animal.category_id == HORSES else "neutered"}
    parts = [SEXES.get(animal.sex or "", "")]
    if animal.altered is not None:
        act = done.get(animal.sex or "", "neutered")
        parts.append(act if animal.altered else f"not {act} yet")
    return capitalise(", ".join(part for part in parts if part))


def fee_in_words(animal: Profile) -> str:
    if animal.fee_cents is None:
        return ""
    return money(animal.fee_cents, animal.shelter.currency) if animal.fee_cents else "Waived"


@lru_cache(maxsize=500)
def money(cents: int, currency: str) -> str:
    """Return an amount such as "£95" or "US$99.50"."""
    # Imported on first use: Babel's tables take five megabytes.
    from babel.numbers import format_currency

    amount = Decimal(cents) / 100
    if amount == amount.to_integral_value():
        return format_currency(amount, currency, "¤#,##0", locale="en_GB", currency_digits=False)
    return format_currency(amount, currency, locale="en_GB")


def companions_of(animal: Profile) -> list[Company]:
    """Return whom it can live with, or nothing if that is unknown and unusual to ask for its species."""
    answers = {
        "Children": animal.good_with_children,
        "Other dogs" if animal.category_id == 1 else "Dogs": animal.good_with_dogs,
        "Other cats" if animal.category_id == 2 else "Cats": animal.good_with_cats,
    }
    if animal.category_id not in SPECIES_AFTER_BREED and set(answers.values()) == {None}:
        return []
    return [
        Company(who, "unknown", "not tested")
        if answer is None
        else Company(who, *(("yes", "yes") if answer else ("no", "no")))
        for who, answer in answers.items()
    ]


def waiting_time(animal: Profile, today: date) -> WaitingTime | None:
    """Return how long it has waited, or None if that is unknown or it is adopted."""
    arrival = date.fromisoformat(animal.arrival_date) if animal.arrival_date else today
    if animal.status == "sold" or not animal.arrival_date or arrival > today:
        return None
    return WaitingTime(arrival.isoformat(), waiting_in_words(arrival, today))


def waiting_in_words(arrival: date, today: date) -> str:
    """Return such as "waiting for 3 weeks", in days, weeks, months, then years."""
    days = (today - arrival).days
    months = (today.year - arrival.year) * 12 + today.month - arrival.month - (today.day < arrival.day)
    if days < 2:
        return "new here"
    if days < 14:
        return f"waiting for {counted(days, 'day')}"
    if months < 2:
        return f"waiting for {counted(days // 7, 'week')}"
    if months < 12:
        return f"waiting for {counted(months, 'month')}"
    years = months // 12
    exact = arrival.replace(year=arrival.year + years, day=min(arrival.day, 28)) == today
    how_long = "a year" if years == 1 else counted(years, "year")
    return f"waiting for {'' if exact else 'over '}{how_long}"


def is_baby(animal: Profile, today: date) -> bool:
    if not animal.birth_date:
        return animal.age_group == "baby"
    return age_group(date.fromisoformat(animal.birth_date), today) == "baby"


def has_no_breed(animal: Profile) -> bool:
    """Return whether no breed is known."""
    return bool(animal.breed_unknown or not animal.breed_primary)


def name_of_kind(animal: Profile, today: date) -> str:
    """Return breed and young at the start of a sentence: "Domestic shorthair kitten" or "Beagle"."""
    young = YOUNG_OF.get(animal.category_id, "") if is_baby(animal, today) else ""
    if has_no_breed(animal) and young:
        return f"{young.capitalize()}, mixed breed" if animal.breed_mixed else young.capitalize()
    return f"{breed_in_words(animal)} {young}".strip()


def kind_in_words(animal: Profile) -> str:
    """Return breed and species within a sentence, such as "domestic shorthair cat"."""
    species = SPECIES_BY_ID[animal.category_id].one
    if has_no_breed(animal):
        return f"mixed-breed {species}" if animal.breed_mixed else species
    breed = within_sentence(breed_in_words(animal))
    crossed = animal.breed_mixed or animal.breed_secondary
    one_name = animal.category_id in SPECIES_AFTER_BREED and species not in breed.lower()
    return f"{breed} {species}" if one_name and not crossed else breed


def within_sentence(breed: str) -> str:
    first = breed.split()[0].rstrip(",") if breed.strip() else ""
    return breed[:1].lower() + breed[1:] if first in COMMON_NOUNS else breed
