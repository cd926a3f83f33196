"""Suggestions for other searches: fewer filters, other species, and animals whose name is the query."""

from datetime import date
from typing import Any, NamedTuple

from adoption.animals.allowed_values import WAITING
from adoption.animals.catalogue import CatalogueFilters, count_up_to
from adoption.animals.catalogue_cards import Listing
from adoption.animals.catalogue_orders import newest
from adoption.animals.facet_counts import count_facets
from adoption.animals.full_text_queries import Piece, Term
from adoption.animals.indexed_words import NAME
from adoption.animals.query.interpreted_query import InterpretedQuery
from adoption.projects.published_sites import Site
from adoption.search_words import words_in
from adoption.translations import gettext
from portal import animal_labels
from portal.catalogue.filter_chips import label_of_meaning, without_reading
from portal.catalogue.filters import CatalogueParameters
from portal.nearness import wider_than, within_in_words

COUNTED_MOST = 1_000
SIMILAR_MOST = 4
NAME_WORDS_MOST = 3


class NameMatches(NamedTuple):
    """Animals whose name was read as a filter, such as a cat called Bunny."""

    typed: str
    number: int
    address: str


def find_name_matches(
    params: CatalogueParameters, query: InterpretedQuery, site: Site | None, shelter: Site | None, today: date
) -> NameMatches | None:
    """Return the animals whose name is the query, if every word of the query was read as a filter."""
    typed = words_in(params.q)
    if not query.readings or query.terms or len(typed) > NAME_WORDS_MOST:
        return None
    terms = tuple(Term(((Piece(word, False, NAME),),)) for word in typed)
    filters = params.filters(InterpretedQuery(terms), site, shelter)
    number = count_up_to(filters, today, COUNTED_MOST)
    plain = params.q.replace('"', "")
    return NameMatches(plain, number, params.at_start(q=f'"{plain}"')) if number else None


class NearbySearch(NamedTuple):
    """A search that finds animals. A page without animals offers it."""

    label: str
    number: str
    address: str


class SearchSuggestions(NamedTuple):
    wider: tuple[NearbySearch, ...]
    """The same search within the smallest larger distance that finds animals, if any."""
    near: tuple[NearbySearch, ...]
    species: tuple[NearbySearch, ...]
    similar: tuple[Listing, ...]
    kind: str
    """The species of the similar animals, such as "reptiles"."""


def suggest_searches(
    params: CatalogueParameters, query: InterpretedQuery, site: Site | None, shelter: Site | None, today: date
) -> SearchSuggestions:
    near = []
    for label, change in chip_changes(params, query, shelter):
        other = params._replace(after="", **change)
        new_query = other.query()
        filters = other.filters(new_query, site, None if "shelter" in change else shelter)
        number = 0 if other.q and new_query.is_empty else count_up_to(filters, today, COUNTED_MOST)
        if number:
            near.append(NearbySearch(label, count_in_words(number, filters), params.at_start(**change)))
    everywhere = CatalogueFilters(site.project_id if site else None, statuses=WAITING)
    numbers = (count_facets(everywhere, today).by_filter() or {}).get("category_id", {})
    species = tuple(
        NearbySearch(each.label, f"{number:,}", CatalogueParameters(species=each.slug).at_start())
        for each in animal_labels.SPECIES
        if (number := numbers.get(each.category_id, 0))
    )
    category_id = params.filters(query, site, shelter).category_id
    species_id = next((id_ for id_ in (category_id, *query.category_ids) if id_), None)
    similar = newest(everywhere._replace(category_id=species_id), None, SIMILAR_MOST, today)
    if not similar:
        species_id, similar = None, newest(everywhere, None, SIMILAR_MOST, today)
    kind = animal_labels.SPECIES_BY_ID[species_id].plural if species_id else gettext("animals")
    wider = suggest_larger_distance(params, query, site, shelter, today)
    return SearchSuggestions(wider, tuple(near), species, tuple(similar), kind)


def suggest_larger_distance(
    params: CatalogueParameters, query: InterpretedQuery, site: Site | None, shelter: Site | None, today: date
) -> tuple[NearbySearch, ...]:
    for within in wider_than(params.within) if params.place else []:
        filters = params._replace(within=within).filters(query, site, shelter)
        if number := count_up_to(filters, today, COUNTED_MOST):
            address = params.at_start(within=within)
            return (NearbySearch(within_in_words(within), count_in_words(number, filters), address),)
    return ()


def count_in_words(number: int, filters: CatalogueFilters) -> str:
    if number < COUNTED_MOST:
        return animal_labels.count_animals(number, filters.category_id)
    return gettext(
        "more than %(animals)s", animals=animal_labels.count_animals(number - 1, filters.category_id)
    )


def chip_changes(
    params: CatalogueParameters, query: InterpretedQuery, shelter: Site | None
) -> list[tuple[str, dict[str, Any]]]:
    """Return the label and change of each search that has one word or filter less."""
    changes: list[tuple[str, dict[str, Any]]] = [(f"“{each.typed}”", {"q": each.rest}) for each in query.left]
    changes += [(label_of_meaning(each.meaning), without_reading(each)) for each in query.readings]
    kept = ("untested", "near")
    changes += [(label, {name: ""}) for name, label in params.applied if name not in kept]
    if place := params.place:
        changes.append((place.label, {"near": ""}))
    if params.species:
        changes.append((animal_labels.SPECIES_BY_SLUG[params.species].label, {"species": ""}))
    if shelter:
        changes.append((shelter.name, {"shelter": ""}))
    return [(label, change) for label, change in changes if has_filters(params._replace(**change))]


def has_filters(params: CatalogueParameters) -> bool:
    """Return whether the address has any words or filters."""
    return bool(params.q or params.species or params.shelter or params.status or params.near or params.chosen)
