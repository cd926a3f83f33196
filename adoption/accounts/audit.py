"""The audit log: written within the transaction of what it tells of, so that neither is there alone."""

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.accounts.models import AuditEntry


class Actor(NamedTuple):
    """Who does something, and from where."""

    user_id: int | None
    name: str
    """An email address, or "the operator"."""
    address: str = ""
    """The network address; empty on the service's own machine."""


OPERATOR = Actor(None, "the operator")
"""Whoever has the command line."""

ACTIONS = {
    "animal.added": "Added an animal",
    "animal.edited": "Edited an animal",
}
"""Every action that is recorded, and how it reads after the name of who did it."""


def record(
    session: Session,
    by: Actor,
    action: str,
    account_id: int,
    project_id: int | None = None,
    thing: str = "",
    detail: str = "",
    now: datetime | None = None,
) -> None:
    """Note that ``by`` did ``action``, one of ``ACTIONS``, to ``thing``; kept if the transaction is."""
    ACTIONS[action]  # a name that nobody could read is a fault here, and not on the page later
    session.add(
        AuditEntry(
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
    )
