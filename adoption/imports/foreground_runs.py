"""Imports and undos that commands run in their own process.

Such an import is recorded like an upload, so staff see it in the list and can undo it. Its file is not
stored.
"""

import json
import secrets
from collections.abc import Callable, Sequence
from typing import IO

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.audit.actors import OPERATOR
from adoption.clocks import utc_now
from adoption.errors import Conflict, Refusal
from adoption.imports.daily_limit import refuse_extra_import
from adoption.imports.import_job import FAULT, RowCallbacks, import_outcome
from adoption.imports.job_lease import Heartbeat, ImportClaim, end_import, load_claim
from adoption.imports.models import Import
from adoption.imports.queries import lock_import
from adoption.imports.undo import UndoCounts, claim_undo
from adoption.imports.undo_job import run_undo
from adoption.imports.uploads import plain_name
from adoption.projects.queries import find_project_by_slug
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.import_result import ImportResult
from adoption.spreadsheets.importer import import_animals
from adoption.spreadsheets.upsert import UpsertResult
from adoption.storage.database import reading, transaction

Progress = Callable[[int, int], None]
BUSY = "Another import of this project is running. Wait until it is done, or stop it on its page."


class RowsWithProgress(RowCallbacks):
    """Row callbacks that also update a progress bar in the terminal."""

    def __init__(self, claim: ImportClaim, heart: Heartbeat, progress: Progress) -> None:
        super().__init__(claim, heart, utc_now)
        self.progress = progress

    def writing(self, session: Session | None, written: Sequence[UpsertResult], rows: int, of: int) -> None:
        super().writing(session, written, rows, of)
        self.progress(rows, of)


def import_now(
    slug: str, file: IO[bytes], name: str, chosen: ImportOptions, progress: Progress
) -> tuple[int, ImportResult]:
    """Import a file. Return the import's id and result.

    Raises Conflict if another import of the project is running. Also raises the exceptions of
    ``import_animals``.
    """
    claim = begin_import(slug, name, chosen)
    try:
        with Heartbeat(claim, utc_now) as heart:
            result = import_animals(slug, file, chosen, callbacks=RowsWithProgress(claim, heart, progress))
    except BaseException as why:
        abandon(claim, why.sentence if isinstance(why, Refusal) else FAULT)
        raise
    with transaction() as session:
        each = lock_import(session, claim.project_id, claim.import_id)
        each.result, each.rows_done = json.dumps(import_outcome(result, claim)), result.rows
    end_import(claim, "done", utc_now)
    return claim.import_id, result


def abandon(claim: ImportClaim, failure: str) -> None:
    """End a failed import. If the import has saved nothing, delete its record."""
    with transaction() as session:
        each = lock_import(session, claim.project_id, claim.import_id)
        if not each.created and not each.updated:
            session.delete(each)
            return
    end_import(claim, "failed", utc_now, failure)


def begin_import(slug: str, name: str, chosen: ImportOptions) -> ImportClaim:
    now, token = utc_now(), secrets.token_hex(16)
    with reading() as session:
        project_id = find_project_by_slug(session, slug).id
    made = Import(
        project_id=project_id,
        file_name=plain_name(name),
        file_key="",
        state="running",
        dry_run=False,
        options=chosen.to_json(),
        claim=token,
        beat_at=now,
        attempts=1,
        created_at=now,
    )
    try:
        with transaction() as session:
            refuse_extra_import(session, project_id, now)
            session.add(made)
            session.flush()
            return load_claim(session, made.id, token)
    except IntegrityError as error:
        raise Conflict(BUSY) from error


def undo_now(slug: str, import_id: int, progress: Progress) -> UndoCounts:
    """Undo an import in this process.

    Raises NotFound if the project has no such import, and Conflict if the import cannot be undone.
    """
    with reading() as session:
        project_id = find_project_by_slug(session, slug).id
    claim_undo(project_id, import_id, OPERATOR)
    token = secrets.token_hex(16)
    try:
        with transaction() as session:
            each = lock_import(session, project_id, import_id)
            each.state, each.claim, each.beat_at = "running", token, utc_now()
            session.flush()
            claim = load_claim(session, import_id, token)
    except IntegrityError as error:
        raise Conflict(f"{BUSY} The undo then starts automatically.") from error
    with Heartbeat(claim, utc_now) as heart:
        run_undo(claim, heart, utc_now, progress)
    with reading() as session:
        return UndoCounts(**json.loads(session.get_one(Import, import_id).undone or "{}"))
