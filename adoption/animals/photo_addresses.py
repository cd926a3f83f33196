"""Public addresses of the files of photos."""

from typing import NamedTuple

from adoption.animals.photo_variants import (
    FORMATS,
    jpeg_file_name,
    jpeg_width,
    photo_widths,
    variant_file_name,
)
from adoption.platform_addresses import platform_link

MEDIA_PATH = "/media"
"""The path of photo files on each host of the service."""


class PhotoFile(NamedTuple):
    """A file of a photo."""

    url: str
    """The absolute URL on the platform's host. The URL needs no key, and the file's content never changes."""
    width: int
    """The width in pixels."""
    format: str
    """``avif``, ``webp`` or ``jpeg``."""


def public_photo_files(digest: str, width: int) -> list[PhotoFile]:
    """Return the files of a photo that is ``width`` pixels wide: each width in each format, and one JPEG."""
    folder = platform_link(MEDIA_PATH.lstrip("/"))
    return [
        *(
            PhotoFile(f"{folder}/{variant_file_name(digest, each, kind)}", each, kind)
            for kind in FORMATS
            for each in photo_widths(width)
        ),
        PhotoFile(f"{folder}/{jpeg_file_name(digest, width)}", jpeg_width(width), "jpeg"),
    ]
