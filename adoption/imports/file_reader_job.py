"""Background reading of uploaded spreadsheets.

Each account has one file read at a time, and accounts take turns.
"""

import dataclasses
import json
import logging
import secrets
import threading
from collections.abc import Mapping
from datetime import datetime
from typing import IO, Any

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from adoption.account_round_robin import AccountRoundRobin
from adoption.accounts.account_row_lock import lock_account
from adoption.clocks import Clock, utc_now
from adoption.errors import FileRefused, Invalid, Refusal, Unavailable
from adoption.imports import file_storage
from adoption.imports.import_audit import as_staff
from adoption.imports.job_lease import Heartbeat, ImportClaim, accounts_waiting, load_claim
from adoption.imports.models import NOT_READ, Import
from adoption.imports.queries import STALE_AFTER
from adoption.imports.remembered_choices import preview_remembered
from adoption.imports.start_and_cancel import queue_run
from adoption.projects.models import Project
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.preview import FilePreview, preview_file
from adoption.storage import queue
from adoption.storage.database import is_unavailable, reading, transaction
from adoption.translations import message
from serving.malloc_and_garbage_collection import free_memory

log = logging.getLogger("homeward.imports")

ATTEMPTS_MOST = 3
GIVEN_UP = message("The file could not be read. Save it as CSV, then upload the CSV file.")
FAULT = message(
    "The file could not be read because of a fault on our side, which has been logged. Upload the file again."
)
PLACES = 2
"""Number of files that a process reads at the same time. The largest file takes most of a minute."""

AT_WORK = threading.BoundedSemaphore(PLACES)
TURNS = AccountRoundRobin()


def read_waiting(now: Clock = utc_now) -> None:
    """Read all waiting files. Raises Unavailable if the media store fails. Also raises database errors."""
    # Check again after each file: a job that started in the meantime found no free place and ended.
    while not queue.STOPPING.is_set() and accounts_with_files(now()) and AT_WORK.acquire(blocking=False):
        try:
            if (claim := claim_next_file(now())) is None:
                return
            read_claimed_file(claim, now)
        finally:
            AT_WORK.release()
            free_memory()


def is_file_waiting(now: datetime) -> ColumnElement[bool]:
    return and_(Import.state == "reading", or_(Import.beat_at.is_(None), Import.beat_at < now - STALE_AFTER))


def accounts_with_files(now: datetime) -> list[int]:
    """Return the ids of accounts that have a waiting file, and whose other files are not being read."""
    with reading() as session:
        return list(session.scalars(accounts_waiting(is_file_waiting(now), "reading", now)))


def claim_next_file(now: datetime) -> ImportClaim | None:
    """Claim the oldest waiting file of the account whose turn it is."""
    return TURNS.claim_next(
        accounts_with_files(now), lambda session, account_id: claim_oldest_file(session, account_id, now)
    )


def claim_oldest_file(session: Session, account_id: int, now: datetime) -> ImportClaim | None:
    """Claim an account's oldest file, unless another worker is reading one of the account's files."""
    lock_account(session, account_id)
    of_account = select(Import).join(Project, Project.id == Import.project_id)
    first = session.scalar(
        of_account.where(Project.account_id == account_id, Import.state == "reading")
        .order_by(Import.beat_at.is_(None), Import.id)
        .limit(1)
        # Wait for a user who is changing the choices at this moment. The claim must have the new choices.
        .with_for_update(of=Import)
    )
    if first is None or (first.beat_at is not None and first.beat_at >= now - STALE_AFTER):
        return None
    first.claim, first.beat_at, first.attempts = secrets.token_hex(16), now, first.attempts + 1
    session.flush()
    return load_claim(session, first.id, first.claim)


def read_claimed_file(claim: ImportClaim, now: Clock) -> None:
    """Read a file and store its preview."""
    if claim.attempts > ATTEMPTS_MOST:
        fail_file(claim, GIVEN_UP, now)
        return
    try:
        with Heartbeat(claim, now), file_storage.open_import_file(claim.file_key) as file:
            look, options = preview_claimed_file(claim, file, now())
        store_preview(claim, look, options, now())
    except Unavailable:
        release_file(claim)
        raise
    except Refusal as refusal:
        fail_file(claim, refusal.sentence, now)
    except Exception as error:
        if is_unavailable(error):
            release_file(claim)
            raise
        log.exception("the file of import %s could not be read", claim.import_id)
        fail_file(claim, FAULT, now)


def preview_claimed_file(
    claim: ImportClaim, file: IO[bytes], now: datetime
) -> tuple[dict[str, Any], ImportOptions]:
    """Return the preview to store, and the choices with which the preview was made.

    Raises FileRefused if the file cannot be read at all.
    """
    with reading() as session:
        earlier = session.scalars(select(Import.look).where(Import.id == claim.import_id)).one()
    if earlier == NOT_READ:
        return preview_new_file(claim.project_id, file, now)
    before, chosen = json.loads(earlier), claim.options
    try:
        look = preview_file(claim.project_id, file, chosen, now)
    except Invalid as refusal:
        return before | {"errors": refusal.violations}, chosen
    except FileRefused as refusal:
        return before | {"errors": [("columns", refusal.sentence)]}, chosen
    guess = before.get("guess", {}) if chosen.columns else choices_in(look)
    checked = {"checked": before["checked"]} if "checked" in before and chosen.columns else {}
    return preview_to_store(look, guess, before.get("is_remembered", False)) | checked, chosen


def preview_new_file(project_id: int, file: IO[bytes], now: datetime) -> tuple[dict[str, Any], ImportOptions]:
    look = preview_file(project_id, file, now=now)
    guess = choices_in(look)
    remembered = preview_remembered(project_id, file, look, now)
    look, chosen = remembered or (look, ImportOptions(columns=guess, photos=True))
    return preview_to_store(look, guess, remembered is not None), chosen


def preview_to_store(look: FilePreview, guess: Mapping[int, str], is_remembered: bool) -> dict[str, Any]:
    """Return a preview in its stored form.

    ``guess`` is each column's recognised meaning, without any choices.
    """
    return dataclasses.asdict(look) | {"guess": guess, "is_remembered": is_remembered}


def choices_in(look: FilePreview) -> dict[int, str]:
    return {column["place"]: column["choice"] for column in look.columns}


def lock_claimed(session: Session, claim: ImportClaim) -> Import | None:
    """Lock and return the import; None if the claim is no longer valid.

    A change of the choices, or a claim by another worker, makes the claim invalid.
    """
    return session.scalar(select(Import).where(claim.mine).with_for_update())


def store_preview(claim: ImportClaim, look: dict[str, Any], options: ImportOptions, now: datetime) -> None:
    with transaction() as session:
        if (each := lock_claimed(session, claim)) is None:
            return
        stored_photos = each.options == NOT_READ or json.loads(each.options).get("photos", False)
        each.look = json.dumps(look)
        each.options = dataclasses.replace(options, photos=stored_photos).to_json()
        each.state, each.claim, each.beat_at, each.attempts = "uploaded", "", None, 0
        wanted, each.run_next = each.run_next, ""
        if not wanted:
            return
        try:
            queue_run(session, each, wanted == "try", as_staff(session, each), now)
        except Invalid as refusal:
            each.look = json.dumps(look | {"errors": refusal.violations})
            return
    queue.start_job("run_imports")


def release_file(claim: ImportClaim) -> None:
    """Release the claim, and do not count the attempt."""
    with transaction() as session:
        if (each := lock_claimed(session, claim)) is not None:
            each.claim, each.beat_at, each.attempts = "", None, claim.attempts - 1


def fail_file(claim: ImportClaim, sentence: str, now: Clock) -> None:
    """Record why a file cannot be read, and delete the file."""
    with transaction() as session:
        if (each := lock_claimed(session, claim)) is None:
            return
        each.state, each.failure, each.finished_at = "failed", sentence, now()
        each.claim = each.file_key = each.run_next = ""
    file_storage.drop_unreferenced([claim.file_key])
