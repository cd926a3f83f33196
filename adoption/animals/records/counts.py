"""Numbers of animals that match filters."""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from sqlalchemy import func, literal_column, select

from adoption.animals.models import Animal
from adoption.animals.records.filters import RecordFilters
from adoption.animals.records.pages import PageShape, RecordQuery, prepare_shape, restrict
from adoption.animals.records.visibility import Visibility
from adoption.storage.prepared_statements import Prepared


def count_records(
    visibility: Visibility, filters: RecordFilters, most: int, today: date, scope: Mapping[str, Any]
) -> int:
    """Return the number of matching animals. The count stops at ``most``."""
    query = RecordQuery(("id",), filters, "id", None, most)
    shape, values = prepare_shape(visibility, query, today, scope)
    return int(count_statement(shape).rows(**values)[0][0])


def count_by_shelter(
    visibility: Visibility, filters: RecordFilters, today: date, scope: Mapping[str, Any]
) -> dict[int, int]:
    """Return the number of matching animals by project, without projects that have none."""
    query = RecordQuery(("project_id",), filters, "id", None, 0)
    shape, values = prepare_shape(visibility, query, today, scope)
    return dict(shelter_count_statement(shape).rows(**values))


@lru_cache(500)
def count_statement(shape: PageShape) -> Prepared:
    matching = restrict(select(Animal.id), shape).limit(literal_column(str(shape.limit))).subquery()
    return Prepared(select(func.count()).select_from(matching))


@lru_cache(500)
def shelter_count_statement(shape: PageShape) -> Prepared:
    return Prepared(restrict(select(Animal.project_id, func.count()), shape).group_by(Animal.project_id))
