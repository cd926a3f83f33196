"""Uploaded photos that are not processed yet: receiving, describing, removing and listing."""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, func, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from adoption.accounts.account_row_lock import lock_account
from adoption.animals import animal_and_photo_limits
from adoption.animals.animal_audit import Editor
from adoption.animals.image_decoding import check_header
from adoption.animals.photo_models import Photo, PhotoUpload
from adoption.animals.photos import clean_alt_text, describe_photo, find_animal, refuse_extra_photo
from adoption.errors import Conflict, NotFound, Unavailable
from adoption.projects.models import Project
from adoption.storage import queue
from adoption.storage.database import cause_of, reading, transaction
from adoption.storage.media_store import the_media_store
from adoption.translations import gettext

log = logging.getLogger("homeward.photos")

FOLDER = "uploads"
FILE_NAME_LONGEST = 100
WAITING_MOST = 200
"""Limit of waiting photos in one account. Each file can have 25 MB."""
KEPT_FOR = timedelta(days=1)
"""How long a finished upload is kept. Meanwhile, an open page can show the upload's result."""
OTHER_DESCRIPTION = (
    "This animal has that photo already, described as “{}”. Your description was not "
    "saved: “{}”. To use your description, change the description of that photo."
)
UNFINISHED = PhotoUpload.finished_at.is_(None)


class TooManyWaiting(Conflict):
    """The account has too many waiting photos. Another photo is accepted after some of them are processed."""


def receive_photo(
    project_id: int,
    animal_id: int,
    data: bytes,
    alt: str = "",
    by: Editor | None = None,
    file_name: str = "",
    now: datetime | None = None,
    note: Callable[[Session, PhotoUpload], None] | None = None,
) -> PhotoUpload:
    """Store an uploaded photo. The queue later adds the photo after the animal's other photos.

    ``alt`` is the photo's description. ``note`` is called in the transaction that adds the upload.

    Raises NotFound for an unknown animal, and Invalid for an invalid description. Raises PlanLimit if the
    photo exceeds the plan. Raises Conflict if the animal has too many photos, and TooManyWaiting if the
    account has too many waiting photos. Raises FileRefused if the start of the file shows that the file is
    not a photo. Raises Unavailable if the file cannot be stored.
    """
    now, alt = now or datetime.now(UTC), clean_alt_text(alt)
    check_header(data)
    animal_and_photo_limits.take_photo_bytes(project_id, 0)
    account_id = account_id_of_project(project_id)
    with reading() as session:
        demand_room(session, project_id, animal_id, account_id)
    made = PhotoUpload(account_id=account_id, animal_id=animal_id, alt=alt, created_at=now)
    made.user_id = by.actor.user_id if by else None
    made.file_name = file_name[:FILE_NAME_LONGEST]
    made.file_key = f"{FOLDER}/{secrets.token_hex(24)}"
    the_media_store().keep({made.file_key: data})
    try:
        with transaction() as session:
            lock_account(session, account_id)
            demand_room(session, project_id, animal_id, account_id)
            session.add(made)
            session.flush()
            if note is not None:
                note(session, made)
    except BaseException:
        drop_files([made.file_key])
        raise
    return made


def demand_room(session: Session, project_id: int, animal_id: int, account_id: int) -> None:
    """Raise NotFound for an unknown animal, and Conflict if the animal or account can have no more photos."""
    find_animal(session, project_id, animal_id)
    waiting = session.scalar(select(func.count()).where(PhotoUpload.animal_id == animal_id, UNFINISHED)) or 0
    refuse_extra_photo(session, animal_id, waiting)
    of_account = select(func.count()).where(PhotoUpload.account_id == account_id, UNFINISHED)
    if (session.scalar(of_account) or 0) >= WAITING_MOST:
        raise TooManyWaiting(
            f"The photo was not added: {WAITING_MOST} photos of your account are still being "
            "processed. Try again in a few minutes."
        )


def begin_processing() -> None:
    """Start the background job that processes received photos."""
    queue.start_job("process_photos")


def account_id_of_project(project_id: int) -> int:
    with reading() as session:
        return session.scalars(select(Project.account_id).where(Project.id == project_id)).one()


def uploads_of(session: Session, animal_id: int) -> Sequence[PhotoUpload]:
    """Return an animal's uploads that are in progress or have failed."""
    pending = or_(UNFINISHED, PhotoUpload.failure != "")
    return session.scalars(
        select(PhotoUpload).where(PhotoUpload.animal_id == animal_id, pending).order_by(PhotoUpload.id)
    ).all()


def upload_of(session: Session, project_id: int, animal_id: int, upload_id: int) -> PhotoUpload:
    """Return an animal's upload, locked. Raises NotFound if the animal has no such upload."""
    find_animal(session, project_id, animal_id)
    wanted = (PhotoUpload.id == upload_id, PhotoUpload.animal_id == animal_id)
    found = session.scalar(select(PhotoUpload).where(*wanted).with_for_update())
    if found is None:
        raise NotFound(
            gettext("This photo is no longer being processed. Reload the page to see your photos.")
        )
    return found


def uploaded_photo(session: Session, upload: PhotoUpload) -> Photo | None:
    """Return the photo made from an upload; None if the photo was removed later."""
    return session.get(Photo, upload.photo_id) if upload.has_become_photo else None


def report_other_description(upload: PhotoUpload, photo: Photo) -> None:
    """Record a failure if the animal already had this photo with another description."""
    if upload.is_repeat:
        is_other = upload.alt and photo.alt and upload.alt != photo.alt
        upload.failure = OTHER_DESCRIPTION.format(photo.alt, upload.alt) if is_other else ""


def describe_upload(
    by: Editor, animal_id: int, upload_id: int, alt: str, now: datetime | None = None
) -> PhotoUpload:
    """Set the description of an uploaded photo, even if the photo is already processed.

    If the animal already had the photo with a description, that description stays. Raises NotFound for an
    unknown upload, and Invalid for an invalid description.
    """
    alt = clean_alt_text(alt)
    with transaction() as session:
        upload = upload_of(session, by.project_id, animal_id, upload_id)
        upload.alt = alt
        if upload.photo_id and (photo := session.get(Photo, upload.photo_id)) is not None:
            report_other_description(upload, photo)
    if upload.photo_id and upload.has_become_photo and (alt or not upload.is_repeat):
        describe_photo(by, animal_id, upload.photo_id, alt, now)
    return upload


def remove_upload(project_id: int, animal_id: int, upload_id: int) -> PhotoUpload:
    """Remove an upload unless its photo already exists. Raises NotFound for an unknown upload."""
    with transaction() as session:
        upload = upload_of(session, project_id, animal_id, upload_id)
        if upload.has_become_photo:
            return upload
        session.delete(upload)
    drop_files([upload.file_key])
    return upload


def drop_files(keys: Iterable[str]) -> None:
    """Delete unreferenced files. The daily sweep retries each file that cannot be deleted now."""
    try:
        the_media_store().drop(keys)
    except (Unavailable, SQLAlchemyError) as error:
        log.warning("the files of uploads were not deleted: %s", cause_of(error))


def forget_uploads(now: datetime | None = None) -> None:
    """Delete uploads that finished more than ``KEPT_FOR`` ago."""
    with transaction() as session:
        before = (now or datetime.now(UTC)) - KEPT_FOR
        session.execute(delete(PhotoUpload).where(PhotoUpload.finished_at < before))
