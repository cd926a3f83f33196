"""The operations for animals."""

import hashlib
from typing import Any, NamedTuple

from flask import Response, current_app

from adoption.animals.records.counts import count_by_shelter, count_records
from adoption.animals.records.pages import Row, read_record
from adoption.animals.records.visibility import IN_DIRECTORY
from adoption.request_context import current_request
from api.animal_responses import NO_ANIMAL, current_day
from api.errors import Problem
from api.petfinder import petfinder
from api.petfinder.animal_filters import NAMES, AnimalFilters, read_filters
from api.petfinder.animal_json import COLUMNS, animals_json
from api.petfinder.animal_orders import (
    SORT_NAMES,
    SORTS,
    AnimalOrder,
    DistanceOrder,
    RandomOrder,
    SortedOrder,
)
from api.petfinder.kept_pages import KeptPages
from api.petfinder.parameters import Parameters, pagination_json, read_parameters
from api.petfinder.places import Location, read_location
from api.petfinder.problems import json_response, parameter_problem
from api.query_parameters import read_id

COUNTED_MOST = 10_000
SKIPPED_AT_ONCE = 1_000
HOUR = 3600


class AnimalsPage(NamedTuple):
    """A page of the list, and the number of all matching animals."""

    rows: list[Row]
    total: int


@petfinder.get("/animals", strict_slashes=False)
def list_animals() -> Response:
    parameters = read_parameters(*NAMES)
    location = read_location(parameters)
    filters, page, limit = read_filters(parameters, location), parameters.page, parameters.limit
    sort = read_sort(parameters)
    found = AnimalsPage([], 0)
    if not filters.matches_nothing:
        found = read_animals_page(filters, sort, location, page, limit)
    metres = dict(location.nearby) if location and location.nearby else {}
    body = {
        "animals": animals_json(found.rows, metres, is_short(parameters)),
        "pagination": pagination_json("/v2/animals", page, limit, found.total),
    }
    return json_response(body, headers=[PRIVATE, *parameters.headers])


PRIVATE = ("Cache-Control", "private, no-cache")


@petfinder.get("/animals/<animal_id>", strict_slashes=False)
def get_animal(animal_id: str) -> Response:
    parameters = read_parameters("description")
    id_ = read_id(animal_id)
    row = None if id_ is None else read_record(IN_DIRECTORY, COLUMNS, id_, {})
    animals = [] if row is None else animals_json([row], {}, is_short(parameters))
    if not animals:
        raise Problem(404, NO_ANIMAL)
    return json_response({"animal": animals[0]}, headers=[PRIVATE, *parameters.headers])


def is_short(parameters: Parameters) -> bool:
    return parameters.text("description").lower() == "short"


def read_sort(parameters: Parameters) -> str:
    sort = parameters.text("sort").lower() or "recent"
    if sort not in SORT_NAMES:
        raise parameter_problem("sort", f"sort must be one of: {', '.join(SORT_NAMES)}.")
    return sort


def read_animals_page(
    found: AnimalFilters, sort: str, location: Location | None, page: int, limit: int
) -> AnimalsPage:
    """Return a page by its number. It starts where the page before it ended, if that was served lately."""
    now, kept = current_request().now, kept_pages()
    variant: Any
    order: AnimalOrder
    if sort.endswith("distance"):
        order, total, variant = order_by_distance(found, sort, location)
    else:
        total = count_matching(found)
        order, variant = order_of(found, sort)
    if (page - 1) * limit >= total:
        return AnimalsPage([], total)
    query = digest_of_query(found, sort, variant, limit)
    start = kept.find(query, page, now)
    position = start.position
    if skipped := (page - start.page) * limit:
        position = skip_animals(order, position, skipped)
        if position is None:
            return AnimalsPage([], total)
        kept.keep(query, page, position, now)
    steps = order.read(COLUMNS, position, limit)
    if len(steps) == limit:
        kept.keep(query, page + 1, steps[-1][1], now)
    return AnimalsPage([row for row, _ in steps], total)


def digest_of_query(found: AnimalFilters, *rest: Any) -> bytes:
    """Return a short key of a query, which can name thousands of shelters."""
    text = repr((sorted(found.filters.items()), rest))
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def skip_animals(order: AnimalOrder, position: Any, number: int) -> Any:
    """Return the position after the next ``number`` animals; None if there are fewer."""
    while number:
        steps = order.read(("id",), position, min(number, SKIPPED_AT_ONCE))
        if not steps:
            return None
        position = steps[-1][1]
        number -= len(steps)
    return position


def order_of(found: AnimalFilters, sort: str) -> tuple[AnimalOrder, str]:
    """Return the order, and what else besides the query decides it."""
    if sort in SORTS:
        return SortedOrder(SORTS[sort], found.filters, current_day()), ""
    context = current_request()
    seed = f"{context.environ.get('HTTP_AUTHORIZATION', '')} {int(context.now // HOUR)}"
    return RandomOrder(found.filters, current_day(), seed), seed


def order_by_distance(
    found: AnimalFilters, sort: str, location: Location | None
) -> tuple[AnimalOrder, int, tuple[int, ...]]:
    """Return the order, the number of animals, and the shelters in their order."""
    counts = count_by_shelter(IN_DIRECTORY, found.filters, current_day(), {})
    nearby = [each for each in (location and location.nearby) or () if each.project_id in counts]
    shelters = tuple(reversed(nearby) if sort.startswith("-") else nearby)
    ids = tuple(sorted(each.project_id for each in nearby))
    return DistanceOrder(found.filters, current_day(), shelters), sum(counts.values()), ids


def count_matching(found: AnimalFilters) -> int:
    """Return the number of matching animals: exact to ``COUNTED_MOST``, above that at most a minute old."""
    today = current_day()
    total = count_records(IN_DIRECTORY, found.filters, COUNTED_MOST + 1, today, {})
    if total <= COUNTED_MOST:
        return total
    key, minute = digest_of_query(found), int(current_request().now // 60)
    counts: dict[bytes, tuple[int, int]] = current_app.extensions.setdefault("homeward.petfinder_counts", {})
    if counts.get(key, (0, 0))[0] != minute:
        if len(counts) > 1_000:
            counts.clear()
        counts[key] = minute, sum(count_by_shelter(IN_DIRECTORY, found.filters, today, {}).values())
    return counts[key][1]


def kept_pages() -> KeptPages:
    found: KeptPages = current_app.extensions.setdefault("homeward.petfinder_pages", KeptPages())
    return found
