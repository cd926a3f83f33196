"""Daily comparison of the stored files with the rows that refer to them.

A file is stored before its row, and removed after its row. So a process that is killed in between leaves an
unused file. The job removes unused files, and reports missing files to the operator.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice

from flask import current_app
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import InstrumentedAttribute

from adoption.animals.photo_models import Photo, PhotoUpload
from adoption.animals.photo_storage import drop_files_if_unused
from adoption.animals.photo_uploads import FOLDER as UPLOADS
from adoption.animals.photo_uploads import forget_uploads
from adoption.animals.photo_variants import photo_file_names
from adoption.clocks import utc_now
from adoption.imports.file_storage import FOLDER as IMPORTS
from adoption.imports.models import Import
from adoption.operator_alerts.causes import FILES_MISSING, FILES_SHARED
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert
from adoption.storage.database import reading
from adoption.storage.media_store import StoredFile, the_media_store

log = logging.getLogger("homeward.media")

UNTOUCHED_FOR = timedelta(days=1)
"""The minimum age of a file that is removed. The row of a younger file may not be written yet."""
CHUNK = 500
NAMED_MOST = 10
"""The maximum number of animals listed in a report of missing files."""
SERVICES = "services"
"""A folder with a file for each service that uses the store. The file is named after the service's host."""
PHOTO = re.compile(r"([0-9a-f]{64})-.+")
UPLOAD = re.compile(rf"({UPLOADS}/[0-9a-f]+)")
IMPORT = re.compile(rf"({IMPORTS}/[0-9a-f]+)(?:\..+)?")


def sweep_media(now: datetime | None = None) -> int:
    """Remove old files without a row, and report missing files. Return the number of removed files.

    If a different service also uses the store, no file is removed, because the other service's files have no
    rows here. Raises Unavailable if the store is unreachable.
    """
    now = now or utc_now()
    forget_uploads(now)
    is_ours = not is_shared(now)
    removed, pictures = 0, Counter[str]()
    for files in file_chunks(the_media_store().files()):
        pictures.update(digests_in(files))
        if is_ours:
            removed += sweep_chunk([each.name for each in files if each.written_at < now - UNTOUCHED_FOR])
    if removed:
        log.warning("%s files without a database row were removed", removed)
    report_missing(pictures, now)
    return removed


def is_shared(now: datetime) -> bool:
    """Record that this service uses the store. Return whether a different service uses it too.

    Raises Unavailable if the store is unreachable.
    """
    host = current_app.config["HOMEWARD"].platform_name
    the_media_store().keep({f"{SERVICES}/{host}": b"Removed with the service that has this host.\n"})
    hosts = {each.name.removeprefix(f"{SERVICES}/") for each in the_media_store().files(SERVICES)}
    if hosts != {host}:
        others = ", ".join(sorted(hosts - {host}))
        open_alert(
            FILES_SHARED, f"This service is {host}. Other services have used the store too: {others}.", now
        )
        return True
    close_alert(FILES_SHARED, now)
    return False


def file_chunks(files: Iterator[StoredFile]) -> Iterator[Sequence[StoredFile]]:
    while some := list(islice(files, CHUNK)):
        yield some


def digests_in(files: Iterable[StoredFile]) -> Iterator[str]:
    """Yield a photo's digest for each of its files, except JPEGs. Some JPEGs are made later, on request."""
    for each in files:
        if (match := PHOTO.fullmatch(each.name)) and not each.name.endswith(".jpeg"):
            yield match[1]


def report_missing(pictures: Mapping[str, int], now: datetime) -> None:
    """Report the photos that have fewer files than they need."""
    missing: list[tuple[int, int]] = []
    last = 0
    columns = (Photo.id, Photo.animal_id, Photo.digest, Photo.width)
    older = select(*columns).where(Photo.created_at < now - UNTOUCHED_FOR).order_by(Photo.id).limit(CHUNK)
    with reading() as session:
        while rows := session.execute(older.where(Photo.id > last)).all():
            last = rows[-1].id
            missing += [
                (each.id, each.animal_id)
                for each in rows
                if pictures.get(each.digest, 0) < len(photo_file_names(each.digest, each.width)) - 1
            ]
    if not missing:
        close_alert(FILES_MISSING, now)
        return
    animals = sorted({animal_id for _, animal_id in missing})
    named = ", ".join(map(str, animals[:NAMED_MOST]))
    more = f" and {len(animals) - NAMED_MOST:,} more" if len(animals) > NAMED_MOST else ""
    open_alert(FILES_MISSING, f"{len(missing):,} photos, of animals {named}{more}.", now)


def sweep_chunk(names: Sequence[str]) -> int:
    """Remove files to which no row refers. Return the number of removed files. Files with unknown names are
    kept."""
    photos = files_without_row(names, PHOTO, Photo.digest)
    for digest, files in photos.items():
        drop_files_if_unused(digest, files)
    rest = [
        *files_without_row(names, UPLOAD, PhotoUpload.file_key, PhotoUpload.finished_at.is_(None)).values(),
        *files_without_row(names, IMPORT, Import.file_key).values(),
    ]
    the_media_store().drop(name for files in rest for name in files)
    return sum(len(files) for files in (*photos.values(), *rest))


def files_without_row(
    names: Iterable[str],
    pattern: re.Pattern[str],
    column: InstrumentedAttribute[str],
    *conditions: ColumnElement[bool],
) -> dict[str, list[str]]:
    """Return the files whose key is in no row of this column, by key."""
    found: dict[str, list[str]] = {}
    for name in names:
        if (match := pattern.fullmatch(name)) is not None:
            found.setdefault(match[1], []).append(name)
    with reading() as session:
        used = set(session.scalars(select(column).where(column.in_(found), *conditions)))
    return {key: files for key, files in found.items() if key not in used}
