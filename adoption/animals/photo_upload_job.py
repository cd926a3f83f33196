"""Background processing of uploaded photos.

Each process handles one photo at a time, and accounts take turns.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, exists, or_, select, update
from sqlalchemy.orm import Session, aliased

from adoption.account_round_robin import AccountRoundRobin
from adoption.accounts.account_row_lock import lock_account
from adoption.accounts.models import User
from adoption.animals.animal_audit import Editor
from adoption.animals.image_encoding import Picture
from adoption.animals.image_subprocess import ProcessLost, develop_in_subprocess
from adoption.animals.models import Animal
from adoption.animals.photo_models import PhotoUpload
from adoption.animals.photo_storage import stored_files
from adoption.animals.photo_uploads import drop_files, report_other_description
from adoption.animals.photos import add_stored_photo, find_animal
from adoption.audit.actors import Actor
from adoption.clocks import Clock, utc_now
from adoption.errors import Refusal, Unavailable
from adoption.storage.database import is_unavailable, reading, transaction
from adoption.storage.media_store import the_media_store
from adoption.storage.queue import STOPPING

log = logging.getLogger("homeward.photos")

Develop = Callable[[bytes], Picture]

STALE_AFTER = timedelta(minutes=5)
"""Age after which a claim has expired, because its worker has stopped. One photo takes 3 minutes at most."""
ATTEMPTS_MOST = 3
GIVEN_UP = "This photo could not be processed. Save it as JPEG, then choose the JPEG."
LOST_FILE = "The file was lost on our side. Add the photo again."

AT_WORK = threading.Lock()
TURNS = AccountRoundRobin()


class ClaimedUpload(NamedTuple):
    """An upload that this worker has claimed."""

    upload_id: int
    animal_id: int
    project_id: int
    file_key: str
    attempts: int


def process_waiting(develop: Develop = develop_in_subprocess, now: Clock = utc_now) -> None:
    """Process all waiting photos. Raises Unavailable if a service fails, and database errors."""
    # Check again after each photo. A job that starts while a photo is being processed leaves its work to this
    # loop.
    while not STOPPING.is_set() and accounts_with_uploads(now()) and process_next(develop, now):
        continue


def process_next(develop: Develop = develop_in_subprocess, now: Clock = utc_now) -> bool:
    """Process the next photo of the next account.

    Return False if no photo is waiting or if another thread is processing a photo.
    """
    if not AT_WORK.acquire(blocking=False):
        return False
    try:
        work = claim_next_upload(now())
        if work is not None:
            process_upload(work, develop, now)
        return work is not None
    finally:
        AT_WORK.release()


def is_upload_waiting(now: datetime) -> ColumnElement[bool]:
    unclaimed = or_(PhotoUpload.claimed_at.is_(None), PhotoUpload.claimed_at < now - STALE_AFTER)
    return and_(PhotoUpload.finished_at.is_(None), unclaimed)


def accounts_with_uploads(now: datetime) -> list[int]:
    """Return the accounts that have waiting photos and no photo in progress."""
    other = aliased(PhotoUpload)
    busy = exists().where(
        other.account_id == PhotoUpload.account_id,
        other.finished_at.is_(None),
        other.claimed_at >= now - STALE_AFTER,
    )
    with reading() as session:
        return list(
            session.scalars(select(PhotoUpload.account_id).where(is_upload_waiting(now), ~busy).distinct())
        )


def claim_next_upload(now: datetime) -> ClaimedUpload | None:
    """Claim the oldest photo of the account whose turn it is."""
    return TURNS.claim_next(
        accounts_with_uploads(now), lambda session, account_id: claim_upload(session, account_id, now)
    )


def claim_upload(session: Session, account_id: int, now: datetime) -> ClaimedUpload | None:
    """Claim an account's oldest photo, unless another worker is processing one of the account's photos."""
    lock_account(session, account_id)
    first = (
        select(PhotoUpload, Animal.project_id)
        .join(Animal, Animal.id == PhotoUpload.animal_id)
        .where(PhotoUpload.account_id == account_id, PhotoUpload.finished_at.is_(None))
        .order_by(PhotoUpload.claimed_at.is_(None), PhotoUpload.id)
        .limit(1)
        # Wait for staff who are removing the photo or its animal.
        .with_for_update(of=PhotoUpload)
    )
    found = session.execute(first).one_or_none()
    if found is None:
        return None
    upload, project_id = found
    if upload.claimed_at is not None and upload.claimed_at >= now - STALE_AFTER:
        return None
    upload.claimed_at, upload.attempts = now, upload.attempts + 1
    return ClaimedUpload(upload.id, upload.animal_id, project_id, upload.file_key, upload.attempts)


def process_upload(work: ClaimedUpload, develop: Develop, now: Clock) -> None:
    """Process a photo and record the result.

    Raises Unavailable and temporary database errors. After any other error, the photo is retried at once, so
    that it does not block the next photos.
    """
    try:
        add_uploaded_photo(work, develop, now)
    except Unavailable:
        release_upload(work, work.attempts - 1)
        raise
    except Refusal as refusal:
        # If another worker has claimed the photo meanwhile, the other worker needs the file.
        if not record_failure(work, now(), failure=refusal.sentence):
            return
    except Exception as error:
        if is_unavailable(error):
            release_upload(work, work.attempts - 1)
            raise
        is_fault = not isinstance(error, ProcessLost)
        log.warning("photo %s is tried again: %s", work.upload_id, error, exc_info=is_fault)
        release_upload(work, work.attempts)
        return
    drop_files([work.file_key])


def add_uploaded_photo(work: ClaimedUpload, develop: Develop, now: Clock) -> None:
    """Create the photo of an upload.

    Raises Refusal with the reason if the photo cannot be added, and ProcessLost if the subprocess ends
    without a result.
    """
    if work.attempts > ATTEMPTS_MOST:
        raise Refusal(GIVEN_UP)
    data = the_media_store().read(work.file_key)
    if data is None:
        raise Refusal(LOST_FILE)
    picture = develop(data)
    with stored_files(picture), transaction() as session:
        find_animal(session, work.project_id, work.animal_id)
        upload = session.get(PhotoUpload, work.upload_id)
        if upload is None or upload.finished_at is not None:
            raise Refusal("The photo was removed meanwhile.")
        by = editor_of(session, upload, work.project_id)
        at = now()
        photo, upload.is_repeat = add_stored_photo(
            session, work.project_id, work.animal_id, picture, upload.alt, at, by
        )
        upload.photo_id, upload.finished_at = photo.id, at
        report_other_description(upload, photo)


def editor_of(session: Session, upload: PhotoUpload, project_id: int) -> Editor | None:
    """Return the user who sent a photo, for the audit log; None if an import downloaded the photo."""
    user = session.get(User, upload.user_id) if upload.user_id else None
    return Editor(Actor(user.id, user.email), upload.account_id, project_id) if user else None


def is_claimed_by(work: ClaimedUpload) -> ColumnElement[bool]:
    """Return the condition that this worker still has the claim on the upload."""
    mine = and_(PhotoUpload.id == work.upload_id, PhotoUpload.attempts == work.attempts)
    return and_(mine, PhotoUpload.finished_at.is_(None))


def record_failure(work: ClaimedUpload, now: datetime, failure: str) -> bool:
    """Record why the photo was not added. Return whether this worker still had the claim."""
    with transaction() as session:
        ending = update(PhotoUpload).where(is_claimed_by(work)).values(finished_at=now, failure=failure)
        return bool(session.execute(ending).rowcount)  # type: ignore[attr-defined]


def release_upload(work: ClaimedUpload, attempts: int) -> None:
    """Release the claim, so that the photo can be claimed again."""
    with transaction() as session:
        session.execute(
            update(PhotoUpload).where(is_claimed_by(work)).values(claimed_at=None, attempts=attempts)
        )


def current_upload(upload_id: int) -> PhotoUpload | None:
    """Return an upload in its current state; None if the upload was removed."""
    with reading() as session:
        return session.get(PhotoUpload, upload_id)
