"""The audit log, written in the transaction of the change that it records."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.audit.models import AuditEntry


class Actor(NamedTuple):
    """The person or program that acts."""

    user_id: int | None
    name: str
    """An email address, or "the operator"."""
    address: str = ""
    """The network address; empty on the service's own machine."""
    proved_at: datetime | None = None
    """When the password or a passkey was last used in the actor's browser."""


OPERATOR = Actor(None, "the operator")
"""The user of the command line."""
SERVICE = Actor(None, "the service")
"""The service's own jobs."""
FORGOTTEN = "a member"
"""Replaces the email address of the actor in an old entry."""

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
    "animal.preview-made": "Made a preview link of an animal",
    "animal.preview-stopped": "Stopped the preview links of an animal",
    "animal.removed": "Removed animals",
    "animal.restored": "Restored animals",
    "animal.undone": "Undid a change of animals",
    "photo.added": "Added a photo",
    "photo.removed": "Removed a photo",
    "photo.moved": "Put photos in another order",
    "photo.described": "Described a photo",
    "application.approved": "Approved an application",
    "application.reopened": "Undid an approval",
    "application.declined": "Declined an application",
    "application.completed": "Completed an adoption",
    "application.returned": "Recorded a return",
    "application.released": "Marked a held application as not spam",
    "application.discarded": "Deleted a held application as spam",
    "application.undeclined": "Undid a decline",
    "application.assigned": "Assigned an application",
    "application.noted": "Added a note to an application",
    "application.link-sent": "Sent an applicant a new private link",
    "applicant.exported": "Exported an applicant's data",
    "applicant.erased": "Deleted an applicant's data",
    "account.opened": "Opened the account",
    "member.invited": "Invited someone",
    "invitation.sent-again": "Sent an invitation again",
    "invitation.revoked": "Cancelled an invitation",
    "member.joined": "Joined the account",
    "member.role-changed": "Changed a member's role",
    "member.removed": "Removed a member",
    "member.left": "Left the account",
    "member.email-changed": "Changed their email address",
    "member.reset-sent": "Sent a password reset link to a member",
    "plan.requested": "Asked for another plan",
    "plan.withdrawn": "Cancelled the request for another plan",
    "plan.set": "Put the account on another plan",
    "key.created": "Created an API key",
    "key.renamed": "Renamed an API key",
    "key.revoked": "Revoked an API key",
    "key.ban-lifted": "Lifted the ban of an API key",
    "site.added": "Added a site",
    "site.edited": "Changed the texts of the site",
    "site.preview-made": "Made a preview link of the site",
    "site.preview-stopped": "Stopped the preview links of the site",
    "form.changed": "Changed the adoption form",
    "site.published": "Published the site",
    "site.publish-failed": "Could not publish the site",
    "site.rolled-back": "Restored an earlier version of the site",
    "site.unpublished": "Took the site offline",
    "domain.added": "Added a domain",
    "domain.verified": "Verified a domain",
    "domain.live": "Brought a domain live",
    "domain.moved": "Noticed that a domain no longer leads here",
    "domain.primary": "Made a domain primary",
    "domain.redirected": "Redirected a domain",
    "domain.shown": "Showed the site at a domain",
    "domain.https-year": "Set https for a year at a domain",
    "domain.https-day": "Set https for a day at a domain",
    "domain.certificate-issued": "Got a certificate for a domain",
    "domain.certificate-renewed": "Renewed the certificate of a domain",
    "domain.certificate-failed": "Could not get a certificate for a domain",
    "domain.removed": "Removed a domain",
    "domain.unanswered": "Got no answer from the DNS servers of a domain for a week",
    "domain.unresolved": "Noticed that other DNS servers refuse a domain",
    "domain.claimed": "Noticed that another account added a domain",
    "domain.handed-over": "Handed over a domain to its new owner",
    "import.tried": "Tried an import",
    "import.started": "Started an import",
    "import.finished": "Imported animals",
    "import.cancelled": "Stopped an import",
    "import.undo-started": "Started to undo an import",
    "import.undone": "Undid an import",
    "animals.exported": "Exported animals",
}
"""Labels of all actions."""

KINDS = {
    "animals": ("animal", "animals", "photo", "import"),
    "applications": ("application", "applicant", "form"),
    "site": ("site",),
    "domains": ("domain",),
    "keys": ("key",),
    "team": ("member", "invitation"),
    "account": ("account", "plan"),
}
"""The subjects of actions (the text before the dot), by the filter on the page."""


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
    """Add an entry to the transaction: ``by`` did ``action``, one of ``ACTIONS``, to ``thing``."""
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
    """A filter of entries. Empty means any."""

    actor: str = ""
    kind: str = ""
    """One of ``KINDS``."""
    before: int | None = None
    """Only entries with smaller ids, which are older."""


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
    """Return all actors of an account, each with the id of their first entry.

    URLs contain that id in place of an email address.
    """
    first = select(AuditEntry.actor, func.min(AuditEntry.id)).where(AuditEntry.account_id == account_id)
    rows = session.execute(first.group_by(AuditEntry.actor).order_by(AuditEntry.actor))
    return {row[0]: row[1] for row in rows}


def actor_of(session: Session, account_id: int, entry_id: int | None) -> str:
    """Return the actor of an entry; empty if there is no such entry."""
    found = select(AuditEntry.actor).where(AuditEntry.account_id == account_id, AuditEntry.id == entry_id)
    return session.scalar(found) or ""
