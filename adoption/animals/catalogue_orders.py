"""The orders of the catalogue's animals, each read page by page."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.catalogue import (
    CatalogueFilters,
    count_up_to,
    find_listings,
    nearby_ids,
    query_values,
    searched_project,
)
from adoption.animals.catalogue_cards import Listing
from adoption.animals.full_text_queries import matches_by_rank
from adoption.batches import batches
from adoption.storage.database import db


class PagePosition(NamedTuple):
    """The last animal of the previous page."""

    animal_id: int
    arrival_date: str | None = None
    """The arrival date in ISO 8601. Only the order by waiting time uses the arrival date."""
    rank: int | None = None
    """The rank of the match. Only the order by best match uses the rank."""
    project_id: int | None = None
    """The animal's project. Only the order by distance uses the project."""


def newest(wanted: CatalogueFilters, after: PagePosition | None, limit: int, today: date) -> list[Listing]:
    """Return up to ``limit`` matching animals that follow ``after``, highest id first."""
    before = ID_LARGEST if after is None else after.animal_id
    return find_listings(wanted, "newest", query_values(wanted, today) | {"before": before, "limit": limit})


def newly_shown(wanted: CatalogueFilters, limit: int, today: date) -> list[Listing]:
    """Return up to ``limit`` matching animals. The animals that became public most recently come first.

    If the filters contain words, return the matching animals with the highest ids instead, because a common
    word has too many matches to sort.
    """
    if wanted.words:
        return newest(wanted, None, limit, today)
    return find_listings(wanted, "shown", query_values(wanted, today) | {"limit": limit})


def longest_waiting(
    wanted: CatalogueFilters, after: PagePosition | None, limit: int, today: date
) -> list[Listing]:
    """Return matching animals, earliest arrival first.

    Animals without an arrival date follow, sorted by id.
    """
    values = query_values(wanted, today)
    rows: list[Listing] = []
    if after is None or after.arrival_date is not None:
        since, since_id = (after.arrival_date, after.animal_id) if after else ("0001-01-01", 0)
        from_there = {"since": since, "since_id": since_id, "limit": limit}
        rows = find_listings(wanted, "waiting", values | from_there)
        after = None
    if len(rows) < limit:
        since_id = 0 if after is None else after.animal_id
        from_there = {"since_id": since_id, "limit": limit - len(rows)}
        rows += find_listings(wanted, "undated", values | from_there)
    return rows


def best_match(
    wanted: CatalogueFilters, after: PagePosition | None, limit: int, today: date
) -> list[Listing]:
    """Return matching animals, sorted by rank (best first), then by id (newest first).

    Each rank is a separate statement, so that a page reads only a part of the index.
    """
    before = ID_LARGEST if after is None else after.animal_id
    first = 0 if after is None else after.rank or 0
    rows: list[Listing] = []
    for rank, match in ranked(wanted):
        if rank >= first and len(rows) < limit:
            values = query_values(wanted, today) | {"match": match, "limit": limit - len(rows)}
            values["before"] = before if rank == first else ID_LARGEST
            rows += find_listings(wanted, "newest", values)
    return rows


def ranked(wanted: CatalogueFilters) -> Iterator[tuple[int, str]]:
    return matches_by_rank(wanted.words, searched_project(wanted), wanted.category_id, db.engine.dialect.name)


def rank_of(wanted: CatalogueFilters, animal_id: int, today: date) -> int:
    """Return the rank of an animal that ``best_match`` returned."""
    values = query_values(wanted, today) | {"before": animal_id + 1, "limit": 1}
    for rank, match in ranked(wanted):
        found = find_listings(wanted, "newest", values | {"match": match})
        if found and found[0].id == animal_id:
            return rank
    return 0


PROJECTS_AT_ONCE = 50


def nearest(wanted: CatalogueFilters, after: PagePosition | None, limit: int, today: date) -> list[Listing]:
    """Return the matching animals of the nearest shelter, newest first, then of the next shelter.

    ``wanted.nearby`` has the shelters. If it no longer has the project of ``after``, the result is empty.
    """
    only = searched_project(wanted)
    projects = [each for each in nearby_ids(wanted.nearby or "") if only in (None, each)]
    if after is not None:
        projects = projects[projects.index(after.project_id) :] if after.project_id in projects else []
    rows: list[Listing] = []
    for some in batches(projects, PROJECTS_AT_ONCE):
        if len(rows) == limit:
            break
        if count_up_to(wanted._replace(nearby=",".join(map(str, some))), today, most=1):
            for project_id in some:
                since = after if after and after.project_id == project_id else None
                left = limit - len(rows)
                rows += newest(in_shelter(wanted, project_id), since, left, today) if left else []
    return rows


def in_shelter(wanted: CatalogueFilters, project_id: int) -> CatalogueFilters:
    return wanted._replace(shelter=project_id, nearby=None)


ORDERS = {"best": best_match, "newest": newest, "waiting": longest_waiting, "distance": nearest}
"""The query function of each sort order. The order by best match needs words, and the order by distance
needs ``nearby``."""
