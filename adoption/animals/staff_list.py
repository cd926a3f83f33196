"""The staff list of animals, which includes hidden and removed animals."""

import re
from collections.abc import Collection
from datetime import date, datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    asc,
    case,
    desc,
    func,
    literal_column,
    not_,
    or_,
    select,
    union,
)
from sqlalchemy.orm import Session

from adoption.animals.allowed_values import CATEGORIES, STATUSES
from adoption.animals.full_text_queries import match_of, plain_terms, with_words
from adoption.animals.models import Animal, CareRecord
from adoption.animals.photo_models import Photo
from adoption.batches import id_batches
from adoption.search_words import words_in
from adoption.storage.database import db

WORDS_MOST = 8
CHIP_SHORTEST = 4
"""Length of the shortest part of a microchip number that is searched for."""

STANDINGS = ("listed", "hidden", "removed")


class AnimalSearch(NamedTuple):
    """Filters of the staff list. None and empty mean "any"."""

    text: str = ""
    category_id: int | None = None
    status: str | None = None
    standing: str = ""
    """One of ``STANDINGS``. Empty means all animals except removed ones."""


class StaffListRow(NamedTuple):
    """An animal in the staff list."""

    id: int
    name: str
    category_id: int
    status: str
    listed: bool
    published: bool
    removed_at: datetime | None
    breed_primary: str | None
    breed_secondary: str | None
    breed_mixed: bool
    breed_unknown: bool
    code: str | None
    birth_date: date | None
    birth_date_estimated: bool
    age_group: str | None
    arrival_date: date | None
    updated_at: datetime
    on_hold: bool | None
    in_quarantine: bool | None
    digest: str | None
    """Digest of the cover photo; None for an animal without photos."""
    photo_width: int | None

    @property
    def held(self) -> bool:
        return bool(self.on_hold or self.in_quarantine)


class AnimalCounts(NamedTuple):
    """The number of animals by status, and how many are hidden from the public."""

    available: int
    pending: int
    sold: int
    hidden: int


ROWS: Select[Any] = (
    select(
        *(getattr(Animal, name) for name in StaffListRow._fields[: StaffListRow._fields.index("on_hold")]),
        CareRecord.on_hold,
        CareRecord.in_quarantine,
        Photo.digest,
        Photo.width,
    )
    .outerjoin(CareRecord, CareRecord.animal_id == Animal.id)
    .outerjoin(Photo, and_(Photo.animal_id == Animal.id, Photo.position == 0))
)


class SortOrder(NamedTuple):
    """A sort order of the list."""

    key: ColumnElement[Any]
    known: ColumnElement[bool] | None = None
    """Condition for animals that have a value to sort by.

    Animals without a value come last in both directions.
    """
    is_reversed: bool = False
    """Whether the order of the values is the reverse of the dates' order.

    A later birth date means a lower age.
    """


COLUMNS = Animal.__table__.c
ADOPTED: ColumnElement[str] = literal_column("'sold'")
"""The status ``sold`` as part of the SQL text.

With a bound value, the database would not use the index of waiting animals.
"""
IS_WAITING = and_(COLUMNS.arrival_date.is_not(None), COLUMNS.status != ADOPTED, COLUMNS.removed_at.is_(None))

ORDERS: dict[str, SortOrder] = {
    "name": SortOrder(func.lower(Animal.name)),
    "species": SortOrder(case(CATEGORIES, value=Animal.category_id)),
    "status": SortOrder(COLUMNS.status),
    "age": SortOrder(COLUMNS.birth_date, COLUMNS.birth_date.is_not(None), is_reversed=True),
    "arrival": SortOrder(COLUMNS.arrival_date, COLUMNS.arrival_date.is_not(None)),
    "waiting": SortOrder(COLUMNS.arrival_date, IS_WAITING, is_reversed=True),
    "updated": SortOrder(COLUMNS.updated_at),
}


def page_of_rows(
    session: Session,
    project_id: int,
    sought: AnimalSearch,
    order: str,
    backwards: bool,
    skip: int,
    limit: int,
) -> list[StaffListRow]:
    """Return up to ``limit`` matching animals, after the first ``skip`` animals.

    ``order`` is a key of ``ORDERS``.
    """
    wanted = apply_search(select(Animal.id), project_id, sought)
    asked_with = match_parameter(project_id, sought)
    ids: list[int] = []
    for part in ordered_queries(wanted, ORDERS[order], backwards, sought.text):
        ids += session.scalars(part.offset(skip).limit(limit - len(ids)), asked_with)
        if len(ids) == limit:
            break
        skip = skip - count_rows(session, part, asked_with) if skip and not ids else 0
    known = {row.id: row for row in find_rows(session, project_id, ids)}
    return [known[each] for each in ids if each in known]


def ordered_queries(wanted: Select[Any], order: SortOrder, backwards: bool, text: str) -> list[Select[Any]]:
    """Return one query, or two queries whose results follow each other in the list.

    Animals with a value and animals without a value have separate queries, so that an index can sort each
    query. In a single query, SQLite and PostgreSQL would place NULLs differently. A text search has few
    results, so a single query sorts the results without an index.
    """
    descending = backwards != order.is_reversed
    direction = desc if descending else asc
    key, last = direction(order.key), direction(COLUMNS.id)
    exact = [exact_first(text)] if text else []
    if order.known is None:
        return [wanted.order_by(*exact, key, last)]
    if text:
        key = direction(case((order.known, order.key)))
        return [wanted.order_by(*exact, not_(order.known), key, last)]
    return [wanted.where(order.known).order_by(key, last), wanted.where(not_(order.known)).order_by(last)]


def exact_first(text: str) -> ColumnElement[Any]:
    """Return a sort key that places animals with exactly this name or code first."""
    same = or_(func.lower(Animal.name) == text.lower(), func.lower(Animal.code) == text.lower())
    return case((same, 0), else_=1)


def find_rows(session: Session, project_id: int, ids: Any) -> list[StaffListRow]:
    """Return the project's animals with these ids, in no particular order."""
    mine = ROWS.where(Animal.project_id == project_id, Animal.id.in_(ids))
    return [StaffListRow._make(row) for row in session.execute(mine)]


def find_only_hit(session: Session, project_id: int, sought: AnimalSearch) -> int | None:
    """Return the id of the animal that the search clearly means; otherwise None.

    The search is clear if exactly one animal has this code or name, or if there is only one result.
    """
    if not sought.text:
        return None
    exact = exact_first(sought.text)
    wanted = apply_search(select(Animal.id, exact), project_id, sought).order_by(exact).limit(2)
    hits = session.execute(wanted, match_parameter(project_id, sought)).all()
    is_clear = len(hits) == 1 or (len(hits) == 2 and hits[0][1] < hits[1][1])
    return hits[0][0] if is_clear else None


def find_matching_ids(session: Session, project_id: int, sought: AnimalSearch) -> list[int]:
    """Return the ids of all matching animals, in no particular order."""
    wanted = apply_search(select(Animal.id), project_id, sought)
    return list(session.scalars(wanted, match_parameter(project_id, sought)))


def selection_fingerprint(ids: Collection[int]) -> str:
    """Return the number of ids and a hash of the ids, such as "52-9f86d081884c7d65"."""
    text = ",".join(map(str, sorted(ids)))
    return f"{len(ids)}-{blake2b(text.encode(), digest_size=8).hexdigest()}"


def names_without_removed(session: Session, project_id: int, ids: Collection[int]) -> dict[int, str]:
    """Return the id and name of each of these animals that is in the project and not removed."""
    found: dict[int, str] = {}
    for portion in id_batches(sorted(ids)):
        mine = select(Animal.id, Animal.name).where(Animal.project_id == project_id, Animal.id.in_(portion))
        found |= {
            row.id: row.name
            for row in session.execute(mine.where(Animal.removed_at.is_(None)).order_by(Animal.id))
        }
    return found


def count_found(session: Session, project_id: int, sought: AnimalSearch) -> int:
    """Return how many animals match."""
    return count_rows(
        session, apply_search(select(Animal.id), project_id, sought), match_parameter(project_id, sought)
    )


def count_rows(session: Session, query: Select[Any], asked_with: dict[str, str]) -> int:
    rows = query.order_by(None).subquery()
    return session.scalar(select(func.count()).select_from(rows), asked_with) or 0


def has_animals(session: Session, project_id: int) -> bool:
    """Return whether the project has ever had an animal."""
    return session.scalar(select(Animal.id).where(Animal.project_id == project_id).limit(1)) is not None


def has_removed_animals(session: Session, project_id: int) -> bool:
    removed = select(Animal.id).where(Animal.project_id == project_id, Animal.removed_at.is_not(None))
    return session.scalar(removed.limit(1)) is not None


def count_by_status(session: Session, project_id: int) -> AnimalCounts:
    """Return the counts of animals, without removed animals."""
    query = (
        select(Animal.status, Animal.listed, func.count())
        .where(Animal.project_id == project_id, Animal.removed_at.is_(None))
        .group_by(Animal.status, Animal.listed)
    )
    counts = {(status, listed): number for status, listed, number in session.execute(query)}
    by_status = {each: counts.get((each, True), 0) + counts.get((each, False), 0) for each in STATUSES}
    return AnimalCounts(
        **by_status, hidden=sum(number for (_, listed), number in counts.items() if not listed)
    )


def apply_search(query: Select[Any], project_id: int, sought: AnimalSearch) -> Select[Any]:
    conditions: list[ColumnElement[bool]] = [Animal.project_id == project_id]
    if sought.standing == "removed":
        conditions.append(Animal.removed_at.is_not(None))
    else:
        conditions.append(Animal.removed_at.is_(None))
    if sought.standing in ("listed", "hidden"):
        conditions.append(Animal.listed.is_(sought.standing == "listed"))
    if sought.category_id is not None:
        conditions.append(Animal.category_id == sought.category_id)
    if sought.status is not None:
        conditions.append(Animal.status == sought.status)
    if sought.text:
        conditions.append(Animal.id.in_(ids_matching_text(project_id, sought.text)))
    return query.where(*conditions)


def ids_matching_text(project_id: int, text: str) -> Any:
    """Return a query for the ids of animals that match a text.

    The text may be words, a code, a foster home, a surrenderer or a microchip.
    """
    mine = select(Animal.id).where(Animal.project_id == project_id)
    ways = [mine.where(Animal.code.icontains(text, autoescape=True))]
    if words_in(text):
        ways.append(with_words(select(Animal.id), db.engine.dialect.name))
    kept_by = mine.join(CareRecord, CareRecord.animal_id == Animal.id)
    private = (CareRecord.foster_address, CareRecord.surrenderer)
    ways += [kept_by.where(each.icontains(text, autoescape=True)) for each in private]
    chip = re.sub(r"[\s.-]", "", text)
    if len(chip) >= CHIP_SHORTEST and chip.isalnum():
        kept = func.replace(func.replace(CareRecord.microchip, " ", ""), "-", "")
        chipped = mine.join(CareRecord, CareRecord.animal_id == Animal.id)
        ways.append(chipped.where(kept.icontains(chip, autoescape=True)))
    return union(*ways)


def match_parameter(project_id: int, sought: AnimalSearch) -> dict[str, str]:
    """Return the parameter of the full-text query; empty if the text has no words."""
    words = plain_terms(sought.text, WORDS_MOST)
    return {"match": match_of(words, project_id, None, db.engine.dialect.name)} if words else {}
