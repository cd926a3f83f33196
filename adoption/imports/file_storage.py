"""Storage of the files of imports in the media store: uploads and reports.

The names of the files are unguessable, and the files are never served.
"""

import logging
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from tempfile import SpooledTemporaryFile
from typing import IO

from sqlalchemy import select, update

from adoption.errors import NotFound, Unavailable
from adoption.imports.models import UNDER_WAY, Import
from adoption.imports.queries import KEPT_FOR
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import the_media_store
from adoption.translations import gettext, message

log = logging.getLogger("homeward.imports")

FOLDER = "imports"
IN_MEMORY = 1_000_000
UNREACHABLE = message("The files of imports cannot be reached at the moment. Try again in a minute.")


def new_file_key() -> str:
    return f"{FOLDER}/{secrets.token_hex(24)}"


def store_import_file(key: str, content: bytes) -> None:
    """Store a file. Raises Unavailable if the media store fails."""
    try:
        the_media_store().keep({key: content})
    except Unavailable as error:
        raise Unavailable(gettext(UNREACHABLE)) from error


def open_import_file(key: str) -> IO[bytes]:
    """Return the file, positioned at its start.

    Raises NotFound if the file was deleted, and Unavailable if the media store fails.
    """
    if not key:
        raise NotFound(gettext("The file was deleted. Upload it again."))
    file: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the caller closes it
    try:
        if the_media_store().copy_to(key, file):
            file.seek(0)
            return file
    except Unavailable as error:
        file.close()
        raise Unavailable(gettext(UNREACHABLE)) from error
    file.close()
    raise NotFound(gettext("The file was deleted. Upload it again."))


def drop_unreferenced(keys: Iterable[str]) -> None:
    """Delete unreferenced files. The daily sweep retries each file that cannot be deleted now."""
    try:
        the_media_store().drop(keys)
    except Unavailable as error:
        log.warning("the files of an import were not deleted: %s", error)


def reports_of(key: str) -> dict[str, str]:
    """Return the keys of an import's two report files: ``refused`` and ``warnings``.

    ``key`` is the key of the upload.
    """
    return {kind: f"{key}.{kind}.csv" for kind in ("refused", "warnings")}


def forget_old_files(now: datetime | None = None) -> int:
    """Delete the files of imports older than ``KEPT_FOR``. Return the number of these imports.

    Raises Unavailable if the media store fails.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        old = session.execute(
            select(Import.id, Import.file_key).where(
                Import.file_key != "", Import.created_at < now - KEPT_FOR, Import.state.not_in(UNDER_WAY)
            )
        ).all()
    for import_id, key in old:
        the_media_store().drop([key, *reports_of(key).values()])
        with transaction() as session:
            session.execute(update(Import).where(Import.id == import_id).values(file_key=""))
    return len(old)
