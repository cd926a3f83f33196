"""The photos of an animal, which its team adds, describes and orders."""

from collections.abc import Sequence
from typing import NamedTuple

from flask import Response, render_template, request, url_for
from werkzeug.datastructures import FileStorage

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import photo_visibility, photos
from adoption.animals.image_decoding import SHORTEST_SIDE
from adoption.animals.image_format_detection import BYTES_MOST, MEGA
from adoption.animals.photo_models import Photo, PhotoUpload
from adoption.animals.photo_uploads import (
    begin_processing,
    receive_photo,
    upload_of,
    uploaded_photo,
    uploads_of,
)
from adoption.animals.photos import ALT_LONGEST, MOVES, PHOTOS_MOST
from adoption.animals.staff_edits import OpenedAnimal, open_animal
from adoption.errors import Conflict, FileRefused, Invalid, NotFound, PlanLimit, Refusal
from adoption.storage.database import reading
from adoption.storage.media_store import the_store
from adoption.translations import gettext, ngettext
from portal import htmx
from portal.animals.photos import NAME, photo_response
from portal.confirmation_dialogs import ask_to_confirm
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.animals.bulk_changes import editor
from portal.staff.animals.list_page import row_picture
from portal.url_converters import parse_id

KEPT = "private, max-age=86400, immutable"
REFUSED_NAMED, FILE_NAME_LONGEST = 4, 100
"""The most rejected files that get a notice each, and the most characters of a file's name.

Both are limited because a cookie carries the notices to the next page.
"""
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
    """The number of the photo. The cover is 1."""
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
    """Return a photo of any animal of the project, even of one that visitors do not see."""
    asked = NAME.fullmatch(name)
    content = None
    if asked and photo_visibility.is_photo_of_project(asked[1], access.project.id):
        content = the_store().read_for_page(name)
    if asked is None or content is None:
        raise NotFound(gettext("There is no such photo."))
    response = photo_response(asked[2], name, content)
    response.headers["Cache-Control"] = KEPT
    return response


def sent_photos() -> list[FileStorage]:
    return [each for each in request.files.getlist("photos") if each.filename]


def keep_photos(access: ProjectAccess, animal_id: int) -> list[PhotoUpload]:
    """Receive the sent photos. A notice says why a file was rejected."""
    kept, refused = [], []
    for each in sent_photos():
        try:
            kept.append(keep_photo(access, animal_id, each))
        except (Conflict, FileRefused, Invalid, PlanLimit) as refusal:
            name = (each.filename or "")[:FILE_NAME_LONGEST]
            not_added = gettext("%(file)s was not added.", file=name)
            refused.append(f"{not_added} {refusal_sentence(refusal)}")
    if kept:
        begin_processing()
    for sentence in refused[:REFUSED_NAMED]:
        notice(sentence, "bad")
    if (more := len(refused) - REFUSED_NAMED) > 0:
        sentence = ngettext(
            "%(num)s more file could not be added either.",
            "%(num)s more files could not be added either.",
            more,
        )
        notice(sentence, "bad")
    return kept


def keep_photo(access: ProjectAccess, animal_id: int, sent: FileStorage) -> PhotoUpload:
    """Keep a photo. Raises NotFound, Conflict, FileRefused or Invalid if it cannot be kept."""
    data, alt = sent.stream.read(BYTES_MOST + 1), request.form.get("alt", "")
    return receive_photo(access.project.id, animal_id, data, alt, editor(access), sent.filename or "")


def refusal_sentence(refusal: Refusal) -> str:
    if isinstance(refusal, Invalid):
        return gettext("The description %(problem)s.", problem=refusal.violations[0][1])
    return refusal.sentence


def find_own_animal(access: ProjectAccess, animal_id: int) -> OpenedAnimal:
    """Return the animal. Raises NotFound if it is not the project's, and Gone if it was removed."""
    with reading() as session:
        return open_animal(session, access.project.id, animal_id)


@staff.post("/animals/<int64:animal_id>/photos")
@may("animals.edit")
def add_photos(access: ProjectAccess, animal_id: int) -> Response:
    """Add all chosen photos, or the single photo that a script sends with its own progress bar."""
    animal = find_own_animal(access, animal_id)
    if htmx.target_id() is not None:
        return add_one(access, animal)
    kept = keep_photos(access, animal_id)
    if kept:
        sentence = ngettext(
            "We are processing %(num)s photo. You can leave this page.",
            "We are processing %(num)s photos. You can leave this page.",
            len(kept),
        )
        notice(sentence)
    elif not sent_photos():
        notice(gettext("Choose a photo first, then add it."), "warn")
    # Without JavaScript the focus does not move to a notice, so a page with an error begins at its top.
    is_well = len(kept) == len(sent_photos())
    return to_photos(animal_id) if is_well else see_other(url_for(".edit_animal", animal_id=animal_id))


def add_one(access: ProjectAccess, animal: OpenedAnimal) -> Response:
    sent = sent_photos()
    try:
        if not sent:
            raise FileRefused(gettext("No photo was received. Choose it again."))
        upload = keep_photo(access, animal.id, sent[0])
    except (Conflict, FileRefused, Invalid, PlanLimit) as refusal:
        return htmx.fragment(refusal_sentence(refusal), status=422)
    begin_processing()
    return htmx.fragment(tile_of(access, animal, upload.id))


def tile_of(access: ProjectAccess, animal: OpenedAnimal, upload_id: int) -> str:
    """Return the list item of an upload, or of its finished photo. Raises NotFound if there is neither."""
    with reading() as session:
        upload = upload_of(session, access.project.id, animal.id, upload_id)
        photo = uploaded_photo(session, upload)
        ahead = sum(each.id < upload_id for each in uploads_of(session, animal.id))
    if photo is None:
        return render_template("staff/animals/_photo_upload.html", animal=animal, upload=upload, ahead=ahead)
    return render_template("staff/animals/_photo.html", animal=animal, photo=photos_shown([photo])[0])


@staff.post("/animals/<int64:animal_id>/photos/<int64:photo_id>/description")
@may("animals.edit")
def describe_photo(access: ProjectAccess, animal_id: int, photo_id: int) -> Response:
    try:
        photos.describe_photo(editor(access), animal_id, photo_id, request.form.get("alt", ""))
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
    position = photos.move_photo(editor(access), animal_id, photo_id, to)
    moved = gettext("Moved to place %(place)s.", place=position + 1)
    cover = gettext("This photo is the cover now.")
    return photos_changed(access, animal_id, moved if position else cover)


@staff.post("/animals/<int64:animal_id>/photos/order")
@may("animals.edit")
def order_photos(access: ProjectAccess, animal_id: int) -> Response:
    """Put all photos in the order into which the user dragged them."""
    given = request.form.get("order", "").split(",")
    ids = list(filter(None, map(parse_id, given)))
    photos.reorder_photos(access.project.id, animal_id, ids, by=editor(access))
    return photos_changed(access, animal_id, gettext("The photos are in the new order."))


@staff.route("/animals/<int64:animal_id>/photos/<int64:photo_id>/removal", methods=["GET", "POST"])
@may("animals.edit")
def remove_photo(access: ProjectAccess, animal_id: int, photo_id: int) -> Response:
    if request.method == "POST":
        photos.remove_photo(access.project.id, animal_id, photo_id, by=editor(access))
        return photos_changed(access, animal_id, gettext("The photo is removed."))
    animal = find_own_animal(access, animal_id)
    with reading() as session:
        position = photos.photo_among(photos.find_photos(session, animal_id), photo_id).position
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
