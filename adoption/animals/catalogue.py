"""Search of the public catalogue with filters and words.

The catalogue has the listed animals of all published projects.
"""

from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Date,
    String,
    any_,
    bindparam,
    cast,
    func,
    or_,
    select,
    tuple_,
)
from sqlalchemy.sql.elements import ColumnElement, SQLColumnExpression

from adoption.animals.age_groups import birth_dates
from adoption.animals.catalogue_cards import LISTINGS, AnySelect, Listing
from adoption.animals.full_text_queries import HITS, Term, found_id, match_of, with_words
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.storage.database import db
from adoption.storage.prepared_statements import Prepared

COMPANIONS = ("children", "dogs", "cats")
"""Values of the companion filter. The column ``good_with_…`` of each companion has yes, no or unknown."""


class CatalogueFilters(NamedTuple):
    """A visitor's search. None and empty mean "any"."""

    project_id: int | None = None
    """The project whose own site is shown; None for the shared catalogue."""
    shelter: int | None = None
    """The project to which a visitor limits the shared catalogue."""
    words: tuple[Term, ...] = ()
    """Search terms. An animal must match all of them."""
    category_id: int | None = None
    statuses: tuple[str, ...] = ()
    sex: str | None = None
    age: str | None = None
    """A key of ``age_groups.AGE_GROUPS``."""
    size: str | None = None
    companions: frozenset[str] = frozenset()
    """Some of ``COMPANIONS``. The animal must be known to get on with each companion."""
    untested: bool = False
    """Whether to include animals whose ``good_with_…`` columns are unknown."""
    nearby: str | None = None
    """The ids of the projects near a place, nearest first, such as "5,17"; None for any place."""


RARE_MOST = 1_000
"""Limit of matches up to which PostgreSQL reads all matches first.

If a search has more matches, reading animals by id fills a page quickly.
"""
HITS_COUNTED = Prepared(select(func.count()).select_from(select(HITS.c.id).limit(RARE_MOST + 1).subquery()))


def find_listings(wanted: CatalogueFilters, order: str, values: dict[str, object]) -> list[Listing]:
    """Return the animals of a page. The number of matches decides which query is used.

    If few animals are near a place, they are read and sorted. If many are, animals are read in the order of
    the page until enough of them are near. For a rare word, PostgreSQL misjudges the number of matches and
    would read all animals.
    """
    shape = shape_of(wanted)
    if shape.nearby == FEW and count_animals_nearby(wanted.nearby or "") > NEARBY_SORTED_MOST:
        shape = shape._replace(nearby=MANY)
    if shape.by_words and shape.dialect != "sqlite":
        hits = HITS_COUNTED.rows(match=values["match"])[0][0]
        if not hits:
            return []
        shape = shape._replace(index_first=hits <= RARE_MOST)
    return [Listing._make(row) for row in page_statement(shape, order).rows(**values)]


FEW, MANY = "few", "many"
NEARBY_SORTED_MOST = 5_000
"""Limit of animals near a place up to which a page reads and sorts all of them."""


class Shape(NamedTuple):
    """The filters of a query without their values. Each shape is one SQL statement."""

    dialect: str
    in_project: bool
    by_words: bool
    by_category: bool
    statuses: int
    by_sex: bool
    by_age: bool
    by_size: bool
    companions: frozenset[str]
    untested: bool
    nearby: str = ""
    """FEW if the animals near a place are read by project, and MANY if animals are only tested."""
    index_first: bool = False
    """Whether PostgreSQL reads all matches of the words before it sorts the matches."""


def shape_of(wanted: CatalogueFilters) -> Shape:
    in_project = searched_project(wanted) is not None
    return Shape(
        db.engine.dialect.name,
        in_project,
        bool(wanted.words),
        wanted.category_id is not None,
        len(wanted.statuses),
        wanted.sex is not None,
        wanted.age is not None,
        wanted.size is not None,
        wanted.companions,
        wanted.untested and bool(wanted.companions),
        "" if wanted.nearby is None else MANY if wanted.words or in_project else FEW,
    )


def nearby_ids(nearby: str) -> list[int]:
    """Return the ids in a value of ``CatalogueFilters.nearby``."""
    return [int(each) for each in nearby.split(",") if each]


def searched_project(wanted: CatalogueFilters) -> int | None:
    return wanted.project_id if wanted.shelter is None else wanted.shelter


def query_values(wanted: CatalogueFilters, today: date) -> dict[str, object]:
    """Return the parameters of the statement for these filters."""
    values: dict[str, object] = {
        name: value for name in ("category_id", "sex", "size") if (value := getattr(wanted, name)) is not None
    }
    if searched_project(wanted) is not None:
        values["project_id"] = searched_project(wanted)
    if wanted.nearby is not None:
        brackets = "[]" if db.engine.dialect.name == "sqlite" else "{}"
        values["nearby"] = brackets[0] + wanted.nearby + brackets[1]
    values |= {f"status_{n}": status for n, status in enumerate(wanted.statuses)}
    if wanted.words:
        values["match"] = match_of(
            wanted.words, searched_project(wanted), wanted.category_id, db.engine.dialect.name
        )
    if wanted.age is not None:
        earliest, latest = birth_dates(wanted.age, today)
        values |= {"born_from": earliest.isoformat(), "born_to": latest.isoformat(), "age_group": wanted.age}
    return values


def apply_filters(query: AnySelect, shape: Shape) -> AnySelect:
    """Return the query with the conditions of this shape."""
    if shape.by_words:
        query = with_words(query, shape.dialect, shape.index_first)
    conditions: list[ColumnElement[bool]] = []
    if shape.in_project:
        conditions.append(Animal.project_id == bindparam("project_id"))
    if shape.nearby:
        conditions.append(is_nearby(shape))
    if shape.by_category:
        # A project has few animals. The "+ 0" stops SQLite from reading all animals of the category.
        by_project = shape.in_project or shape.nearby == FEW
        category = Animal.category_id + 0 if by_project else Animal.category_id
        conditions.append(category == bindparam("category_id"))
    if shape.statuses:
        conditions.append(Animal.status.in_([bindparam(f"status_{n}") for n in range(shape.statuses)]))
    if shape.by_sex:
        conditions.append(Animal.sex == bindparam("sex"))
    if shape.by_age:
        born = Animal.birth_date.between(iso_date("born_from"), iso_date("born_to"))
        conditions.append(or_(born, Animal.age_group == bindparam("age_group")))
    if shape.by_size:
        conditions.append(Animal.size == bindparam("size"))
    for companion in sorted(shape.companions):
        answer = getattr(Animal, f"good_with_{companion}")
        conditions.append(answer.is_not(False) if shape.untested else answer.is_(True))
    return query.where(*conditions)


def is_nearby(shape: Shape) -> ColumnElement[bool]:
    """Return the condition for the animals of the projects in ``CatalogueFilters.nearby``."""
    # The "+ 0" stops the database from reading the projects' animals instead of the order's index.
    project = Animal.project_id if shape.nearby == FEW else Animal.project_id + 0
    ids = bindparam("nearby", type_=String())
    if shape.dialect == "sqlite":
        return project.in_(select(func.json_each(ids).table_valued("value").c.value))
    return project == any_(cast(ids, ARRAY(BigInteger)))


def iso_date(name: str) -> ColumnElement[date]:
    """Return a bound parameter for an ISO 8601 date. The drivers of both databases accept such a text."""
    return bindparam(name, type_=Date())


@lru_cache(maxsize=1_000)
def page_statement(shape: Shape, order: str) -> Prepared:
    """Return the statement for a page of this shape and order."""
    query = apply_filters(LISTINGS, shape)
    key = found_id(shape.dialect, shape.index_first) if shape.by_words else Animal.id
    if order == "newest":
        query = query.where(key < bindparam("before")).order_by(page_key(key, shape).desc())
    elif order == "shown":
        query = query.order_by(page_key(Animal.shown_at, shape).desc(), Animal.id.desc())
    elif order == "waiting":
        place = tuple_(iso_date("since"), bindparam("since_id", type_=BigInteger()))
        query = query.where(
            Animal.arrival_date.is_not(None), tuple_(Animal.arrival_date, Animal.id) > place
        ).order_by(page_key(Animal.arrival_date, shape), Animal.id)
    else:
        query = query.where(
            page_key(Animal.arrival_date, shape).is_(None), key > bindparam("since_id")
        ).order_by(page_key(key, shape))
    return Prepared(query.limit(bindparam("limit")))


def page_key(column: SQLColumnExpression[Any], shape: Shape) -> SQLColumnExpression[Any]:
    """Return a column of the page's order.

    For few nearby animals it is an expression without an index, so that animals are read by project.
    """
    return func.coalesce(column, column) if shape.nearby == FEW else column


IDS: AnySelect = select(Animal.id).where(SHOWN_CLAUSE)


@lru_cache(maxsize=1_000)
def count_statement(shape: Shape) -> Prepared:
    some = apply_filters(IDS, shape).limit(bindparam("most")).subquery()
    return Prepared(select(func.count()).select_from(some))


def count_up_to(wanted: CatalogueFilters, today: date, most: int) -> int:
    """Return the number of matching animals. Counting stops at ``most``."""
    row = count_statement(shape_of(wanted)).first(**query_values(wanted, today), most=most)
    return int(row[0]) if row else 0


def count_animals_nearby(nearby: str) -> int:
    """Return the number of animals of these projects. Counting stops above ``NEARBY_SORTED_MOST``."""
    return count_up_to(CatalogueFilters(nearby=nearby), date.min, NEARBY_SORTED_MOST + 1)
