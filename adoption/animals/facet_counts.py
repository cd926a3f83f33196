"""Counts of the animals that each choice of a filter would show, with all other filters unchanged."""

import time
from collections import Counter, defaultdict
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import Engine, bindparam, case, func, select

from adoption.animals.age_groups import AGE_GROUPS, birth_dates
from adoption.animals.catalogue import (
    COMPANIONS,
    CatalogueFilters,
    Shape,
    apply_filters,
    count_up_to,
    iso_date,
    nearby_ids,
    query_values,
    shape_of,
)
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.storage.database import db
from adoption.storage.prepared_statements import Prepared

COUNTED_MOST, FOUND_MOST = 10_000, 2_000
"""The largest numbers of animals to count: in the catalogue, and in search results, which are slower to read.

If more animals match, a page says "more than" and shows no numbers for the choices.
"""

COUNTED_EACH_TIME = 1_000
"""Up to this number, each request counts the animals again. Counts of more animals are cached."""
KEPT_SECONDS = 60
"""Seconds for which large counts and the counts of searches are cached."""


class Group(NamedTuple):
    """The number of animals that have the same value for every filter."""

    project_id: int
    category_id: int
    status: str
    sex: str | None
    size: str | None
    age: str | None
    children: bool | None
    dogs: bool | None
    cats: bool | None
    animals: int


Value = str | int | None


class Counts(NamedTuple):
    total: int
    beyond: bool
    """Whether more animals match than the number ``total``."""
    choices: tuple[tuple[str, tuple[tuple[Value, int], ...]], ...] | None
    """Counts by filter and value; None if there are too many animals to count."""

    def by_filter(self) -> dict[str, dict[Value, int]] | None:
        return None if self.choices is None else {name: dict(values) for name, values in self.choices}


def count_facets(wanted: CatalogueFilters, today: date, now: float | None = None) -> Counts:
    """Return the counts for these filters. ``now`` is a monotonic time in seconds."""
    tick = int((time.monotonic() if now is None else now) / KEPT_SECONDS)
    engine, scope = db.engine, facet_scope(wanted)
    if scope.words or is_large(engine, scope, today, tick):
        return cached_counts(engine, wanted, today, tick)
    return counts_of_groups(count_groups(scope, today, COUNTED_EACH_TIME), wanted)


def facet_scope(wanted: CatalogueFilters) -> CatalogueFilters:
    """Return the filters with only the project and the words."""
    return CatalogueFilters(wanted.project_id, words=wanted.words)


@lru_cache(maxsize=500)
def is_large(_engine: Engine, scope: CatalogueFilters, today: date, _tick: int) -> bool:
    return count_up_to(scope, today, COUNTED_EACH_TIME + 1) > COUNTED_EACH_TIME


@lru_cache(maxsize=500)
def cached_counts(engine: Engine, wanted: CatalogueFilters, today: date, tick: int) -> Counts:
    groups = cached_groups(engine, facet_scope(wanted), today, tick)
    if groups is None and wanted.shelter is not None:
        # The catalogue has too many animals to count, but this shelter may have few enough.
        return cached_counts(engine, wanted._replace(project_id=wanted.shelter, shelter=None), today, tick)
    if groups is None and wanted.nearby is not None:
        # So may the shelters near a place.
        groups = cached_groups(engine, facet_scope(wanted)._replace(nearby=wanted.nearby), today, tick)
    if groups is None:
        most = counting_limit(wanted)
        total = count_up_to(wanted, today, most + 1)
        return Counts(min(total, most), total > most, None)
    return counts_of_groups(groups, wanted)


@lru_cache(maxsize=20)
def cached_groups(_engine: Engine, scope: CatalogueFilters, today: date, _tick: int) -> list[Group] | None:
    most = counting_limit(scope)
    groups = count_groups(scope, today, most + 1)
    return groups if sum(group.animals for group in groups) <= most else None


def counting_limit(wanted: CatalogueFilters) -> int:
    return FOUND_MOST if wanted.words else COUNTED_MOST


def count_groups(scope: CatalogueFilters, today: date, most: int) -> list[Group]:
    """Return the number of animals in each group.

    The animals of a group have the same value for every filter. At most ``most`` animals are counted.
    """
    values = query_values(scope, today) | {
        f"born_{group}": birth_dates(group, today)[0].isoformat() for group in AGE_GROUPS
    }
    return [Group._make(row) for row in groups_statement(shape_of(scope)).rows(**values, most=most)]


@lru_cache(maxsize=10)
def groups_statement(shape: Shape) -> Prepared:
    ages = [(Animal.birth_date >= iso_date(f"born_{group}"), group) for group in AGE_GROUPS]
    values = {
        "project_id": Animal.project_id,
        "category_id": Animal.category_id,
        "status": Animal.status,
        "sex": Animal.sex,
        "size": Animal.size,
        "age": case(*ages, else_=Animal.age_group),
        **{companion: getattr(Animal, f"good_with_{companion}") for companion in COMPANIONS},
    }
    columns = [column.label(name) for name, column in values.items()]
    some = apply_filters(select(*columns).where(SHOWN_CLAUSE), shape).limit(bindparam("most")).subquery()
    return Prepared(select(*some.c, func.count()).group_by(*some.c))


def counts_of_groups(groups: list[Group], wanted: CatalogueFilters) -> Counts:
    """Return the counts. The count of a choice includes the groups that pass all filters of other kinds."""
    choices: dict[str, Counter[Value]] = defaultdict(Counter)
    total, nearby = 0, None if wanted.nearby is None else {*nearby_ids(wanted.nearby)}
    for group in groups:
        if nearby is not None and group.project_id not in nearby:
            continue
        out = left_out_by(group, wanted)
        if not out:
            total += group.animals
        for filter_, value in FILTERS.items():
            if not out or out == [filter_]:
                choices[filter_][group[value]] += group.animals
        for companion in COMPANIONS:
            fits = suits_companion(group, companion, wanted.untested)
            if fits and (not out or out == [companion]):
                choices[companion]["yes"] += group.animals
    return Counts(total, False, tuple((name, tuple(values.items())) for name, values in choices.items()))


FILTERS = {
    name: Group._fields.index(name) for name in ("category_id", "status", "sex", "age", "size", "project_id")
}


def left_out_by(group: Group, wanted: CatalogueFilters) -> list[str]:
    """Return the filters that reject the group."""
    out = [name for name in ("category_id", "sex", "age", "size") if differs(group, wanted, name)]
    if wanted.statuses and group.status not in wanted.statuses:
        out.append("status")
    if wanted.shelter is not None and group.project_id != wanted.shelter:
        out.append("project_id")
    out += [name for name in wanted.companions if not suits_companion(group, name, wanted.untested)]
    return out


def differs(group: Group, wanted: CatalogueFilters, name: str) -> bool:
    value = getattr(wanted, name)
    return value is not None and getattr(group, name) != value


def suits_companion(group: Group, companion: str, untested: bool) -> bool:
    answer = getattr(group, companion)
    return bool(answer) or (untested and answer is None)
