"""The search for the animals of a catalogue address, with counts and suggestions."""

import time
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from flask import request, url_for

from adoption.animals.catalogue import CatalogueFilters, count_up_to
from adoption.animals.catalogue_cards import Listing
from adoption.animals.catalogue_orders import ORDERS
from adoption.animals.facet_counts import Counts, count_facets
from adoption.animals.query.interpreted_query import InterpretedQuery
from adoption.animals.query.typos import corrected, may_be_corrected
from adoption.places.place_lookup import Place
from adoption.projects.published_sites import Site
from adoption.projects.shelter_choices import ShelterChoice, list_shelter_choices
from adoption.projects.shelter_search_index import words_with_prefix
from adoption.request_context import current_request
from portal.catalogue.filters import CatalogueParameters, unknown_values
from portal.catalogue.search_suggestions import (
    NameMatches,
    SearchSuggestions,
    find_name_matches,
    suggest_searches,
)
from portal.nearness import place_or_error


class CatalogueResult(NamedTuple):
    """Everything that a catalogue page shows."""

    params: CatalogueParameters
    query: InterpretedQuery
    filters: CatalogueFilters
    site: Site | None
    animals: tuple[Listing, ...]
    next: Listing | None
    """The first animal after this page."""
    counts: Counts
    close: bool
    """Whether no animal matches the typed words, so that the animals match similar words."""
    shelter: Site | None
    """The only shelter whose animals the platform's catalogue shows; None if it shows all shelters."""
    shelters: tuple[ShelterChoice, ...]
    """Choices of the shelter filter."""
    suggestions: SearchSuggestions | None
    """Other searches that a page without animals offers."""
    named: NameMatches | None
    """The animals whose name the search understood as a filter."""
    unknown: tuple[str, ...]
    """Unknown values of parameters in the address."""
    place: Place | None
    """The place that distances are from."""
    place_error: str
    """Why the place of the address is unknown, and how to fix it."""
    metres: tuple[int, ...]
    """The distance of each animal's shelter from the place; empty without a place."""
    today: date
    root: str
    """Origin of the page, such as ``https://homeward.example/``."""


def search_catalogue(params: CatalogueParameters, site: Site | None, today: date) -> CatalogueResult:
    """Search the animals of an address. Raises NotFound for a shelter or position that does not exist."""
    params = params.without_place() if site else params
    place, place_error = place_or_error(params.near)
    shelter = params.of_shelter(site)
    query = params.query()
    filters, order = params.filters(query, site, shelter), params.order(query)
    position = params.position(order)
    animals: list[Listing] = []
    counts, close = Counts(0, False, ()), False
    if not (params.q and query.is_empty):
        animals = ORDERS[order](filters, position, params.shown + 1, today)
        if filters.words and not animals and not (params.after and count_up_to(filters, today, most=1)):
            may_correct = may_be_corrected(filters, current_request().client_address, time.time())
            guess = corrected(filters, today, words_with_prefix) if may_correct else filters
            close = guess != filters
            animals = ORDERS[order](guess, position, params.shown + 1, today) if close else []
            filters = guess if animals else filters
        counts = count_facets(filters, today)
    shown, rest = tuple(animals[: params.shown]), animals[params.shown :]
    is_narrowed = params.at_start() != url_for("portal.catalogue")
    return CatalogueResult(
        params,
        query,
        filters,
        site,
        shown,
        rest[0] if rest else None,
        counts,
        close and bool(shown),
        shelter,
        () if site else list_shelter_choices(),
        suggest_searches(params, query, site, shelter, today)
        if not shown and is_narrowed and not params.after
        else None,
        find_name_matches(params, query, site, shelter, today),
        unknown_values(request.args),
        place,
        place_error,
        distances_of(shown, params),
        today,
        f"{current_request().origin}/",
    )


def distances_of(animals: Sequence[Listing], params: CatalogueParameters) -> tuple[int, ...]:
    """Return the distance of each animal's shelter in metres; nothing if the address has no known place."""
    metres = {each.project_id: round(each.metres) for each in params.nearby()}
    return tuple(metres.get(animal.project_id, 0) for animal in animals) if metres else ()
