"""Download of a file's photos, one at a time, after the file's rows are imported."""

import time
from collections import Counter
from contextlib import suppress
from urllib.parse import urlsplit

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from adoption.animals.photo_models import PhotoUpload
from adoption.animals.photo_upload_job import current_upload, process_next
from adoption.animals.photo_uploads import TooManyWaiting, receive_photo, remove_upload
from adoption.clocks import Clock
from adoption.errors import Conflict, FileRefused, Invalid, NotFound, PlanLimit
from adoption.imports.job_lease import (
    Heartbeat,
    ImportClaim,
    Stopped,
    accounts_with_claimable_imports,
    record_progress,
)
from adoption.imports.models import Import, ImportPhoto
from adoption.imports.safe_fetch import FetchContext, NoAnswer, NotFetched, fetch
from adoption.storage.database import reading, transaction
from adoption.translations import message

TURN = 60.0
"""After this number of seconds, waiting imports run before the remaining photos."""
POLLED_EACH = 0.2
"""Seconds between two checks of a photo's state, while other threads process photos."""
SILENT_MOST = 3
"""After this number of failed connections to a server, the server's other photos are skipped."""


def fetch_photos(claim: ImportClaim, heart: Heartbeat, world: FetchContext, now: Clock) -> bool:
    """Download the remaining photos.

    Return False if another import must run before all photos are downloaded.
    """
    begun, silent = time.monotonic(), Counter[str]()
    while (photo := next_photo(claim)) is not None:
        heart.check()
        store_photo_result(claim, photo, now, *download_photo(claim, heart, photo, world, silent, now))
        if time.monotonic() - begun > TURN and accounts_with_claimable_imports(now()):
            requeue_import(claim)
            return False
    return True


def store_photo_result(
    claim: ImportClaim, photo: ImportPhoto, now: Clock, failure: str, photo_id: int | None
) -> None:
    """Record the result for a photo. Raises Lost if the job has lost its claim.

    If the import was cancelled, the result is recorded before Stopped is raised, so that an undo finds the
    photo.
    """
    stopped, at = None, now()
    with transaction() as session:
        values = {"done_at": at, "failure": failure, "photo_id": photo_id}
        session.execute(update(ImportPhoto).where(ImportPhoto.id == photo.id).values(values))
        try:
            record_progress(session, claim, at, photos_done=Import.photos_done + 1)
        except Stopped as why:
            stopped = why
    if stopped is not None:
        raise stopped


def next_photo(claim: ImportClaim) -> ImportPhoto | None:
    with reading() as session:
        return session.scalar(
            select(ImportPhoto)
            .where(ImportPhoto.import_id == claim.import_id, ImportPhoto.done_at.is_(None))
            .order_by(ImportPhoto.id)
            .limit(1)
        )


def download_photo(
    claim: ImportClaim,
    heart: Heartbeat,
    photo: ImportPhoto,
    world: FetchContext,
    silent: "Counter[str]",
    now: Clock,
) -> tuple[str, int | None]:
    """Download a photo and add it to the animal.

    Return an error or "", and the id of the new photo or None.
    """
    if photo.upload_id and (begun := current_upload(photo.upload_id)) is not None:
        return wait_until_processed(claim, begun, heart)  # an earlier job ended before it recorded the result
    host = server_of(photo.address)
    if silent[host] >= SILENT_MOST:
        return message("the server did not respond for several earlier photos"), None
    try:
        upload = queue_downloaded_photo(claim, heart, photo, fetch(photo.address, world), now)
    except NoAnswer as why:
        silent[host] += 1
        return str(why), None
    except NotFetched as why:
        return str(why), None
    except (FileRefused, Conflict, NotFound, PlanLimit) as why:
        return why.sentence, None
    except Invalid:
        return message("this is not a picture that can be shown"), None
    return wait_until_processed(claim, upload, heart)


def queue_downloaded_photo(
    claim: ImportClaim, heart: Heartbeat, photo: ImportPhoto, data: bytes, now: Clock
) -> PhotoUpload:
    """Queue a photo for processing as soon as the account's queue has room.

    Until the queue has room, this thread processes waiting photos of all accounts. Raises the same errors as
    ``receive_photo``.
    """

    def note(session: Session, upload: PhotoUpload) -> None:
        record_progress(session, claim, now())
        of_upload = update(ImportPhoto).where(ImportPhoto.id == photo.id)
        session.execute(of_upload.values(upload_id=upload.id))

    while True:
        try:
            return receive_photo(claim.project_id, photo.animal_id, data, note=note)
        except TooManyWaiting:
            heart.check()
            if not process_next():
                time.sleep(POLLED_EACH)


def wait_until_processed(claim: ImportClaim, upload: PhotoUpload, heart: Heartbeat) -> tuple[str, int | None]:
    """Wait until the photo is processed. Return the same values as ``download_photo``.

    While it waits, this thread processes waiting photos of all accounts.
    """
    while (now := current_upload(upload.id)) is not None and now.finished_at is None:
        try:
            heart.check()
        except Stopped:
            with suppress(NotFound):
                if remove_upload(claim.project_id, upload.animal_id, upload.id).has_become_photo:
                    continue
            raise
        if not process_next():
            time.sleep(POLLED_EACH)
    if now is None:
        return message("the photo was removed before it was ready"), None
    return now.failure, None if now.is_repeat else now.photo_id


def server_of(address: str) -> str:
    """Return the server name and the port of a URL; empty for an invalid URL."""
    try:
        return urlsplit(address).netloc.lower() if address.isprintable() else ""
    except ValueError:
        return ""


def requeue_import(claim: ImportClaim) -> None:
    with transaction() as session:
        values = {"state": "waiting", "claim": "", "attempts": 0}
        session.execute(update(Import).where(claim.mine).values(values))
