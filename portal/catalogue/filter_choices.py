"""The choices of each filter, each with the number of animals that it would show."""

from collections.abc import Mapping
from typing import NamedTuple

from adoption.animals.allowed_values import WAITING
from adoption.animals.catalogue import COMPANIONS
from adoption.animals.facet_counts import Counts, Value
from adoption.animals.query.parser import read_query
from adoption.translations import gettext
from portal import animal_labels
from portal.catalogue.filters import COMPANION_LABELS, COMPANION_NAMES, CatalogueParameters


def named_by_words(params: CatalogueParameters) -> dict[str, Value]:
    """Return the filter values that the words of the query set. Filters in the address are left out."""
    if not params.q:
        return {}
    readings = read_query(params.q, {}, lambda _words: {}).readings
    return {each.meaning.field: each.meaning.value for each in readings}


class Choice(NamedTuple):
    value: str
    label: str
    icon: str
    number: str
    """The number of animals that this choice would show. Empty if there are too many animals to count."""
    chosen: bool


class Filter(NamedTuple):
    name: str
    label: str
    choices: list[Choice]


class Choices(NamedTuple):
    """Builds the choices of a page."""

    params: CatalogueParameters
    animals: dict[str, dict[Value, int]] | None
    """The numbers of animals, by filter and value. None if there are too many animals to count."""
    named: dict[str, Value]
    """Values of filters that the words of the query set."""

    def number(self, filter_: str, *values: Value) -> str:
        """Return the number of animals that have one of these values. Without values, count all values."""
        if self.animals is None:
            return ""
        animals = self.animals.get(filter_, {})
        return f"{sum(animals.get(value, 0) for value in values or animals):,}"

    def choice(self, name: str, value: str, label: str, number: str, icon: str = "") -> Choice:
        return Choice(value, label, icon, number, getattr(self.params, name) == value)

    def unset(self, name: str, label: str) -> str:
        """Return the label of the choice "any", with which the words of the query can set the filter."""
        return gettext("From your search") if name in self.named else label

    def species(self) -> Filter:
        named = self.named.get("category_id")
        everything = self.number("category_id", *([named] if named else []))
        choices = [
            self.choice("species", "", self.unset("category_id", gettext("All")), everything, "paw-print"),
            *(
                self.choice(
                    "species", each.slug, each.label, self.number("category_id", each.category_id), each.icon
                )
                for each in animal_labels.SPECIES
            ),
        ]
        return Filter("species", gettext("Species"), choices)

    def status(self) -> Filter:
        choices = [self.choice("status", "", gettext("Waiting"), self.number("status", *WAITING))]
        return Filter("status", gettext("Status"), choices + self.each_of("status", animal_labels.STATUSES))

    def menu(self, name: str, label: str, texts: Mapping[str, str]) -> Filter:
        choices = [self.choice(name, "", self.unset(name, gettext("Any")), "")]
        return Filter(name, label, choices + self.each_of(name, texts))

    def each_of(self, name: str, texts: Mapping[str, str]) -> list[Choice]:
        return [self.choice(name, value, text, self.number(name, value)) for value, text in texts.items()]

    def companion(self, name: str) -> Filter:
        choice = self.choice(name, "yes", COMPANION_NAMES[name], self.number(name, "yes"))
        return Filter(name, COMPANION_LABELS[name], [choice])


def filters_of(params: CatalogueParameters, counts: Counts) -> dict[str, Filter]:
    """Return all filters with their choices, by name of the filter."""
    choices = Choices(params, counts.by_filter(), named_by_words(params))
    filters = [
        choices.species(),
        choices.status(),
        choices.menu("sex", gettext("Sex"), animal_labels.SEXES),
        choices.menu("age", gettext("Age"), animal_labels.AGES),
        choices.menu("size", gettext("Size"), animal_labels.SIZES),
        *map(choices.companion, COMPANIONS),
    ]
    return {each.name: each for each in filters}
