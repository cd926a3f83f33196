"""Leases of jobs on imports, kept by heartbeats. Each account has one running import at a time.

A job saves each step together with its progress, in one transaction. If a process is killed, another job
parses the file from the start. The rows that the first job wrote are then unchanged. If a job was only slow
but counted as dead, the slow job cannot save anything more.
"""

import json
import logging
import secrets
import threading
from contextvars import copy_context
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple

from flask import current_app
from sqlalchemy import ColumnElement, Select, and_, exists, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, aliased

from adoption.account_round_robin import AccountRoundRobin
from adoption.accounts.account_row_lock import lock_account
from adoption.clocks import Clock
from adoption.errors import Refusal
from adoption.imports.import_audit import as_staff, audit_import
from adoption.imports.models import Import
from adoption.imports.queries import STALE_AFTER, options_of
from adoption.imports.undo import UndoCounts
from adoption.projects.models import Project
from adoption.spreadsheets.import_options import ImportOptions
from adoption.storage.database import cause_of, reading, transaction

log = logging.getLogger("homeward.imports")

BEATS_EACH = 5.0
"""Seconds from one heartbeat to the next."""

TURNS = AccountRoundRobin()


class Stopped(Exception):
    """A user has cancelled the import."""


class Lost(Exception):
    """Another job has claimed the import, or the import was deleted."""


class ImportClaim(NamedTuple):
    """A job's claim on an import, with the data that the job needs."""

    import_id: int
    token: str
    project_id: int
    slug: str
    file_key: str
    dry_run: bool
    options: ImportOptions
    created: int
    updated: int
    """Number of animals that earlier jobs updated. ``created`` is the number that they created."""
    rows_are_done: bool
    undoing: bool
    attempts: int
    """Number of jobs that have claimed the import, including this job."""

    @property
    def mine(self) -> ColumnElement[bool]:
        return and_(Import.id == self.import_id, Import.claim == self.token)


def accounts_with_claimable_imports(now: datetime) -> list[int]:
    """Return the ids of accounts that have a waiting import and no running import."""
    with reading() as session:
        return list(session.scalars(accounts_waiting(claimable_clause(now), "running", now)))


def accounts_waiting(is_waiting: ColumnElement[bool], busy_state: str, now: datetime) -> Select[Any]:
    """Return a query for the ids of accounts with a waiting import and no living job in ``busy_state``."""
    other, theirs = aliased(Import), aliased(Project)
    busy = exists().where(
        other.state == busy_state,
        other.beat_at >= now - STALE_AFTER,
        theirs.id == other.project_id,
        theirs.account_id == Project.account_id,
    )
    waiting = select(Project.account_id).join(Import, Import.project_id == Project.id)
    return waiting.where(is_waiting, ~busy).distinct()


def claimable_clause(now: datetime) -> ColumnElement[bool]:
    dead = and_(Import.state == "running", Import.beat_at < now - STALE_AFTER)
    return or_(Import.state == "waiting", dead)


def claim_next_import(now: Clock) -> ImportClaim | None:
    """Claim a waiting import, or an import whose job is dead. Return None if there is no such import.

    If two jobs try to claim the same import, one succeeds. Accounts take turns, so that no account waits for
    all imports of another account.
    """
    return TURNS.claim_next(
        accounts_with_claimable_imports(now()),
        lambda session, account_id: claim_import_of_account(session, account_id, now()),
    )


def claim_import_of_account(session: Session, account_id: int, now: datetime) -> ImportClaim | None:
    """Claim the account's longest waiting import, unless another import of the account is running."""
    lock_account(session, account_id)
    if (
        session.scalar(
            accounts_waiting(claimable_clause(now), "running", now).where(Project.account_id == account_id)
        )
        is None
    ):
        return None
    import_id = session.scalar(
        select(Import.id)
        .join(Project, Project.id == Import.project_id)
        .where(Project.account_id == account_id, claimable_clause(now))
        .order_by(Import.beat_at.is_not(None), Import.beat_at, Import.id)
        .limit(1)
    )
    token = secrets.token_hex(16)
    values = {"state": "running", "claim": token, "beat_at": now, "attempts": Import.attempts + 1}
    claiming = update(Import).where(Import.id == import_id, claimable_clause(now))
    if import_id is None or not session.execute(claiming.values(values)).rowcount:  # type: ignore[attr-defined]
        return None
    return load_claim(session, import_id, token)


def load_claim(session: Session, import_id: int, token: str) -> ImportClaim:
    each = session.get_one(Import, import_id)
    if each.dry_run and not each.result:
        each.created = each.updated = 0  # an interrupted dry run has saved nothing
    slug = session.scalars(select(Project.slug).where(Project.id == each.project_id)).one()
    options = options_of(each)
    started = (each.created, each.updated, bool(each.result), each.undo_asked_at is not None, each.attempts)
    return ImportClaim(
        import_id, token, each.project_id, slug, each.file_key, each.dry_run, options, *started
    )


class Heartbeat:
    """A thread that records a job's heartbeats and checks whether the job must stop."""

    def __init__(self, claim: ImportClaim, now: Clock) -> None:
        self.claim, self.now = claim, now
        self.over = threading.Event()
        self.stopped = self.lost = False
        self.thread = threading.Thread(target=copy_context().run, args=(self.run,), daemon=True)

    def __enter__(self) -> "Heartbeat":
        self.thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.over.set()
        self.thread.join()

    def run(self) -> None:
        while not self.over.wait(BEATS_EACH):
            try:
                with current_app.app_context():
                    self.beat()
            except (Refusal, SQLAlchemyError) as error:
                log.warning("import %s: the lease was not renewed: %s", self.claim.import_id, cause_of(error))

    def beat(self) -> None:
        with transaction() as session:
            change = update(Import).where(self.claim.mine).values(beat_at=self.now())
            row = session.execute(change.returning(Import.cancelled_at)).first()
        self.lost = row is None
        self.stopped = row is not None and row[0] is not None

    def check(self) -> None:
        """Raise Lost if the job has lost its claim, or Stopped if the import was cancelled."""
        if self.lost:
            raise Lost
        if self.stopped:
            raise Stopped


def record_progress(session: Session, claim: ImportClaim, now: datetime, **values: Any) -> None:
    """Record progress in the transaction that saves a step.

    Raises Stopped if the import was cancelled, and Lost if the job has lost its claim. In both cases, the
    step is rolled back too.
    """
    change = update(Import).where(claim.mine, Import.cancelled_at.is_(None)).values(beat_at=now, **values)
    if not session.execute(change).rowcount:  # type: ignore[attr-defined]
        theirs = session.execute(select(Import.id).where(claim.mine)).first()
        raise Lost if theirs is None else Stopped


def end_import(claim: ImportClaim, state: str, now: Clock, failure: str = "") -> None:
    """End the import in the given state, and record the end in the audit trail."""
    with transaction() as session:
        values = {"state": state, "failure": failure, "finished_at": now(), "claim": ""}
        if not session.execute(update(Import).where(claim.mine).values(values)).rowcount:  # type: ignore[attr-defined]
            return
        each = session.get_one(Import, claim.import_id)
        if state == "undone":
            undone = UndoCounts(**json.loads(each.undone or "{}"))
            audit_import(session, as_staff(session, each), "import.undone", each, undone.as_text(), now())
        if state == "done" and not claim.dry_run:
            counts = json.loads(each.result)
            detail = ", ".join(f"{counts[key]:,} {key}" for key in ("created", "updated", "unchanged"))
            detail += f", {counts['refused_count']:,} refused"
            audit_import(session, as_staff(session, each), "import.finished", each, detail, now())
