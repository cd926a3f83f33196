"""The files of photos: to whoever may see an animal that has the picture, and to nobody else."""

import re
from typing import Protocol

from flask import Response, g, request

from adoption.animals.image_processing import FORMATS, photo_widths, shared_name
from adoption.animals.photos import is_shown
from adoption.animals.shared_photos import ask_for_shared
from adoption.errors import NotFound
from adoption.storage.media_store import the_store
from portal import people
from portal.errors import page_for
from portal.sites.hosts import current_site

NAME = re.compile(rf"([0-9a-f]{{64}})-(?:[1-9][0-9]{{0,3}}\.({'|'.join(FORMATS)})|share\.jpeg)")
KEPT = "public, max-age=31536000, immutable"
"""The name says what is in the file, so that it never changes."""
MISSED = "public, max-age=60"
"""An animal that is not shown now may be in a minute."""
NO_SOURCE_WIDTH = 800
"""Pixels of the file for what reads no list of them."""


class PagePhoto(Protocol):
    """A photo as pages have it."""

    @property
    def digest(self) -> str: ...
    @property
    def width(self) -> int: ...


@people.get("/media/<name>")
def media(name: str) -> Response:
    """A photo's file, or the page that says that there is none."""
    asked, site = NAME.fullmatch(name), current_site()
    content: bytes | None = None
    if asked and is_shown(asked[1], site.project_id if site else None):
        if request.if_none_match.contains_weak(name):
            return file(asked[2] or "jpeg", name, b"", 304)
        content = the_store().read_for_page(name)
        if content is None and name == shared_name(asked[1]) and (largest := ask_for_shared(asked[1])):
            return redirect_to_file(f"/media/{largest}")
    if asked and content is not None:
        return file(asked[2] or "jpeg", name, content)
    response = page_for(NotFound("There is no such photo."))
    response.headers["Cache-Control"] = MISSED
    return response


def redirect_to_file(address: str) -> Response:
    """Return a redirect to another file, for as long as the one that was asked for is made."""
    response = Response(status=302, headers={"Location": address})
    response.headers["Cache-Control"] = MISSED
    return response


def file(kind: str, name: str, content: bytes, status: int = 200) -> Response:
    response = Response(content, status, mimetype=f"image/{kind}")
    response.headers["Cache-Control"] = KEPT
    response.set_etag(name)
    return response


@people.app_template_global("photo_sources")
def picture_sources(photo: PagePhoto) -> list[tuple[str, str]]:
    """For each kind of file, the best first: its media type, and its files as ``srcset`` has them."""
    return [
        (
            f"image/{kind}",
            ", ".join(f"{photo_address(photo, width, kind)} {width}w" for width in photo_widths(photo.width)),
        )
        for kind in FORMATS
    ]


@people.app_template_global("photo_source")
def source(photo: PagePhoto) -> str:
    """One file that everything shows, about ``NO_SOURCE_WIDTH`` wide."""
    widths = photo_widths(photo.width)
    return photo_address(
        photo, next((each for each in widths if each >= NO_SOURCE_WIDTH), widths[-1]), "webp"
    )


def shared(photo: PagePhoto) -> str:
    """Return the address of the JPEG that is shown where a page is shared."""
    return f"/media/{shared_name(photo.digest)}"


@people.app_template_global("photo_largest")
def largest(photo: PagePhoto) -> str:
    """Return the address of the largest file, in a format that everything shows."""
    return photo_address(photo, photo_widths(photo.width)[-1], "webp")


def photo_address(photo: PagePhoto, width: int, kind: str) -> str:
    """Return the address of a file. A preview sets ``g.photo_root``, since its photos may not be public."""
    return f"{g.get('photo_root', '/media')}/{photo.digest}-{width}.{kind}"


def small_file_of(digest: str, width: int | None) -> str:
    """Return the name of the smallest file."""
    return f"{digest}-{photo_widths(width or 0)[0]}.webp"
