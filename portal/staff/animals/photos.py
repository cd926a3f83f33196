"""The photos of an animal: showing, describing, ordering and removing them."""

from collections.abc import Sequence
from typing import NamedTuple

from flask import Response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import photo_visibility, photos
from adoption.animals.image_decoding import SHORTEST_SIDE
from adoption.animals.image_format_detection import BYTES_MOST, MEGA
from adoption.animals.photo_models import Photo
from adoption.animals.photo_uploads import (
    uploads_of,
)
from adoption.animals.photos import ALT_LONGEST, MOVES, PHOTOS_MOST
from adoption.animals.staff_edits import OpenedAnimal, open_animal
from adoption.errors import Invalid, NotFound, Refusal
from adoption.storage.database import reading
from adoption.storage.media_store import the_media_store
from adoption.translations import gettext
from portal import htmx
from portal.animals.photos import NAME, photo_response
from portal.confirmation_dialogs import ask_to_confirm
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.animals.list_page import row_picture
from portal.staff.change_authors import current_editor
from portal.url_converters import parse_id

KEPT = "private, max-age=86400, immutable"
LIMITS = {
    "most": PHOTOS_MOST,
    "bytes": BYTES_MOST,
    "megabytes": BYTES_MOST // MEGA,
    "shortest": SHORTEST_SIDE,
    "alt": ALT_LONGEST,
}


class EditablePhoto(NamedTuple):
    id: int
    number: int
    """The photo's position in the order, from 1. Photo 1 is the cover."""
    address: str
    alt: str


@staff.context_processor
def limits() -> dict[str, object]:
    return {"photo_limits": LIMITS}


def photos_shown(found: Sequence[Photo]) -> list[EditablePhoto]:
    return [
        EditablePhoto(photo.id, photo.position + 1, row_picture(photo.digest, photo.width), photo.alt)
        for photo in found
    ]


@staff.get("/photos/<name>")
@may("animals.see")
def photo_file(access: ProjectAccess, name: str) -> Response:
    """Return the file of a photo of the project, even if visitors do not see the animal."""
    asked = NAME.fullmatch(name)
    content = None
    if asked and photo_visibility.is_photo_of_project(asked[1], access.project.id):
        content = the_media_store().read_for_page(name)
    if asked is None or content is None:
        raise NotFound(gettext("There is no such photo."))
    response = photo_response(asked[2], name, content)
    response.headers["Cache-Control"] = KEPT
    return response


def refusal_sentence(refusal: Refusal) -> str:
    if isinstance(refusal, Invalid):
        return gettext("The description %(problem)s.", problem=refusal.violations[0][1])
    return refusal.sentence


def find_own_animal(access: ProjectAccess, animal_id: int) -> OpenedAnimal:
    """Return the animal. Raises NotFound if the project has no such animal, and Gone if it was removed."""
    with reading() as session:
        return open_animal(session, access.project.id, animal_id)


@staff.post("/animals/<int64:animal_id>/photos/<int64:photo_id>/description")
@may("animals.edit")
def describe_photo(access: ProjectAccess, animal_id: int, photo_id: int) -> Response:
    try:
        photos.describe_photo(current_editor(access), animal_id, photo_id, request.form.get("alt", ""))
    except Invalid as refusal:
        notice(refusal_sentence(refusal), "bad")
        return to_photos(animal_id)
    if htmx.target_id() is not None:
        return htmx.announced_fragment("", gettext("Description saved"))
    notice(gettext("The description is saved."))
    return to_photos(animal_id)


@staff.post("/animals/<int64:animal_id>/photos/<int64:photo_id>/position")
@may("animals.edit")
def move_photo(access: ProjectAccess, animal_id: int, photo_id: int) -> Response:
    to = request.form.get("to", "")
    if to not in MOVES:
        raise NotFound(gettext("There is no such place."))
    position = photos.move_photo(current_editor(access), animal_id, photo_id, to)
    moved = gettext("Moved to place %(place)s.", place=position + 1)
    cover = gettext("This photo is the cover now.")
    return photos_changed(access, animal_id, moved if position else cover)


@staff.post("/animals/<int64:animal_id>/photos/order")
@may("animals.edit")
def order_photos(access: ProjectAccess, animal_id: int) -> Response:
    """Store the order into which the user has dragged the photos."""
    given = request.form.get("order", "").split(",")
    ids = list(filter(None, map(parse_id, given)))
    photos.reorder_photos(access.project.id, animal_id, ids, by=current_editor(access))
    return photos_changed(access, animal_id, gettext("The photos are in the new order."))


@staff.route("/animals/<int64:animal_id>/photos/<int64:photo_id>/removal", methods=["GET", "POST"])
@may("animals.edit")
def remove_photo(access: ProjectAccess, animal_id: int, photo_id: int) -> Response:
    if request.method == "POST":
        photos.remove_photo(access.project.id, animal_id, photo_id, by=current_editor(access))
        return photos_changed(access, animal_id, gettext("The photo is removed."))
    animal = find_own_animal(access, animal_id)
    with reading() as session:
        position = photos.find_photo_in(photos.find_photos(session, animal_id), photo_id).position
    return ask_to_confirm(
        gettext("Remove photo %(number)s of %(name)s?", number=position + 1, name=animal.name),
        gettext("Visitors no longer see it. This cannot be undone, but you can add the photo again."),
        url_for(".remove_photo", animal_id=animal_id, photo_id=photo_id),
        gettext("Remove photo"),
        gettext("Keep photo"),
        url_for(".edit_animal", animal_id=animal_id, _anchor="photos"),
    )


def photos_changed(access: ProjectAccess, animal_id: int, sentence: str) -> Response:
    """Return the current list of photos, and a sentence about the change."""
    if htmx.target_id() is None:
        notice(sentence)
        return to_photos(animal_id)
    animal = find_own_animal(access, animal_id)
    with reading() as session:
        shown = photos_shown(photos.find_photos(session, animal_id))
        uploads = uploads_of(session, animal_id)
    text = render_template("staff/animals/_photo_list.html", animal=animal, photos=shown, uploads=uploads)
    return htmx.announced_fragment(text, sentence)


def to_photos(animal_id: int) -> Response:
    return see_other(url_for(".edit_animal", animal_id=animal_id, _anchor="photos"))
