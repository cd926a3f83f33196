"""Lookup of imports and their failed photos."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from adoption.accounts.models import User
from adoption.animals.allowed_values import ID_LARGEST
from adoption.errors import NotFound
from adoption.imports.models import Import, ImportPhoto
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.row_notes import RowNote
from adoption.storage.database import reading
from adoption.translations import gettext

LISTED_MOST = 20
KEPT_FOR = timedelta(days=30)
"""How long an uploaded file is kept."""
STALE_AFTER = timedelta(seconds=45)
"""A job without a heartbeat for this long counts as dead."""


def import_of(session: Session, project_id: int, import_id: int) -> Import:
    """Return an import of the project. Raises NotFound if the project has no such import."""
    found = None
    if 0 < import_id <= ID_LARGEST:
        found = session.scalar(select(Import).where(Import.project_id == project_id, Import.id == import_id))
    if found is None:
        raise NotFound(gettext("There is no such import in this project."))
    return found


def imports_of(session: Session, project_id: int) -> Sequence[tuple[Import, str | None]]:
    """Return a project's newest imports, each with the email address of the user who started the import."""
    rows = session.execute(
        select(Import, User.email)
        .outerjoin(User, User.id == Import.user_id)
        .where(Import.project_id == project_id)
        .order_by(Import.id.desc())
        .limit(LISTED_MOST)
        .options(defer(Import.look), defer(Import.options))
    )
    return [(each, email) for each, email in rows]


def is_interrupted(each: Import, now: datetime) -> bool:
    """Return whether the import's job is dead, and no other job has claimed the import yet."""
    return each.state == "running" and each.beat_at is not None and each.beat_at < now - STALE_AFTER


def options_of(each: Import) -> ImportOptions:
    return ImportOptions.from_json(each.options)


MISSED_MOST = 20


class Missed(NamedTuple):
    """The number of photos that failed to download, and the first of these photos."""

    number: int
    first: Sequence[RowNote]


def photos_missed(session: Session, project_id: int, import_id: int) -> Missed:
    """Return the photos of an import that failed to download.

    Raises NotFound if the project has no such import.
    """
    import_of(session, project_id, import_id)
    failed = (ImportPhoto.import_id == import_id, ImportPhoto.failure != "")
    number = session.scalar(select(func.count()).where(*failed)) or 0
    return Missed(number, photo_failures(session, import_id, MISSED_MOST) if number else [])


def photo_failures(session: Session, import_id: int, most: int | None = None) -> Sequence[RowNote]:
    rows = session.execute(
        select(ImportPhoto.row, ImportPhoto.header, ImportPhoto.address, ImportPhoto.failure)
        .where(ImportPhoto.import_id == import_id, ImportPhoto.failure != "")
        .order_by(ImportPhoto.id)
        .limit(most)
    )
    return [RowNote(*row) for row in rows]


def reload_import(each: Import) -> Import:
    """Read an import again from the database."""
    with reading() as session:
        return session.get_one(Import, each.id)


def lock_import(session: Session, project_id: int, import_id: int) -> Import:
    """Return the import, locked until the transaction ends.

    Raises NotFound if the project has no such import.
    """
    session.execute(
        select(Import.id).where(Import.project_id == project_id, Import.id == import_id).with_for_update()
    )
    return import_of(session, project_id, import_id)
