"""Uploads of an animal's photos: receiving files, and showing each photo until it is processed."""

from flask import Response, render_template, request, url_for
from werkzeug.datastructures import FileStorage

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import photo_uploads
from adoption.animals.image_format_detection import BYTES_MOST
from adoption.animals.photo_models import PhotoUpload
from adoption.animals.photo_uploads import (
    begin_processing,
    receive_photo,
    upload_of,
    uploaded_photo,
    uploads_of,
)
from adoption.animals.staff_edits import OpenedAnimal
from adoption.errors import Conflict, FileRefused, Invalid, NotFound, PlanLimit
from adoption.storage.database import reading
from adoption.translations import gettext, message, ngettext
from portal import htmx
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.animals.photos import find_own_animal, photos_shown, refusal_sentence, to_photos
from portal.staff.change_authors import current_editor

READY = message("The photo is ready")
REPEATED = message("This animal has that photo already")
REMOVED = message("The photo is removed.")


@staff.get("/animals/<int64:animal_id>/uploads/<int64:upload_id>")
@may("animals.edit", in_background=True)
def show_photo_upload(access: ProjectAccess, animal_id: int, upload_id: int) -> Response:
    """Return the list item of an upload once the upload is processed. Return an empty response before that.

    After an empty response, the page keeps its list item, with the text that the user is typing.
    """
    animal = find_own_animal(access, animal_id)
    if htmx.target_id() is None:
        return to_photos(animal_id)
    try:
        with reading() as session:
            upload = photo_uploads.upload_of(session, access.project.id, animal_id, upload_id)
    except NotFound:
        return htmx.fragment("")  # The photo was removed in another tab.
    if upload.finished_at is None:
        return htmx.fragment("", status=204)
    return finished_upload(access, animal, upload)


def finished_upload(access: ProjectAccess, animal: OpenedAnimal, upload: PhotoUpload) -> Response:
    """Return the list item of a processed upload, and a sentence for screen readers."""
    if upload.is_repeat and not upload.failure:
        return htmx.announced_fragment(described_tile(animal, upload), gettext(REPEATED))
    sentence = f"{upload.file_name}: {upload.failure}" if upload.failure else gettext(READY)
    return htmx.announced_fragment(tile_of(access, animal, upload.id), sentence)


def described_tile(animal: OpenedAnimal, upload: PhotoUpload) -> str:
    """Return the list item of a photo that the animal had before, if the upload added a description."""
    with reading() as session:
        photo = photo_uploads.uploaded_photo(session, upload) if upload.alt else None
    if photo is None:
        return ""
    shown = photos_shown([photo])[0]
    return render_template("staff/animals/_photo.html", animal=animal, photo=shown, is_elsewhere=True)


@staff.post("/animals/<int64:animal_id>/uploads/<int64:upload_id>/description")
@may("animals.edit")
def describe_photo_upload(access: ProjectAccess, animal_id: int, upload_id: int) -> Response:
    animal = find_own_animal(access, animal_id)
    try:
        upload = photo_uploads.describe_upload(
            current_editor(access), animal_id, upload_id, request.form.get("alt", "")
        )
    except Invalid as refusal:
        notice(refusal_sentence(refusal), "bad")
        return to_photos(animal_id)
    if htmx.target_id() is not None:
        if upload.is_repeat or upload.failure:
            return finished_upload(access, animal, upload)
        return htmx.announced_fragment(tile_of(access, animal, upload.id), gettext("Description saved"))
    if not upload.failure:  # The page itself shows a failure.
        notice(gettext("The description is saved."))
    return to_photos(animal_id)


@staff.post("/animals/<int64:animal_id>/uploads/<int64:upload_id>/removal")
@may("animals.edit")
def remove_photo_upload(access: ProjectAccess, animal_id: int, upload_id: int) -> Response:
    """Remove a photo that is not processed yet. If it could not be added, remove the message about it."""
    animal = find_own_animal(access, animal_id)
    upload = photo_uploads.remove_upload(access.project.id, animal_id, upload_id)
    if htmx.target_id() is None:
        ready = gettext("The photo is ready. Remove it there if you do not want it.")
        notice(ready if upload.has_become_photo else gettext(REMOVED))
        return to_photos(animal_id)
    if upload.has_become_photo:
        return finished_upload(access, animal, upload)
    return htmx.announced_fragment("", gettext(REMOVED))


REFUSED_NAMED, FILE_NAME_LONGEST = 4, 100
"""The maximum of rejected files with a notice of their own, and of characters of a file's name.

Both are limited because a cookie carries the notices to the next page.
"""


def sent_photos() -> list[FileStorage]:
    return [each for each in request.files.getlist("photos") if each.filename]


def keep_photos(access: ProjectAccess, animal_id: int) -> list[PhotoUpload]:
    """Receive the photos in the request. Show a notice with the reason for each rejected file."""
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
    """Receive one photo.

    Raises FileRefused if the file is not a usable photo, Invalid if its description is not valid, Conflict if
    the animal has too many photos, and PlanLimit if the plan allows no more.
    """
    data, alt = sent.stream.read(BYTES_MOST + 1), request.form.get("alt", "")
    return receive_photo(access.project.id, animal_id, data, alt, current_editor(access), sent.filename or "")


@staff.post("/animals/<int64:animal_id>/photos")
@may("animals.edit")
def add_photos(access: ProjectAccess, animal_id: int) -> Response:
    """Add all photos of the form, or the one photo that a script sends with its own progress bar."""
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
    # Without JavaScript the focus does not move to a notice. So after an error the page opens at its top.
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
    """Return the list item of an upload, or of its photo once there is one.

    Raises NotFound if the upload does not exist.
    """
    with reading() as session:
        upload = upload_of(session, access.project.id, animal.id, upload_id)
        photo = uploaded_photo(session, upload)
        ahead = sum(each.id < upload_id for each in uploads_of(session, animal.id))
    if photo is None:
        return render_template("staff/animals/_photo_upload.html", animal=animal, upload=upload, ahead=ahead)
    return render_template("staff/animals/_photo.html", animal=animal, photo=photos_shown([photo])[0])
