"""Daily removal of stored files that nothing refers to.

A file is stored before its row and removed after it, so a process that is killed in between leaves a file.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import InstrumentedAttribute

from adoption.animals.models import Photo, PhotoUpload
from adoption.animals.photo_store import the_store
from adoption.animals.photo_uploads import FOLDER as UPLOADS
from adoption.animals.photo_uploads import forget_uploads
from adoption.animals.photos import drop_unused
from adoption.clocks import utc_now
from adoption.database import reading
from adoption.imports.files import FOLDER as IMPORTS
from adoption.imports.models import Import

log = logging.getLogger("homeward.media")

UNTOUCHED_FOR = timedelta(days=1)
"""Files that are younger may belong to a row that is about to be written."""
CHUNK = 500
PHOTO = re.compile(r"([0-9a-f]{64})-.+")
UPLOAD = re.compile(rf"({UPLOADS}/[0-9a-f]+)")
IMPORT = re.compile(rf"({IMPORTS}/[0-9a-f]+)(?:\..+)?")


def sweep(now: datetime | None = None) -> int:
    """Remove old files without a row; return how many. Raises Unavailable."""
    now = now or utc_now()
    forget_uploads(now)
    removed = sum(sweep_chunk(names) for names in chunks(the_store().names_before(now - UNTOUCHED_FOR)))
    if removed:
        log.warning("%s files without a row were removed", removed)
    return removed


def chunks(names: Iterator[str]) -> Iterator[Sequence[str]]:
    while some := list(islice(names, CHUNK)):
        yield some


def sweep_chunk(names: Sequence[str]) -> int:
    """Files of any other name are not the service's to remove."""
    photos = unused(names, PHOTO, Photo.digest)
    for digest, files in photos.items():
        drop_unused(digest, files)
    rest = [
        *unused(names, UPLOAD, PhotoUpload.file_key, PhotoUpload.finished_at.is_(None)).values(),
        *unused(names, IMPORT, Import.file_key).values(),
    ]
    the_store().drop(name for files in rest for name in files)
    return sum(len(files) for files in (*photos.values(), *rest))


def unused(
    names: Iterable[str],
    pattern: re.Pattern[str],
    column: InstrumentedAttribute[str],
    *conditions: ColumnElement[bool],
) -> dict[str, list[str]]:
    """Return the files by the key that no row has in this column."""
    found: dict[str, list[str]] = {}
    for name in names:
        if (match := pattern.fullmatch(name)) is not None:
            found.setdefault(match[1], []).append(name)
    with reading() as session:
        used = set(session.scalars(select(column).where(column.in_(found), *conditions)))
    return {key: files for key, files in found.items() if key not in used}
