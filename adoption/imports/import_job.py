"""Background import of spreadsheets. A process runs one import or undo at a time."""

import dataclasses
import json
import logging
import threading
from collections.abc import Sequence
from typing import Any

from sqlalchemy import insert, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from adoption.clocks import Clock, utc_now
from adoption.errors import Refusal, Unavailable
from adoption.imports import file_storage
from adoption.imports.dry_run_questions import find_questions
from adoption.imports.job_lease import (
    Heartbeat,
    ImportClaim,
    Lost,
    Stopped,
    accounts_with_claimable_imports,
    claim_next_import,
    end_import,
    record_progress,
)
from adoption.imports.models import Import, ImportPhoto
from adoption.imports.photo_download import fetch_photos
from adoption.imports.row_reports import notes_csv, rejected_rows
from adoption.imports.safe_fetch import WORLD, FetchContext
from adoption.imports.undo_job import run_undo
from adoption.imports.undo_records import record_changes
from adoption.spreadsheets.import_result import ImportResult
from adoption.spreadsheets.importer import ImportCallbacks, import_animals
from adoption.spreadsheets.parse_option_inference import DateOrderUnsure
from adoption.spreadsheets.row_notes import RowNote, group_notes
from adoption.spreadsheets.upsert import UpsertResult
from adoption.storage.database import cause_of, is_unavailable, transaction
from adoption.translations import message
from serving.malloc_and_garbage_collection import free_memory

log = logging.getLogger("homeward.imports")

ATTEMPTS_MOST = 4
SHOWN_MOST = 100
"""Limit of notes on rows that the page shows. The downloadable reports contain all notes."""
FAULT = message(
    "The import failed because of a fault on our side, which has been logged. Start "
    "the import again: no animal is added twice."
)
TOO_OFTEN = message(
    "The import was interrupted several times, so it was stopped. Start it again, or split the file."
)

AT_WORK = threading.Lock()


def run_waiting(world: FetchContext = WORLD, now: Clock = utc_now) -> None:
    """Run all waiting imports and undos, including imports whose job has died."""
    # Check again after each import: a job that started during the import has done nothing.
    while accounts_with_claimable_imports(now()) and AT_WORK.acquire(blocking=False):
        try:
            if (claim := claim_next_import(now)) is None:
                return
            run_claimed_import(claim, world, now)
        finally:
            AT_WORK.release()
            free_memory()


def run_claimed_import(claim: ImportClaim, world: FetchContext, now: Clock) -> None:
    """Run the remaining steps of an import or undo, and record how it ended."""
    if claim.attempts > ATTEMPTS_MOST:
        end_import(claim, "failed", now, TOO_OFTEN)
        return
    try:
        with Heartbeat(claim, now) as heart:
            if claim.undoing:
                run_undo(claim, heart, now)
                return
            if not claim.rows_are_done:
                import_claimed_rows(claim, heart, now)
            if not fetch_photos(claim, heart, world, now):
                return
        end_import(claim, "done", now)
    except Stopped:
        end_import(claim, "cancelled", now)
    except Lost:
        log.warning("import %s: another job has taken it up", claim.import_id)
    except DateOrderUnsure as why:
        sentence = (
            f'The dates in the column "{why.header}", such as "{why.example}", can be read '
            "with the day or the month first."
        )
        end_import(claim, "failed", now, f"{sentence} Change the columns and choose the order.")
    except (Unavailable, SQLAlchemyError) as error:
        put_off(claim, error)
    except Refusal as why:
        end_import(claim, "failed", now, why.sentence)
    except Exception as error:
        if is_unavailable(error):  # the disk is full: rows are stored in a temporary file
            put_off(claim, error)
            return
        log.exception("import %s failed", claim.import_id)
        end_import(claim, "failed", now, FAULT)


def put_off(claim: ImportClaim, error: Exception) -> None:
    """Leave the import unchanged. Without further heartbeats, another job takes over the import."""
    log.warning("import %s is put off: %s", claim.import_id, cause_of(error))


class RowCallbacks(ImportCallbacks):
    """Callbacks that save progress, changes and photo URLs while rows are imported."""

    def __init__(self, claim: ImportClaim, heart: Heartbeat, now: Clock) -> None:
        self.claim, self.heart, self.now = claim, heart, now

    def parsing(self, rows: int, of: int) -> None:
        self.heart.check()
        if rows == 0:
            with transaction() as session:
                record_progress(session, self.claim, self.now(), rows_done=0, rows_total=of)

    def writing(self, session: Session | None, written: Sequence[UpsertResult], rows: int, of: int) -> None:
        outcomes = [each.outcome for each in written]
        values = {
            "rows_done": rows,
            "created": Import.created + outcomes.count("created"),
            "updated": Import.updated + outcomes.count("updated"),
        }
        if session is None:
            with transaction() as apart:
                record_progress(apart, self.claim, self.now(), **values)
        else:
            record_progress(session, self.claim, self.now(), **values)
            queue_photos(session, self.claim.import_id, written)
            record_changes(session, self.claim.import_id, written)


def queue_photos(session: Session, import_id: int, written: Sequence[UpsertResult]) -> None:
    """Queue the photos to download, except photos that the animal already got from the same URL."""
    named = [each for each in written if each.animal_id and each.parsed.photos]
    if not named:
        return
    known = session.execute(
        select(ImportPhoto.animal_id, ImportPhoto.address).where(
            ImportPhoto.animal_id.in_([each.animal_id for each in named]),
            or_(ImportPhoto.import_id == import_id, ImportPhoto.done_at.is_not(None)),
            ImportPhoto.failure == "",
        )
    )
    seen = {(animal_id, address) for animal_id, address in known}
    rows = []
    for each in named:
        for header, address in each.parsed.photos:
            if (each.animal_id, address) not in seen:
                seen.add((each.animal_id, address))  # type: ignore[arg-type]
                source = {"row": each.parsed.row, "header": header[:300], "address": address, "failure": ""}
                rows.append({"import_id": import_id, "animal_id": each.animal_id, **source})
    if rows:
        session.execute(insert(ImportPhoto), rows)


def import_claimed_rows(claim: ImportClaim, heart: Heartbeat, now: Clock) -> None:
    """Import the file's rows, or only check the rows in a dry run. Store the reports."""
    with file_storage.open_import_file(claim.file_key) as file:
        result = import_animals(
            claim.slug,
            file,
            dataclasses.replace(claim.options, photos=claim.options.photos and not claim.dry_run),
            dry_run=claim.dry_run,
            callbacks=RowCallbacks(claim, heart, now),
            now=now(),
        )
        rejected = rejected_rows(file, claim.options, result.refused)
    reports = file_storage.reports_of(claim.file_key)
    file_storage.store_import_file(reports["refused"], rejected)
    file_storage.store_import_file(reports["warnings"], notes_csv(result.warnings))
    with transaction() as session:
        photos = session.query(ImportPhoto).filter(
            ImportPhoto.import_id == claim.import_id, ImportPhoto.done_at.is_(None)
        )
        outcome = json.dumps(import_outcome(result, claim))
        if claim.dry_run:
            look = json.loads(session.get_one(Import, claim.import_id).look)
            checked = find_questions(result, look, claim.options)
            session.get_one(Import, claim.import_id).look = json.dumps(look | {"checked": checked})
            session.flush()
        record_progress(
            session, claim, now(), result=outcome, rows_done=result.rows, photos_total=photos.count()
        )


def first_notes(notes: Sequence[RowNote]) -> list[dict[str, Any]]:
    return [each.as_json() for each in group_notes(notes)[:SHOWN_MOST]]


def import_outcome(result: ImportResult, claim: ImportClaim) -> dict[str, Any]:
    """Return the result to store.

    If an earlier job saved some rows of this import, ``result`` counts these rows as unchanged. The stored
    result counts these rows as created or updated.
    """
    earlier = claim.created + claim.updated
    return result.as_json() | {
        "created": result.created + claim.created,
        "updated": result.updated + claim.updated,
        "unchanged": result.unchanged - earlier,
        "unlisted": result.unlisted,
        "refused": first_notes(result.refused),
        "refused_count": len(result.refused),
        "warnings": first_notes(result.warnings),
        "warnings_count": len(result.warnings),
    }
