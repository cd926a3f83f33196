"""The effects of a finished order: audit log entries, emails, and an earlier DNS check."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.members import email_owners
from adoption.audit.actors import SERVICE
from adoption.certificates import email_templates
from adoption.certificates.models import AcmeOrder
from adoption.domains.history import record_event
from adoption.domains.models import Domain
from adoption.domains.queries import lock_against_removal
from adoption.projects.models import Project
from adoption.time_zones import date_in


def lock_domain_of(session: Session, order_id: int) -> Domain | None:
    """Lock the project of an order, then its domain. Return the domain, or None if it was removed.

    A removal locks both in the same order, so the two cannot deadlock. An audit log entry needs the project's
    lock.
    """
    project = (
        select(Domain.project_id)
        .join(AcmeOrder, AcmeOrder.domain_id == Domain.id)
        .where(AcmeOrder.id == order_id)
    )
    session.execute(select(Project.id).where(Project.id.in_(project)).with_for_update())
    domain_id = session.scalar(select(AcmeOrder.domain_id).where(AcmeOrder.id == order_id))
    return None if domain_id is None else lock_against_removal(session, domain_id)


def record_issued(session: Session, domain: Domain, not_after: datetime, renews: bool, now: datetime) -> None:
    project = session.get_one(Project, domain.project_id)
    action = "domain.certificate-renewed" if renews else "domain.certificate-issued"
    until = f"Valid until {date_in(project.time_zone, not_after)}"
    record_event(session, SERVICE, action, project, domain, until, now)


def email_ready(session: Session, domain: Domain) -> None:
    """Email the owners that they can now switch DNS."""
    project = session.get_one(Project, domain.project_id)
    email_owners(session, project.account_id, email_templates.ready_email(domain.host, project.name))


def recheck_dns(domain: Domain, now: datetime) -> None:
    """Schedule an immediate DNS check: after a failed validation, DNS has probably changed."""
    if domain.next_check_at is not None:
        domain.next_check_at = now


def record_failed(session: Session, domain: Domain, words: str, now: datetime) -> None:
    """Record why an order failed, in the authority's words."""
    project = session.get_one(Project, domain.project_id)
    record_event(session, SERVICE, "domain.certificate-failed", project, domain, words, now)
