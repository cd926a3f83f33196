"""Pages of the change feed, and the removal of old rows."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import BigInteger, bindparam, delete, exists, func, literal_column, select, tuple_
from sqlalchemy.sql.elements import ColumnElement

from adoption.animals.models import Animal
from adoption.changes.models import AnimalChange
from adoption.storage.database import db, transaction
from adoption.storage.prepared_statements import Prepared

VALID_FOR = timedelta(days=90)
"""How long a program may wait between two reads without missing an animal that is gone."""
KEPT_FOR = VALID_FOR + timedelta(days=2)


class ChangeRow(NamedTuple):
    animal_id: int
    at: object
    """The time of the change, as the database's driver returns it."""
    xid: int
    seq: int
    is_listed: bool
    """Whether the public can see the animal now, in a published project."""


_listed = exists().where(
    Animal.id == AnimalChange.animal_id, Animal.project_id == AnimalChange.project_id, Animal.listed
)
_after = tuple_(bindparam("xid", type_=BigInteger()), bindparam("seq", type_=BigInteger()))
_page = (
    select(AnimalChange.animal_id, AnimalChange.at, AnimalChange.xid, AnimalChange.seq, _listed)
    .where(
        AnimalChange.project_id == bindparam("project_id"),
        tuple_(AnimalChange.xid, AnimalChange.seq) > _after,
    )
    .order_by(AnimalChange.xid, AnimalChange.seq)
    .limit(bindparam("limit", type_=BigInteger()))
)
_oldest_open: ColumnElement[int] = literal_column("pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
PAGES = {
    "sqlite": Prepared(_page),
    # Transactions that commit later have higher xids than the rows of a page, so none precedes a cursor.
    "postgresql": Prepared(_page.where(AnimalChange.xid < _oldest_open)),
}


def page_of_changes(project_id: int, after: tuple[int, int], limit: int) -> list[ChangeRow]:
    """Return up to ``limit`` changes of a project's animals that follow ``after``, oldest first.

    ``after`` contains the ``xid`` and ``seq`` of the last row on the previous page. Only the newest change of
    each animal is in the list.
    """
    page = PAGES[db.engine.dialect.name]
    rows = page.rows(project_id=project_id, xid=after[0], seq=after[1], limit=limit)
    return [ChangeRow(*row) for row in rows]


def forget_gone_animals(now: datetime) -> None:
    """Delete the old rows of animals that are gone.

    The newest row stays, because the next row continues its number.
    """
    newest = select(func.max(AnimalChange.xid)).scalar_subquery()
    old = delete(AnimalChange).where(AnimalChange.at < now - KEPT_FOR, ~_listed, AnimalChange.xid < newest)
    with transaction() as session:
        session.execute(old, execution_options={"synchronize_session": False})
