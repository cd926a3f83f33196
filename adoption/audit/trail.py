"""Writing and reading of the audit log. An entry is written in the transaction of the recorded change."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.audit.action_labels import ACTIONS, KINDS
from adoption.audit.actors import Actor
from adoption.audit.models import AuditEntry


def record(
    session: Session,
    by: Actor,
    action: str,
    account_id: int,
    project_id: int | None = None,
    thing: str = "",
    detail: str = "",
    now: datetime | None = None,
) -> AuditEntry:
    """Record an action of ``by`` in the current transaction. ``action`` is a key of ``ACTIONS``."""
    ACTIONS[action]  # an unknown action fails here, not later on the page
    entry = AuditEntry(
        account_id=account_id,
        project_id=project_id,
        user_id=by.user_id,
        actor=by.name,
        address=by.address,
        action=action,
        thing=thing[:300],
        detail=detail,
        created_at=now or datetime.now(UTC),
    )
    session.add(entry)
    return entry


class AuditFilter(NamedTuple):
    """A filter of entries. An empty field matches any value."""

    actor: str = ""
    kind: str = ""
    """The kind of the action: a key of ``KINDS``."""
    before: int | None = None
    """An id: only entries with a lower id are returned, which are older. None for all entries."""


def audit_entries(session: Session, account_id: int, wanted: AuditFilter, limit: int) -> Sequence[AuditEntry]:
    """Return the entries of an account, newest first."""
    found = select(AuditEntry).where(AuditEntry.account_id == account_id)
    if wanted.actor:
        found = found.where(AuditEntry.actor == wanted.actor)
    if wanted.kind:
        about = [action for action in ACTIONS if action.partition(".")[0] in KINDS[wanted.kind]]
        found = found.where(AuditEntry.action.in_(about))
    if wanted.before is not None:
        found = found.where(AuditEntry.id < wanted.before)
    return session.scalars(found.order_by(AuditEntry.id.desc()).limit(limit)).all()


def actors_of(session: Session, account_id: int) -> dict[str, int]:
    """Return all actors of an account, with the id of each actor's first entry.

    URLs contain this id in place of an email address.
    """
    first = select(AuditEntry.actor, func.min(AuditEntry.id)).where(AuditEntry.account_id == account_id)
    rows = session.execute(first.group_by(AuditEntry.actor).order_by(AuditEntry.actor))
    return {row[0]: row[1] for row in rows}


def actor_of(session: Session, account_id: int, entry_id: int | None) -> str:
    """Return the actor of an entry; an empty text if there is no such entry."""
    found = select(AuditEntry.actor).where(AuditEntry.account_id == account_id, AuditEntry.id == entry_id)
    return session.scalar(found) or ""
