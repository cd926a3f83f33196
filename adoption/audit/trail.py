"""The audit log. Each entry is written in the transaction of the change that it records."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.audit.models import AuditEntry
from adoption.translations import message


class Actor(NamedTuple):
    """The person or program that acts."""

    user_id: int | None
    name: str
    """The actor's email address, or "the operator"."""
    address: str = ""
    """The network address; empty on the service's own machine."""
    proved_at: datetime | None = None
    """When the password or a passkey was last used in the actor's browser."""


OPERATOR = Actor(None, message("the operator"))
"""The actor of the command line."""
SERVICE = Actor(None, "the service")
"""The actor of the service's own jobs."""
FORGOTTEN = message("a member")
"""The replacement for an actor's email address in an old entry."""

ACTIONS = {
    "animal.added": message("Added an animal"),
    "animal.edited": message("Edited an animal"),
    "animal.status": message("Changed the status of animals"),
    "animal.listed": message("Showed animals to visitors"),
    "animal.hidden": message("Hid animals from visitors"),
    "animal.held": message("Put animals on hold"),
    "animal.unheld": message("Took an animal off hold"),
    "animal.quarantined": message("Put animals in quarantine"),
    "animal.unquarantined": message("Ended a quarantine"),
    "animal.preview-made": message("Made a preview link of an animal"),
    "animal.preview-stopped": message("Stopped the preview links of an animal"),
    "animal.removed": message("Removed animals"),
    "animal.restored": message("Restored animals"),
    "animal.undone": message("Undid a change of animals"),
    "photo.added": message("Added a photo"),
    "photo.removed": message("Removed a photo"),
    "photo.moved": message("Put photos in another order"),
    "photo.described": message("Described a photo"),
    "application.approved": message("Approved an application"),
    "application.reopened": message("Undid an approval"),
    "application.declined": message("Declined an application"),
    "application.completed": message("Completed an adoption"),
    "application.returned": message("Recorded a return"),
    "application.released": message("Marked a held application as not spam"),
    "application.discarded": message("Deleted a held application as spam"),
    "application.undeclined": message("Undid a decline"),
    "application.assigned": message("Assigned an application"),
    "application.noted": message("Added a note to an application"),
    "application.link-sent": message("Sent an applicant a new private link"),
    "applicant.exported": message("Exported an applicant's data"),
    "applicant.erased": message("Deleted an applicant's data"),
    "account.opened": message("Opened the account"),
    "member.invited": message("Invited someone"),
    "invitation.sent-again": message("Sent an invitation again"),
    "invitation.revoked": message("Cancelled an invitation"),
    "member.joined": message("Joined the account"),
    "member.role-changed": message("Changed a member's role"),
    "member.removed": message("Removed a member"),
    "member.left": message("Left the account"),
    "member.email-changed": message("Changed their email address"),
    "member.reset-sent": message("Sent a password reset link to a member"),
    "plan.requested": message("Asked for another plan"),
    "plan.withdrawn": message("Cancelled the request for another plan"),
    "plan.set": message("Put the account on another plan"),
    "key.created": message("Created an API key"),
    "key.renamed": message("Renamed an API key"),
    "key.revoked": message("Revoked an API key"),
    "key.ban-lifted": message("Lifted the ban of an API key"),
    "site.added": message("Added a site"),
    "site.edited": message("Changed the texts of the site"),
    "site.preview-made": message("Made a preview link of the site"),
    "site.preview-stopped": message("Stopped the preview links of the site"),
    "form.changed": message("Changed the adoption form"),
    "site.published": message("Published the site"),
    "site.publish-failed": message("Could not publish the site"),
    "site.rolled-back": message("Restored an earlier version of the site"),
    "site.unpublished": message("Took the site offline"),
    "domain.added": message("Added a domain"),
    "domain.verified": message("Verified a domain"),
    "domain.live": message("Brought a domain live"),
    "domain.moved": message("Noticed that a domain no longer leads here"),
    "domain.primary": message("Made a domain primary"),
    "domain.redirected": message("Redirected a domain"),
    "domain.shown": message("Showed the site at a domain"),
    "domain.https-year": message("Set https for a year at a domain"),
    "domain.https-day": message("Set https for a day at a domain"),
    "domain.certificate-issued": message("Got a certificate for a domain"),
    "domain.certificate-renewed": message("Renewed the certificate of a domain"),
    "domain.certificate-failed": message("Could not get a certificate for a domain"),
    "domain.removed": message("Removed a domain"),
    "domain.unanswered": message("Got no answer from the DNS servers of a domain for a week"),
    "domain.unresolved": message("Noticed that other DNS servers refuse a domain"),
    "domain.claimed": message("Noticed that another account added a domain"),
    "domain.handed-over": message("Handed over a domain to its new owner"),
    "import.tried": message("Tried an import"),
    "import.started": message("Started an import"),
    "import.finished": message("Imported animals"),
    "import.cancelled": message("Stopped an import"),
    "import.undo-started": message("Started to undo an import"),
    "import.undone": message("Undid an import"),
    "animals.exported": message("Exported animals"),
}
"""The labels of all actions."""

KINDS = {
    "animals": ("animal", "animals", "photo", "import"),
    "applications": ("application", "applicant", "form"),
    "site": ("site",),
    "domains": ("domain",),
    "keys": ("key",),
    "team": ("member", "invitation"),
    "account": ("account", "plan"),
}
"""The subjects of actions, by the page's filter. A subject is the part of an action before the dot."""


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
    """Record an action of ``by`` in the current transaction. ``action`` is one of ``ACTIONS``."""
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
    """A filter of entries. An empty field means any value."""

    actor: str = ""
    kind: str = ""
    """The kind: one of ``KINDS``."""
    before: int | None = None
    """The id below which entries are returned. Lower ids are older."""


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
    """Return the actor of an entry; empty if there is no such entry."""
    found = select(AuditEntry.actor).where(AuditEntry.account_id == account_id, AuditEntry.id == entry_id)
    return session.scalar(found) or ""
