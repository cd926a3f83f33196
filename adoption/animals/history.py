"""The change history of an animal, and its last change, from the audit log."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals.models import AnimalEntry
from adoption.audit.models import AuditEntry


class AnimalChange(NamedTuple):
    action: str
    """A key of ``action_labels.ACTIONS``."""
    detail: str
    """The edited columns or the new status. Other animals' names are removed."""
    actor: str
    at: datetime


def animal_history(session: Session, project_id: int, animal_id: int, limit: int) -> list[AnimalChange]:
    """Return the newest changes of an animal, newest first."""
    entries = (
        select(
            AuditEntry.action, AuditEntry.thing, AuditEntry.detail, AuditEntry.actor, AuditEntry.created_at
        )
        .join(AnimalEntry, AnimalEntry.entry_id == AuditEntry.id)
        .where(AnimalEntry.animal_id == animal_id, AuditEntry.project_id == project_id)
        .order_by(AnimalEntry.entry_id.desc())
        .limit(limit)
    )
    return [
        AnimalChange(action, without_names(detail) if thing.endswith(" animals") else detail, actor, at)
        for action, thing, detail, actor, at in session.execute(entries)
    ]


def without_names(detail: str) -> str:
    """Return the detail without the animal names after the colon."""
    what, colon, _ = detail.partition(": ")
    return what if colon and "(" not in what else ""


ENTRIES_LOOKED_AT = 200


class LastAnimalChange(NamedTuple):
    who: str
    at: datetime


def last_animal_change(
    session: Session, project_id: int, animal_id: int, columns: Sequence[str] = ()
) -> LastAnimalChange | None:
    """Return who changed the animal last and when, according to the audit log.

    With ``columns``, only changes of these columns count.
    """
    newest = session.execute(
        select(
            AuditEntry.action, AuditEntry.thing, AuditEntry.detail, AuditEntry.actor, AuditEntry.created_at
        )
        .where(AuditEntry.project_id == project_id)
        .order_by(AuditEntry.id.desc())
        .limit(ENTRIES_LOOKED_AT)
    )
    sign = f"({animal_id})"
    words = {column.replace("_", " ") for column in columns}
    for action, thing, detail, actor, at in newest:
        about = thing.endswith(sign) or sign in detail
        if about and (not words or action != "animal.edited" or words & set(detail.split(", "))):
            return LastAnimalChange(actor, at)
    return None
