"""Pages of records, and single records."""

from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Date,
    DateTime,
    String,
    bindparam,
    cast,
    literal_column,
    null,
    select,
    tuple_,
)

from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.catalogue import HITS_COUNTED, RARE_MOST
from adoption.animals.full_text_queries import match_of, with_words
from adoption.animals.models import Animal
from adoption.animals.records.filters import (
    RecordFilters,
    Shape,
    condition_of,
    parameters_of,
    search_terms,
    shape_of,
)
from adoption.animals.records.visibility import Visibility
from adoption.storage.database import db
from adoption.storage.json_arrays import is_in_json_array, json_array
from adoption.storage.prepared_statements import Prepared

DATES = ("birth_date", "arrival_date")

Row = tuple[Any, ...]
"""The requested columns of an animal. In a list, the last item is the value by which the list is sorted.

If the animal has no such value, the last item is None.
"""


class RecordSort(NamedTuple):
    """A sort order by a column. Animals with equal values are sorted by id.

    Animals without a value in the column come last, sorted by id.
    """

    column: Any = None
    """The column to sort by. If it is None, animals are sorted by id alone."""
    is_descending: bool = False
    value_type: Any = DateTime(timezone=True)


OLDEST = "oldest"
"""The reverse of ``newest``, which only the Petfinder API has."""
SORTS = {
    "id": RecordSort(),
    "newest": RecordSort(Animal.shown_at, True),
    "waiting": RecordSort(Animal.arrival_date, False, Date()),
    "updated": RecordSort(Animal.updated_at, True),
    OLDEST: RecordSort(Animal.shown_at),
}
EARLIEST, LATEST = "0001-01-01", "9999-12-31"


class RecordPosition(NamedTuple):
    """The last animal of the previous page."""

    animal_id: int
    value: str | None = None
    """The animal's value in the sorted column, as the database writes it."""


class PageShape(NamedTuple):
    """The properties of a page that decide its SQL statement, without the parameters of the statement."""

    dialect: str
    visibility: Visibility
    columns: tuple[str, ...]
    filters: Shape
    by_words: bool
    index_first: bool
    sort: str
    limit: int


class RecordQuery(NamedTuple):
    """A request for a page of records."""

    columns: tuple[str, ...]
    """Names of columns of ``Animal``. The first is the id."""
    filters: RecordFilters
    sort: str
    after: RecordPosition | None
    limit: int


def read_page(visibility: Visibility, query: RecordQuery, today: date, scope: Mapping[str, Any]) -> list[Row]:
    """Return up to ``query.limit`` rows. ``scope`` contains the parameters of the visibility's conditions."""
    shape, values = prepare_shape(visibility, query, today, scope)
    sort, after, rows = SORTS[query.sort], query.after, []
    if sort.column is not None and (after is None or after.value is not None):
        first = after or RecordPosition(*((ID_LARGEST, LATEST) if sort.is_descending else (0, EARLIEST)))
        rows = sorted_statement(shape).rows(**values, last_value=first.value, last_id=first.animal_id)
        after = None
    if len(rows) < query.limit:
        rest = statement_by_id(shape).rows(**values, last_id=after.animal_id if after else 0)
        rows += rest[: query.limit - len(rows)]
    return rows


def prepare_shape(
    visibility: Visibility, query: RecordQuery, today: date, scope: Mapping[str, Any]
) -> tuple[PageShape, dict[str, Any]]:
    """Return the shape of a query's statement, and the values of its filters."""
    shape = PageShape(
        *(db.engine.dialect.name, visibility, query.columns, shape_of(query.filters)),
        *(False, False, query.sort, query.limit),
    )
    values = {**scope, **parameters_of(query.filters, today)}
    terms = search_terms(query.filters)
    if terms is not None:
        values["match"] = match_of(terms, scope.get("project_id"), None, shape.dialect)
        shape = shape._replace(by_words=True)
        if shape.dialect != "sqlite":
            hits = HITS_COUNTED.rows(match=values["match"])[0][0]
            shape = shape._replace(index_first=hits <= RARE_MOST)
    return shape, values


@lru_cache(200)
def sorted_statement(shape: PageShape) -> Prepared:
    """Return the statement for animals that have a value in the column that the list is sorted by."""
    column, is_descending, value_type = SORTS[shape.sort]
    place = tuple_(column, Animal.id)
    last = tuple_(bindparam("last_value", type_=value_type), bindparam("last_id", type_=BigInteger()))
    query = filtered(shape, cast(column, String)).where(column.is_not(None))
    if is_descending:
        return Prepared(query.where(place < last).order_by(column.desc(), Animal.id.desc()))
    return Prepared(query.where(place > last).order_by(column, Animal.id))


@lru_cache(200)
def statement_by_id(shape: PageShape) -> Prepared:
    """Return the statement for animals sorted by id.

    If the list is sorted by a column, the statement reads only animals without a value in that column.
    """
    column = SORTS[shape.sort].column
    query = filtered(shape, null()).where(Animal.id > bindparam("last_id")).order_by(Animal.id)
    return Prepared(query if column is None else query.where(column.is_(None)))


def filtered(shape: PageShape, value: ColumnElement[Any]) -> Any:
    query = restrict(select(*map(column_of, shape.columns), value), shape)
    # As in the lists of ``api_reads``, the limit is part of the SQL text.
    return query.limit(literal_column(str(shape.limit)))


def restrict(query: Any, shape: PageShape) -> Any:
    """Return the query for the animals that the reader may see and that match the filters."""
    query = query.where(*shape.visibility.conditions)
    if shape.by_words:
        query = with_words(query, shape.dialect, shape.index_first)
    return query.where(*(condition_of(name, form) for name, form in shape.filters))


def column_of(name: str) -> ColumnElement[Any]:
    column = getattr(Animal, name)
    return cast(column, String) if name in DATES else column


@lru_cache(500)
def single_statement(visibility: Visibility, columns: tuple[str, ...]) -> Prepared:
    query = select(*map(column_of, columns)).where(*visibility.conditions)
    return Prepared(query.where(Animal.id == bindparam("animal_id")))


def read_record(
    visibility: Visibility, columns: tuple[str, ...], animal_id: int, scope: Mapping[str, Any]
) -> Row | None:
    """Return the columns of one animal, or None if the reader may not see it."""
    return single_statement(visibility, columns).first(animal_id=animal_id, **scope)


@lru_cache(500)
def several_statement(visibility: Visibility, columns: tuple[str, ...]) -> Prepared:
    query = select(*map(column_of, columns)).where(*visibility.conditions)
    return Prepared(query.where(is_in_json_array(Animal.id, "animal_ids")))


def read_records(
    visibility: Visibility, columns: tuple[str, ...], animal_ids: Iterable[int], scope: Mapping[str, Any]
) -> list[Row]:
    """Return the columns of these animals, in any order. Animals that the reader may not see are left out."""
    return several_statement(visibility, columns).rows(animal_ids=json_array(animal_ids), **scope)
