"""Photo files, for visitors who can see the animal."""

import re
from typing import Protocol

from flask import Response, g, request

from adoption.animals.jpeg_files import make_jpeg
from adoption.animals.photo_addresses import MEDIA_PATH
from adoption.animals.photo_variants import FORMATS, photo_widths, social_media_file_name, variant_file_name
from adoption.animals.photo_visibility import is_photo_public
from adoption.animals.social_media_images import request_image
from adoption.errors import NotFound
from adoption.storage.media_store import the_media_store
from adoption.translations import gettext
from portal import portal_blueprint
from portal.error_pages import page_for
from portal.sites.hosts import current_site

NAME = re.compile(rf"([0-9a-f]{{64}})-(?:[1-9][0-9]{{0,3}}\.({'|'.join(FORMATS)}|jpeg)|share\.jpeg)")
KEPT = "public, max-age=31536000, immutable"
"""The cache header of a photo. A file never changes, because its name has a hash of its content."""
MISSED = "public, max-age=60"
"""The cache header of a missing photo, whose animal may be published soon."""
NO_SOURCE_WIDTH = 800
"""The width in pixels of the photo that programs without support for ``srcset`` load."""


class PagePhoto(Protocol):
    @property
    def digest(self) -> str: ...
    @property
    def width(self) -> int: ...


@portal_blueprint.get(f"{MEDIA_PATH}/<name>")
def media(name: str) -> Response:
    """Return a photo's file, or an error page."""
    match, site = NAME.fullmatch(name), current_site()
    content: bytes | None = None
    if match and is_photo_public(match[1], site.project_id if site else None):
        if request.if_none_match.contains_weak(name):
            return photo_response(match[2] or "jpeg", name, b"", 304)
        content = the_media_store().read_for_page(name)
        if content is None and match[2] == "jpeg":
            content = make_jpeg(match[1], name)
        elif content is None and match[2] is None and (largest := request_image(match[1])):
            return redirect_to_file(f"{MEDIA_PATH}/{largest}")
    if match and content is not None:
        return photo_response(match[2] or "jpeg", name, content)
    response = page_for(NotFound(gettext("There is no such photo.")))
    response.headers["Cache-Control"] = MISSED
    return response


def redirect_to_file(address: str) -> Response:
    """Return a temporary redirect to another file, because the requested file is still being made."""
    response = Response(status=302, headers={"Location": address})
    response.headers["Cache-Control"] = MISSED
    return response


def photo_response(kind: str, name: str, content: bytes, status: int = 200) -> Response:
    response = Response(content, status, mimetype=f"image/{kind}")
    response.headers["Cache-Control"] = KEPT
    response.set_etag(name)
    return response


@portal_blueprint.app_template_global("photo_sources")
def picture_sources(photo: PagePhoto) -> list[tuple[str, str]]:
    """Return the media type and the ``srcset`` of each format, the best format first."""
    return [
        (
            f"image/{kind}",
            ", ".join(f"{photo_address(photo, width, kind)} {width}w" for width in photo_widths(photo.width)),
        )
        for kind in FORMATS
    ]


@portal_blueprint.app_template_global("photo_source")
def photo_source(photo: PagePhoto) -> str:
    """Return the address of a file of about ``NO_SOURCE_WIDTH``, in a format that every program can read."""
    widths = photo_widths(photo.width)
    width = next((width for width in widths if width >= NO_SOURCE_WIDTH), widths[-1])
    return photo_address(photo, width, "webp")


def shared_photo_path(photo: PagePhoto) -> str:
    """Return the address of the JPEG for link previews."""
    return f"{MEDIA_PATH}/{social_media_file_name(photo.digest)}"


@portal_blueprint.app_template_global("photo_largest")
def largest_photo(photo: PagePhoto) -> str:
    """Return the address of the largest file in a format that every program can read."""
    return photo_address(photo, photo_widths(photo.width)[-1], "webp")


def photo_address(photo: PagePhoto, width: int, kind: str) -> str:
    """Return the address of a file.

    A preview sets ``g.photo_root``, because its photos are not always public.
    """
    return f"{g.get('photo_root', MEDIA_PATH)}/{variant_file_name(photo.digest, width, kind)}"


def small_file_of(digest: str, width: int | None) -> str:
    """Return the name of the smallest file of a photo."""
    return variant_file_name(digest, photo_widths(width or 0)[0], "webp")
