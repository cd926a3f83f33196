"""The search of a catalogue address: its animals, counts and suggestions."""

import time
from datetime import date
from typing import NamedTuple

from flask import request, url_for

from adoption.animals.catalogue import ORDERS, CatalogueFilters, count_up_to
from adoption.animals.facet_counts import Counts, count_facets
from adoption.animals.listings import Listing
from adoption.animals.query.interpreted_query import InterpretedQuery
from adoption.animals.query.typos import corrected, may_be_corrected
from adoption.projects.queries import ShelterChoice, Site, list_shelter_choices
from adoption.projects.site_words import words_with_prefix
from portal.access import address_of_client
from portal.catalogue.filters import CatalogueRequest, unknown_values
from portal.catalogue.search_chips import NameMatches, SearchSuggestions, find_name_matches, suggest_searches


class CatalogueResult(NamedTuple):
    """Everything that a catalogue page shows."""

    asked: CatalogueRequest
    query: InterpretedQuery
    wanted: CatalogueFilters
    site: Site | None
    animals: tuple[Listing, ...]
    next: Listing | None
    """The first animal after this page."""
    counts: Counts
    close: bool
    """Whether no animal matches the typed words, and these match similar words."""
    shelter: Site | None
    """The shelter that the platform's catalogue is limited to."""
    shelters: tuple[ShelterChoice, ...]
    """Choices of the shelter filter."""
    suggestions: SearchSuggestions | None
    """What an empty page offers."""
    named: NameMatches | None
    """Animals whose name was understood as a filter."""
    unknown: tuple[str, ...]
    """Unknown values of parameters in the address."""
    today: date
    root: str
    """Such as ``https://homeward.example/``."""


def search_catalogue(asked: CatalogueRequest, site: Site | None, today: date) -> CatalogueResult:
    """Search the animals of an address. Raises NotFound for a shelter or position that does not exist."""
    shelter = asked.of_shelter(site)
    query = asked.query()
    wanted, order = asked.wanted(query, site, shelter), asked.order(query)
    position = asked.position(order)
    animals: list[Listing] = []
    counts, close = Counts(0, False, ()), False
    if not (asked.q and query.is_empty):
        animals = ORDERS[order](wanted, position, asked.shown + 1, today)
        if wanted.words and not animals and not (asked.after and count_up_to(wanted, today, most=1)):
            may_correct = may_be_corrected(wanted, address_of_client(), time.time())
            near = corrected(wanted, today, words_with_prefix) if may_correct else wanted
            close = near != wanted
            animals = ORDERS[order](near, position, asked.shown + 1, today) if close else []
            wanted = near if animals else wanted
        counts = count_facets(wanted, today)
    shown, rest = tuple(animals[: asked.shown]), animals[asked.shown :]
    is_narrowed = asked.at_start() != url_for("portal.catalogue")
    return CatalogueResult(
        asked,
        query,
        wanted,
        site,
        shown,
        rest[0] if rest else None,
        counts,
        close and bool(shown),
        shelter,
        () if site else list_shelter_choices(),
        suggest_searches(asked, query, site, shelter, today)
        if not shown and is_narrowed and not asked.after
        else None,
        find_name_matches(asked, query, site, shelter, today),
        unknown_values(request.args),
        today,
        f"{request.scheme}://{request.host}/",
    )
