"""What happened to a domain, as entries of the account's audit log."""

from datetime import datetime

from sqlalchemy.orm import Session

from adoption.audit import trail
from adoption.audit.trail import Actor
from adoption.domains.models import Domain
from adoption.domains.names import shown
from adoption.projects.models import Project


def record_event(
    session: Session,
    by: Actor,
    action: str,
    project: Project,
    domain: Domain,
    detail: str = "",
    now: datetime | None = None,
) -> None:
    """Record ``action``, one of ``ACTIONS``, in the transaction of the change."""
    trail.record(session, by, action, project.account_id, project.id, shown(domain.host), detail, now)
