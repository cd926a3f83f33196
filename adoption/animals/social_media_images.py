"""Images for social media previews of older photos. The queue makes an image when it is first requested."""

import logging

from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from adoption.animals.image_encoding import jpeg_from_file
from adoption.animals.photo_models import Photo
from adoption.animals.photo_storage import lock_files
from adoption.animals.photo_variants import photo_widths, social_media_file_name, variant_file_name
from adoption.storage.database import reading, transaction, write_if_free
from adoption.storage.media_store import the_media_store
from adoption.storage.queue import STOPPING, start_job

log = logging.getLogger("homeward.photos")


def request_image(digest: str) -> str | None:
    """Queue the image for social media previews. Return the file to show in the meantime.

    Return None for an unknown photo.
    """
    with reading() as session:
        query = select(Photo.width, Photo.wants_shared).where(Photo.digest == digest).limit(1)
        row = session.execute(query).first()
    if row is None:
        return None
    if not row.wants_shared:
        try:
            write_if_free(update(Photo).where(Photo.digest == digest).values(wants_shared=True))
            start_job("make_shared_photos")
        except DBAPIError:
            log.info("a photo could not be marked for sharing: the next request marks it")
    return largest_of(digest, row.width)


def largest_of(digest: str, width: int) -> str:
    return variant_file_name(digest, photo_widths(width)[-1], "webp")


def make_requested_images() -> None:
    """Make all requested images. Raises Unavailable if the photo store fails, and database errors."""
    while not STOPPING.is_set():
        with reading() as session:
            query = select(Photo.digest, Photo.width).where(Photo.wants_shared).order_by(Photo.id).limit(1)
            row = session.execute(query).first()
        if row is None:
            return
        make_image(row.digest, row.width)


def make_image(digest: str, width: int) -> None:
    """Make and store a photo's JPEG, unless the photo's files are missing or unreadable."""
    store = the_media_store()
    largest, made = store.read(largest_of(digest, width)), None
    if largest is not None:
        try:
            made = jpeg_from_file(largest)
        except (OSError, SyntaxError, ValueError) as error:  # Pillow raises such errors for a damaged file
            log.warning("the photo %s cannot be shared: %s", digest, error)
    with transaction() as session:
        lock_files(session, digest)
        done = update(Photo).where(Photo.digest == digest).values(wants_shared=False)
        if made is not None and session.execute(done.returning(Photo.id)).first():
            store.keep({social_media_file_name(digest): made})
        else:
            session.execute(done)
