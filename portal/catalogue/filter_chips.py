"""The filters in use, each as a chip with the link that removes it."""

from typing import NamedTuple

from adoption.animals.query.filter_words import FilterMeaning
from adoption.animals.query.interpreted_query import InterpretedQuery, RecognisedFilter
from adoption.projects.published_sites import Site
from portal import animal_labels
from portal.capitalization import capitalise
from portal.catalogue.filters import CatalogueParameters, filter_label


class Chip(NamedTuple):
    """A filter in use, with the link that removes it."""

    label: str
    typed: str
    """The words of the query that set the filter. Empty if the visitor chose the filter from a list."""
    address: str
    is_quoted: bool = False
    """Whether the label quotes words of the query."""
    is_swapped: bool = True
    """Whether the link replaces only the results, and not the whole page."""


def label_of_meaning(meaning: FilterMeaning) -> str:
    if meaning.field == "category_id":
        return animal_labels.SPECIES_BY_ID[int(meaning.value)].label
    return filter_label(meaning.field, str(meaning.value))


def as_filter(meaning: FilterMeaning) -> dict[str, str]:
    """Return the filter as a parameter of the address."""
    if meaning.field == "category_id":
        return {"species": animal_labels.SPECIES_BY_ID[int(meaning.value)].slug}
    return {meaning.field: str(meaning.value)}


def without_reading(reading: RecognisedFilter) -> dict[str, str]:
    """Return the change of the address that removes this meaning of the query's words.

    If the same words have other meanings, the other meanings stay.
    """
    change = {"q": reading.rest}
    for other in reading.others:
        change |= as_filter(other)
    return change


def active_chips(params: CatalogueParameters, query: InterpretedQuery, shelter: Site | None) -> list[Chip]:
    """Return every filter in use. The species is left out if the visitor chose it from a list."""
    chips = []
    if params.q and (query.left_text or query.is_empty):
        is_part = query.readings or query.excluded or query.ages
        text, rest = (query.left_text, query.filters_text) if is_part else (params.q, "")
        chips.append(Chip(text, "", params.at_start(q=rest), is_quoted=True))
    if query.either:
        chips.append(Chip(capitalise(query.either.typed), "", params.at_start(q=query.either.rest)))
    for reading in query.readings:
        address = params.at_start(**without_reading(reading))
        chips.append(Chip(label_of_meaning(reading.meaning), reading.typed, address))
    if shelter:
        chips.append(Chip(shelter.name, "", params.at_start(shelter=""), is_swapped=False))
    return chips + [Chip(label, "", params.at_start(**{name: ""})) for name, label in params.applied]


class AgeChoice(NamedTuple):
    """An age in the query that matches no age group, with the age groups that the visitor can choose."""

    typed: str
    groups: list[tuple[str, str]]
    """Label and address of each age group."""


def age_choices(params: CatalogueParameters, query: InterpretedQuery) -> list[AgeChoice]:
    return [
        AgeChoice(
            age.typed,
            [(animal_labels.AGES[group], params.at_start(q=age.rest, age=group)) for group in age.groups],
        )
        for age in query.ages
    ]
