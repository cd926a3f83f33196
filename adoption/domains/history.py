"""Audit log entries about domains."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.audit import trail
from adoption.audit.action_labels import ACTIONS
from adoption.audit.actors import Actor
from adoption.audit.models import AuditEntry
from adoption.domains.hostnames import display_host
from adoption.domains.models import Domain
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
    """Record an action in the transaction of the change. ``action`` is one of ``action_labels.ACTIONS``."""
    trail.record(session, by, action, project.account_id, project.id, display_host(domain.host), detail, now)


def domain_events(session: Session, domain: Domain, most: int) -> Sequence[AuditEntry]:
    """Return the newest entries about this host in its project."""
    about = [action for action in ACTIONS if action.startswith("domain.")]
    found = select(AuditEntry).where(
        AuditEntry.project_id == domain.project_id,
        AuditEntry.thing == display_host(domain.host),
        AuditEntry.action.in_(about),
    )
    return session.scalars(found.order_by(AuditEntry.id.desc()).limit(most)).all()
