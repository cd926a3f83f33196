"""Emails to a shelter about held applications, and about undecided applications that will soon be erased."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.orm import Session

from adoption.mail import outbox
from adoption.orders import email_templates
from adoption.orders.email_delivery import ShelterAddress, address_of_shelter
from adoption.orders.models import Application
from adoption.orders.personal_data_erasure import changed_after_clause, notice_period, undecided_since_clauses
from adoption.platform_addresses import platform_link
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction

DIGEST_EVERY = timedelta(days=1)


def send_held_digests(now: datetime | None = None) -> int:
    """Email shelters with new held applications, at most once a day. Return the number of emails.

    The project's row stores the time of the last email, so a second run sends nothing.
    """
    now = now or datetime.now(UTC)
    fresh = select(Application.id).where(
        Application.project_id == Project.id,
        Application.held_for != "",
        or_(Project.held_digest_at.is_(None), Application.created_at > Project.held_digest_at),
    )
    is_due = or_(Project.held_digest_at.is_(None), Project.held_digest_at <= now - DIGEST_EVERY)
    due = select(Project.id).where(fresh.exists(), is_due)
    with reading() as session:
        projects = session.scalars(due.order_by(Project.id)).all()
    return sum(send_digest(project_id, due.where(Project.id == project_id), now) for project_id in projects)


def send_digest(project_id: int, due: Select[int], now: datetime) -> bool:
    with transaction() as session:
        project = session.scalar(select(Project).where(Project.id == project_id).with_for_update())
        if project is None or session.scalar(due) is None:
            return False
        address = address_of_shelter(session, project_id, now)
        if not address.may_be_emailed:  # the next run tries again
            return False
        held = select(func.count()).where(Application.project_id == project_id, Application.held_for != "")
        link = platform_link(f"projects/{project.slug}/applications?box=held")
        project.held_digest_at = now
        return add_to_outbox(
            session, address, email_templates.held_digest(session.scalar(held) or 0, link), now
        )


def warn_of_erasure(keep: timedelta, now: datetime | None = None) -> int:
    """Email shelters whose undecided applications will soon be erased. Return the number of emails.

    Each application stores the time of its warning, in the transaction that adds the email.
    """
    now = now or datetime.now(UTC)
    before = now - keep + notice_period(keep)
    unwarned = or_(
        Application.erasure_notice_at.is_(None), changed_after_clause(Application.erasure_notice_at)
    )
    with reading() as session:
        projects = session.scalars(
            select(Application.project_id).where(*undecided_since_clauses(before), unwarned).distinct()
        ).all()
    sent = 0
    for project_id in sorted(projects):
        with transaction() as session:
            project = session.scalar(select(Project).where(Project.id == project_id).with_for_update())
            due = select(Application.id).where(Application.project_id == project_id)
            ids = session.scalars(due.where(*undecided_since_clauses(before), unwarned)).all()
            if project is None or not ids:
                continue
            sent += send_erasure_warning(session, project, ids, now + notice_period(keep), now)
    return sent


def send_erasure_warning(
    session: Session, project: Project, ids: Sequence[int], on: datetime, now: datetime
) -> bool:
    address = address_of_shelter(session, project.id, now)
    if not address.may_be_emailed:  # the next run tries again; nothing is erased without a warning
        return False
    marked = update(Application).where(Application.id.in_(ids)).values(erasure_notice_at=now)
    session.execute(marked.execution_options(synchronize_session=False))
    link = platform_link(f"projects/{project.slug}/applications?order=oldest")
    return add_to_outbox(session, address, email_templates.erasure_notice(len(ids), on, link), now)


def add_to_outbox(session: Session, address: ShelterAddress, email: tuple[str, str], now: datetime) -> bool:
    """Put an email in the outbox. Return False if the shelter has no address."""
    if address.email:
        outbox.add_email(session, address.email, *email, now=now)
    return bool(address.email)
