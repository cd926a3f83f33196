"""The audit log: written within the transaction of what it tells of, so that neither is there alone."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.audit.models import AuditEntry


class Actor(NamedTuple):
    """Who does something, and from where."""

    user_id: int | None
    name: str
    """An email address, or "the operator"."""
    address: str = ""
    """The network address; empty on the service's own machine."""


OPERATOR = Actor(None, "the operator")
"""Whoever has the command line."""
SERVICE = Actor(None, "the service")
"""What is done without anybody asking for it."""

ACTIONS = {
    "animal.added": "Added an animal",
    "animal.edited": "Edited an animal",
    "animal.status": "Changed the status of animals",
    "animal.listed": "Showed animals to visitors",
    "animal.hidden": "Hid animals from visitors",
    "animal.held": "Put animals on hold",
    "animal.unheld": "Took an animal off hold",
    "animal.quarantined": "Put animals in quarantine",
    "animal.unquarantined": "Ended a quarantine",
    "animal.removed": "Removed animals",
    "animal.restored": "Restored animals",
    "animal.undone": "Undid a change of animals",
    "photo.added": "Added a photo",
    "photo.removed": "Removed a photo",
    "photo.moved": "Put photos in another order",
    "photo.described": "Described a photo",
    "application.approved": "Approved an application",
    "application.reopened": "Took an approval back",
    "application.declined": "Declined an application",
    "application.completed": "Completed an adoption",
    "application.returned": "Took an animal back",
    "application.released": "Let a held application through",
    "application.discarded": "Deleted a held application as spam",
    "application.noted": "Added a note to an application",
    "applicant.exported": "Downloaded what is kept of an applicant",
    "applicant.erased": "Erased an applicant",
    "account.opened": "Opened the account",
    "member.invited": "Invited somebody",
    "invitation.revoked": "Took back an invitation",
    "member.joined": "Joined the account",
    "member.role-changed": "Changed a member's role",
    "member.removed": "Removed a member",
    "plan.requested": "Asked for another plan",
    "plan.withdrawn": "Took back the wish for another plan",
    "plan.set": "Put the account on another plan",
    "key.created": "Created an API key",
    "key.revoked": "Revoked an API key",
    "key.ban-lifted": "Lifted the ban of an API key",
    "site.edited": "Changed the texts of the site",
    "site.published": "Published the site",
    "site.publish-failed": "Could not publish the site",
    "site.rolled-back": "Rolled the site back",
    "site.unpublished": "Took the site offline",
    "domain.added": "Added a domain",
    "domain.verified": "Verified a domain",
    "domain.live": "Showed a domain with its certificate",
    "domain.moved": "Found a domain moved away",
    "domain.primary": "Made a domain the primary one",
    "domain.redirected": "Had a domain redirect",
    "domain.shown": "Had a domain show the site itself",
    "domain.removed": "Removed a domain",
    "domain.handed-over": "Handed a domain that had moved away to its new owner",
    "import.tried": "Tried an import",
    "import.started": "Started an import",
    "import.finished": "Imported animals",
    "import.cancelled": "Stopped an import",
    "animals.exported": "Exported animals",
}
"""Every action that is recorded, and how it reads after the name of who did it."""

KINDS = {
    "animals": ("animal", "animals", "photo", "import"),
    "applications": ("application", "applicant"),
    "site": ("site",),
    "domains": ("domain",),
    "keys": ("key",),
    "team": ("member", "invitation"),
    "account": ("account", "plan"),
}
"""What actions are about, by what stands before their dots."""


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


class Wanted(NamedTuple):
    """Which entries are asked for; empty means any."""

    actor: str = ""
    kind: str = ""
    """One of ``KINDS``."""
    before: int | None = None
    """Only entries with smaller ids: those that were written earlier."""


def entries_of(session: Session, account_id: int, wanted: Wanted, limit: int) -> Sequence[AuditEntry]:
    """The entries of an account, the newest first."""
    found = select(AuditEntry).where(AuditEntry.account_id == account_id)
    if wanted.actor:
        found = found.where(AuditEntry.actor == wanted.actor)
    if wanted.kind:
        about = [action for action in ACTIONS if action.partition(".")[0] in KINDS[wanted.kind]]
        found = found.where(AuditEntry.action.in_(about))
    if wanted.before is not None:
        found = found.where(AuditEntry.id < wanted.before)
    return session.scalars(found.order_by(AuditEntry.id.desc()).limit(limit)).all()


def actors_of(session: Session, account_id: int) -> Sequence[str]:
    """Whoever has ever done something in an account, by name."""
    return session.scalars(
        select(AuditEntry.actor)
        .where(AuditEntry.account_id == account_id)
        .distinct()
        .order_by(AuditEntry.actor)
    ).all()
