"""The pictures that a file names, fetched one by one after its rows are in."""

import time
from collections import Counter
from contextlib import suppress
from urllib.parse import urlsplit

from sqlalchemy import select, update

from adoption.animals.models import PhotoUpload
from adoption.animals.photo_processing import current_upload, process_next
from adoption.animals.photo_uploads import receive_photo, remove_upload
from adoption.errors import Conflict, FileRefused, Invalid, NotFound, PlanLimit
from adoption.imports.job_lease import Clock, Heartbeat, ImportClaim, Lost, Stopped, claimable, go_on
from adoption.imports.models import Import, ImportPhoto
from adoption.imports.safe_fetch import FetchContext, NoAnswer, NotFetched, fetch
from adoption.storage.database import reading, transaction

TURN = 60.0
"""Seconds after which other imports that wait have their turn."""
POLLED_EACH = 0.2
"""Seconds between two checks of whether a photo is processed, while other threads process photos."""
SILENT_MOST = 3
"""Times that a server may not answer, before no other picture of this turn is asked of it."""


def fetch_photos(claim: ImportClaim, heart: Heartbeat, world: FetchContext, now: Clock) -> bool:
    """Fetch what is left to be fetched; False where others go first, and the rest waits."""
    begun, silent = time.monotonic(), Counter[str]()
    while (photo := next_photo(claim)) is not None:
        heart.check()
        failure, photo_id = fetched(claim, heart, photo, world, silent)
        with transaction() as session:
            values = {"done_at": now(), "failure": failure, "photo_id": photo_id}
            session.execute(update(ImportPhoto).where(ImportPhoto.id == photo.id).values(values))
            go_on(session, claim, now(), photos_done=Import.photos_done + 1)
        if time.monotonic() - begun > TURN and claimable(now()):
            give_way(claim)
            return False
    return True


def next_photo(claim: ImportClaim) -> ImportPhoto | None:
    with reading() as session:
        return session.scalar(
            select(ImportPhoto)
            .where(ImportPhoto.import_id == claim.import_id, ImportPhoto.done_at.is_(None))
            .order_by(ImportPhoto.id)
            .limit(1)
        )


def fetched(
    claim: ImportClaim, heart: Heartbeat, photo: ImportPhoto, world: FetchContext, silent: "Counter[str]"
) -> tuple[str, int | None]:
    """Add the picture to the animal. Return the reason if that failed, else "", and the id of a new photo."""
    host = server_of(photo.address)
    if silent[host] >= SILENT_MOST:
        return "the server did not respond for several earlier photos", None
    try:
        upload = receive_photo(claim.project_id, photo.animal_id, fetch(photo.address, world))
    except NoAnswer as why:
        silent[host] += 1
        return str(why), None
    except NotFetched as why:
        return str(why), None
    except (FileRefused, Conflict, NotFound, PlanLimit) as why:
        return why.sentence, None
    except Invalid:
        return "this is not a picture that can be shown", None
    return processed(claim, upload, heart)


def processed(claim: ImportClaim, upload: PhotoUpload, heart: Heartbeat) -> tuple[str, int | None]:
    """Wait until the photo's turn has come and gone; return as ``fetched`` does.

    This thread works on the waiting photos meanwhile, whoever sent them.
    """
    while (now := current_upload(upload.id)) is not None and now.finished_at is None:
        try:
            heart.check()
        except (Stopped, Lost):
            with suppress(NotFound):
                remove_upload(claim.project_id, upload.animal_id, upload.id)
            raise
        if not process_next():
            time.sleep(POLLED_EACH)
    if now is None:
        return "the photo was removed before it was ready", None
    return now.failure, None if now.is_repeat else now.photo_id


def server_of(address: str) -> str:
    """The server whose silence is counted; empty where the address names none that could be asked."""
    try:
        return urlsplit(address).netloc.lower() if address.isprintable() else ""
    except ValueError:
        return ""


def give_way(claim: ImportClaim) -> None:
    with transaction() as session:
        values = {"state": "waiting", "claim": "", "attempts": 0}
        session.execute(update(Import).where(claim.mine).values(values))
