"""Handover of a host to another account, which proved that it owns the host."""

from datetime import datetime

from sqlalchemy import update
from sqlalchemy.orm import Session

from adoption.accounts.members import email_owners
from adoption.audit.actors import SERVICE
from adoption.domains import email_templates
from adoption.domains.history import record_event
from adoption.domains.models import Domain
from adoption.domains.primary_domain import set_primary
from adoption.domains.removals import find_replacements
from adoption.projects.publication import lock_project


def hand_over(session: Session, domain: Domain, now: datetime) -> None:
    """Remove a domain because another account proved that it owns the host. Email the previous owners."""
    project = lock_project(session, domain.project_id)
    if others := find_replacements(session, domain, now):
        set_primary(session, project, others[0])
    session.execute(update(Domain).where(Domain.redirects_to == domain.id).values(redirects_to=None))
    session.delete(domain)
    session.flush()  # before a different row gets the unique value
    record_event(session, SERVICE, "domain.handed-over", project, domain, now=now)
    email_owners(session, project.account_id, email_templates.handed_over_email(domain.host))
