"""Import files in the media store: uploads and reports.

Their names are unguessable, and they are never served.
"""

import logging
import secrets
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import IO

from adoption.errors import NotFound, Unavailable
from adoption.storage.media_store import the_store
from adoption.translations import gettext, message

log = logging.getLogger("homeward.imports")

FOLDER = "imports"
IN_MEMORY = 1_000_000
UNREACHABLE = message("The files of imports cannot be reached at the moment. Try again in a minute.")


def new_file_key() -> str:
    return f"{FOLDER}/{secrets.token_hex(24)}"


def store_import_file(key: str, content: bytes) -> None:
    """Store a file. Raises Unavailable if the store fails."""
    try:
        the_store().keep({key: content})
    except Unavailable as error:
        raise Unavailable(gettext(UNREACHABLE)) from error


def open_import_file(key: str) -> IO[bytes]:
    """Return the file, positioned at its start.

    Raises NotFound if the file was deleted, and Unavailable if the store fails.
    """
    if not key:
        raise NotFound(gettext("The file was deleted. Upload it again."))
    file: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the caller closes it
    try:
        if the_store().copy_to(key, file):
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
        the_store().drop(keys)
    except Unavailable as error:
        log.warning("files of an import stay: %s", error)


def reports_of(key: str) -> dict[str, str]:
    """Return the names of an import's report files, for ``refused`` and ``warnings``."""
    return {kind: f"{key}.{kind}.csv" for kind in ("refused", "warnings")}
