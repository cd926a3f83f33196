"""The choices that a page offers for each filter, with the number of animals of each."""

from typing import NamedTuple

from adoption.animals.catalogue import COMPANIONS
from adoption.animals.counts import Counts, Value
from adoption.animals.fields import WAITING
from adoption.animals.query.reading import read_query
from portal import words
from portal.filters import Asked


def named_by_words(asked: Asked) -> dict[str, Value]:
    """What each filter is where only the words of the query decide it."""
    if not asked.q:
        return {}
    readings = read_query(asked.q, {}, lambda _words: {}).readings
    return {each.meaning.field: each.meaning.value for each in readings}


class Choice(NamedTuple):
    """One value of a filter, as the page offers it."""

    value: str
    label: str
    icon: str
    number: str
    """How many animals it would show; empty where they are too many to count."""
    chosen: bool


class Filter(NamedTuple):
    name: str
    label: str
    choices: list[Choice]


def filters_of(asked: Asked, counts: Counts) -> dict[str, Filter]:
    """Every filter with its choices, by name."""
    known = counts.by_filter()
    named = named_by_words(asked)

    def number(filter_: str, *values: str | int) -> str:
        """How many animals these values show; without any, all values."""
        if known is None:
            return ""
        animals = known.get(filter_, {})
        return f"{sum(animals.get(value, 0) for value in values or animals):,}"

    def choice(name: str, value: str, label: str, count: str, icon: str = "") -> Choice:
        return Choice(value, label, icon, count, getattr(asked, name) == value)

    def unset(name: str, label: str) -> str:
        """The label of the choice that sets nothing, so that the words decide."""
        return "From your search" if name in named else label

    all_species = number("category_id", *[each for each in [named.get("category_id")] if each])
    species = [choice("species", "", unset("category_id", "All"), all_species, "paw-print")]
    species += [
        choice("species", each.slug, each.label, number("category_id", each.category_id), each.icon)
        for each in words.SPECIES
    ]
    status = [choice("status", "", "Waiting", number("status", *WAITING))]
    status += [
        choice("status", value, label, number("status", value)) for value, label in words.STATUSES.items()
    ]
    filters = {"species": Filter("species", "Species", species), "status": Filter("status", "Status", status)}
    for name, label, labels in (
        ("sex", "Sex", words.SEXES),
        ("age", "Age", words.AGES),
        ("size", "Size", words.SIZES),
    ):
        choices = [choice(name, "", unset(name, "Any"), "")]
        choices += [choice(name, value, text, number(name, value)) for value, text in labels.items()]
        filters[name] = Filter(name, label, choices)
    for companion in COMPANIONS:
        count = number(companion, "yes")
        filters[companion] = Filter(
            companion, f"Good with {companion}", [choice(companion, "yes", companion.capitalize(), count)]
        )
    return filters
