"""Who changed an animal and when, as the audit log says."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from adoption.audit.models import AuditEntry
from adoption.audit.trail import ACTIONS

LOOKED_THROUGH = 10_000
"""The newest entries of the shelter in which an animal's are looked for: no index finds them by animal."""
ONE_OR_MORE = [action for action in ACTIONS if action.startswith("animal.")]
"""Actions whose entries name their animals in ``thing``, or in ``detail`` if they are several."""
PHOTOS = [action for action in ACTIONS if action.startswith("photo.")]


class Change(NamedTuple):
    action: str
    """One of ``trail.ACTIONS``."""
    detail: str
    """Which columns were edited, or the new status; without the names of other animals."""
    actor: str
    at: datetime


def changes_of(session: Session, project_id: int, animal_id: int, limit: int) -> list[Change]:
    """Return the newest changes of an animal, the newest first, from the newest entries of its shelter.

    An entry about many animals names only the first of them, and is found for those alone.
    """
    of_project = select(AuditEntry.id).where(AuditEntry.project_id == project_id)
    oldest = session.scalar(of_project.order_by(AuditEntry.id.desc()).offset(LOOKED_THROUGH - 1).limit(1))
    sign = f"({animal_id})"
    alone = AuditEntry.thing.endswith(sign)
    among = and_(AuditEntry.thing.endswith(" animals"), AuditEntry.detail.contains(sign))
    rows = session.execute(
        select(AuditEntry.action, AuditEntry.detail, AuditEntry.actor, AuditEntry.created_at, alone)
        .where(AuditEntry.project_id == project_id, AuditEntry.id >= (oldest or 0))
        .where(
            or_(
                and_(AuditEntry.action.in_(ONE_OR_MORE + PHOTOS), alone),
                and_(AuditEntry.action.in_(ONE_OR_MORE), among),
            )
        )
        .order_by(AuditEntry.id.desc())
        .limit(limit)
    )
    return [
        Change(action, detail if is_alone else without_names(detail), actor, at)
        for action, detail, actor, at, is_alone in rows
    ]


def without_names(detail: str) -> str:
    """Return what was changed, from the detail of an entry that names several animals behind a colon."""
    what, colon, _ = detail.partition(": ")
    return what if colon and "(" not in what else ""
