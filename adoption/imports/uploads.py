"""Uploads of spreadsheets for import. A background job then reads the file."""

import unicodedata
from datetime import UTC, datetime
from typing import IO

from adoption.audit.actors import Actor
from adoption.errors import FileRefused
from adoption.imports import file_storage
from adoption.imports.daily_limit import refuse_extra_import
from adoption.imports.models import Import
from adoption.imports.queries import reload_import
from adoption.spreadsheets.files.file_kinds import START, detect_kind_by_start
from adoption.spreadsheets.files.header_row_search import EMPTY
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.translations import gettext

BYTES_MOST = 20_000_000
NAME_LONGEST = 200


def upload_spreadsheet(
    project_id: int, name: str, file: IO[bytes], by: Actor, now: datetime | None = None
) -> Import:
    """Store a spreadsheet and queue it for reading.

    Raises FileRefused if the file is too large or its first bytes are of another kind of file, PlanLimit if
    the account has reached its daily limit, and Unavailable if the file cannot be stored.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        refuse_extra_import(session, project_id, now)
    content = file.read(BYTES_MOST + 1)
    if len(content) > BYTES_MOST:
        raise FileRefused(
            gettext(
                "The file has more than %(limit)s MB. Delete the columns that are not needed, or "
                "split the file into several files.",
                limit=BYTES_MOST // 1_000_000,
            )
        )
    if not detect_kind_by_start(content[:START]):
        raise FileRefused(gettext(EMPTY))
    key = file_storage.new_file_key()
    file_storage.store_import_file(key, content)
    try:
        with transaction() as session:
            refuse_extra_import(session, project_id, now)
            made = Import(
                project_id=project_id,
                user_id=by.user_id,
                file_name=plain_name(name),
                file_key=key,
                state="reading",
                created_at=now,
            )
            session.add(made)
    except BaseException:
        file_storage.drop_unreferenced([key])
        raise
    queue.start_job("read_imports")
    return reload_import(made)


def plain_name(name: str) -> str:
    """Return the file's name without folders and control characters."""
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C")
    return " ".join(shown.split())[-NAME_LONGEST:] or "spreadsheet"
