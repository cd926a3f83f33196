"""JPEG files of photos, for programs that support neither AVIF nor WebP.

A file is made when it is first requested.
"""

import logging

from sqlalchemy import select

from adoption.animals.image_encoding import jpeg_from_file
from adoption.animals.photo_models import Photo
from adoption.animals.photo_storage import drop_files_if_unused
from adoption.animals.photo_variants import jpeg_file_name, jpeg_width, variant_file_name
from adoption.storage.database import reading
from adoption.storage.media_store import the_media_store

log = logging.getLogger("homeward.photos")


def make_jpeg(digest: str, name: str) -> bytes | None:
    """Make and store the JPEG with this name. Return the JPEG.

    Return None if the photo has no JPEG of this name, or if the photo's files are missing or damaged. Raises
    Unavailable if the photo store fails, and database errors.
    """
    width = width_of_photo(digest)
    if width is None or name != jpeg_file_name(digest, width):
        return None
    store = the_media_store()
    # The stored WebP is upright, free of metadata and at most 800 by 2400 pixels, so a request can decode it.
    source = store.read_for_page(variant_file_name(digest, jpeg_width(width), "webp"))
    if source is None:
        return None
    try:
        made = jpeg_from_file(source)
    except (OSError, SyntaxError, ValueError) as error:  # Pillow raises such errors for a damaged file
        log.warning("the photo %s cannot be made a JPEG: %s", digest, error)
        return None
    store.keep({name: made})
    # The photo may have been removed with its files while the JPEG was made.
    if width_of_photo(digest) is None:
        drop_files_if_unused(digest, [name])
    return made


def width_of_photo(digest: str) -> int | None:
    with reading() as session:
        return session.scalar(select(Photo.width).where(Photo.digest == digest).limit(1))
