"""Photos that are being processed, on their animal's page."""

from flask import Response, render_template, request

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import photo_uploads
from adoption.animals.photo_models import PhotoUpload
from adoption.animals.staff_edits import OpenedAnimal
from adoption.errors import Invalid, NotFound
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal import htmx
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.animals.bulk_changes import editor
from portal.staff.animals.photos import find_own_animal, photos_shown, refusal_sentence, tile_of, to_photos

READY = message("The photo is ready")
REPEATED = message("This animal has that photo already")
REMOVED = message("The photo is removed.")


@staff.get("/animals/<int64:animal_id>/uploads/<int64:upload_id>")
@may("animals.edit", in_background=True)
def show_photo_upload(access: ProjectAccess, animal_id: int, upload_id: int) -> Response:
    """Return the photo once it is ready.

    Until then the list item stays, and keeps the text that is typed in it.
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
    return finished(access, animal, upload)


def finished(access: ProjectAccess, animal: OpenedAnimal, upload: PhotoUpload) -> Response:
    """Return the list item of a processed upload, and a sentence for screen readers."""
    if upload.is_repeat and not upload.failure:
        return htmx.announced_fragment(described_tile(animal, upload), gettext(REPEATED))
    sentence = f"{upload.file_name}: {upload.failure}" if upload.failure else gettext(READY)
    return htmx.announced_fragment(tile_of(access, animal, upload.id), sentence)


def described_tile(animal: OpenedAnimal, upload: PhotoUpload) -> str:
    """Return the list item of a photo that the animal already had.

    It may now have the description of the upload.
    """
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
            editor(access), animal_id, upload_id, request.form.get("alt", "")
        )
    except Invalid as refusal:
        notice(refusal_sentence(refusal), "bad")
        return to_photos(animal_id)
    if htmx.target_id() is not None:
        if upload.is_repeat or upload.failure:
            return finished(access, animal, upload)
        return htmx.announced_fragment(tile_of(access, animal, upload.id), gettext("Description saved"))
    if not upload.failure:  # the page shows a failure
        notice(gettext("The description is saved."))
    return to_photos(animal_id)


@staff.post("/animals/<int64:animal_id>/uploads/<int64:upload_id>/removal")
@may("animals.edit")
def remove_photo_upload(access: ProjectAccess, animal_id: int, upload_id: int) -> Response:
    """Remove a photo that is not ready, or the notice that it could not be added."""
    animal = find_own_animal(access, animal_id)
    upload = photo_uploads.remove_upload(access.project.id, animal_id, upload_id)
    if htmx.target_id() is None:
        ready = gettext("The photo is ready. Remove it there if you do not want it.")
        notice(ready if upload.has_become_photo else gettext(REMOVED))
        return to_photos(animal_id)
    if upload.has_become_photo:
        return finished(access, animal, upload)
    return htmx.announced_fragment("", gettext(REMOVED))
