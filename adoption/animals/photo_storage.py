"""Storage and deletion of the files of photos."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from adoption.animals.image_encoding import Picture
from adoption.animals.photo_models import Photo
from adoption.animals.photo_variants import jpeg_file_name, photo_file_names
from adoption.errors import Unavailable
from adoption.storage.database import cause_of, transaction
from adoption.storage.media_store import the_media_store

log = logging.getLogger("homeward.photos")


@contextmanager
def stored_files(picture: Picture) -> Iterator[None]:
    """Store the picture's files before the ``with`` block. Remove the files if the block fails."""
    try:
        store_files(picture)
        yield
    except BaseException:
        remove_files_if_unused(picture.digest, picture.width)
        raise


def total_file_size(picture: Picture) -> int:
    """Return the total size of a picture's files in bytes."""
    return sum(map(len, picture.files.values()))


def store_files(picture: Picture) -> None:
    """Store the picture's files, except files that the store already has."""
    store = the_media_store()
    store.keep({name: content for name, content in picture.files.items() if not store.has(name)})


def store_files_for_row(session: Session, picture: Picture) -> None:
    """Store the files for a row that this transaction adds.

    A lock prevents concurrent deletion of the files.
    """
    lock_files(session, picture.digest)
    store_files(picture)


def remove_files_if_unused(digest: str, width: int) -> None:
    """Remove a picture's files, unless a row refers to the picture."""
    try:
        drop_files_if_unused(digest, [*photo_file_names(digest, width), jpeg_file_name(digest, width)])
    except (Unavailable, SQLAlchemyError) as error:
        # No page links to these files. If the same photo is added again, the new photo uses the files.
        log.warning("the files of a removed photo were not deleted: %s", cause_of(error))


def drop_files_if_unused(digest: str, names: Iterable[str]) -> None:
    """Delete these files of a photo, unless a row refers to the photo.

    Raises Unavailable if the store fails, and database errors.
    """
    with transaction() as session:
        lock_files(session, digest)
        if session.scalar(select(Photo.id).where(Photo.digest == digest).limit(1)) is None:
            the_media_store().drop(names)


def lock_files(session: Session, digest: str) -> None:
    """Lock the files of this photo until the transaction ends.

    SQLite needs no lock, because SQLite has only one writer.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(int(digest[:15], 16))))
