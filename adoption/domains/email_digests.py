"""Emails to owners about DNS problems. One email covers several domains of a zone, which often fail together.

Each item of news is a row. An item is sent when the account's other domains have been checked too, or after
ten minutes. One transaction writes the email and deletes the rows.
"""

from datetime import datetime, timedelta

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from adoption.accounts.members import email_owners
from adoption.domains import email_templates
from adoption.domains.models import VERIFIED, Domain, DomainNotice
from adoption.domains.ownership_claims import within_zones_clause, zone_of
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction

LONGEST_WAIT = timedelta(minutes=10)
"""The maximum time that news waits for checks of the account's other domains."""


def queue_news(session: Session, domain: Domain, kind: str, detail: str, now: datetime) -> None:
    """Store news for the owners. Schedule immediate checks of the project's other domains of the zone.

    ``kind`` is a constant of ``email_templates``, such as ``MOVED``.
    """
    # Not a merge: a merge fails if another process sends and deletes the earlier row at the same moment.
    drop_news(session, domain, kind)
    session.add(DomainNotice(domain_id=domain.id, kind=kind, detail=detail, created_at=now))
    others = (
        Domain.project_id == domain.project_id,
        Domain.id != domain.id,
        within_zones_clause(Domain, [zone_of(domain.host)]),
        Domain.state == VERIFIED,
        or_(Domain.checked_at.is_(None), Domain.checked_at <= now - LONGEST_WAIT),
        Domain.next_check_at > now,
    )
    session.execute(
        update(Domain).where(*others).values(next_check_at=now).execution_options(synchronize_session=False)
    )


def drop_news(session: Session, domain: Domain, kind: str) -> None:
    """Delete a domain's unsent news of this kind."""
    session.execute(
        delete(DomainNotice).where(DomainNotice.domain_id == domain.id, DomainNotice.kind == kind)
    )


def send_news(now: datetime) -> None:
    """Email the owners of each account whose news is due."""
    oldest = func.min(DomainNotice.created_at)
    query = (
        select(Project.account_id, oldest)
        .join(Domain, Domain.project_id == Project.id)
        .join(DomainNotice, DomainNotice.domain_id == Domain.id)
        .group_by(Project.account_id)
    )
    with reading() as session:
        due = [
            account_id
            for account_id, since in session.execute(query)
            if since <= now - LONGEST_WAIT or not awaits_checks(session, account_id, now)
        ]
    for account_id in due:
        send_dns_news(account_id)


def awaits_checks(session: Session, account_id: int, now: datetime) -> bool:
    """Return whether a check of a different domain of the account is due."""
    due = exists().where(
        Domain.project_id == Project.id,
        Project.live_deploy.is_not(None),  # checks of unpublished projects stay due, but do not run
        Domain.state == VERIFIED,
        Domain.next_check_at <= now,
    )
    return (
        session.scalar(select(Project.id).where(Project.account_id == account_id, due).limit(1)) is not None
    )


def send_dns_news(account_id: int) -> None:
    found = (
        select(DomainNotice, Domain.host, Project.name)
        .join(Domain, Domain.id == DomainNotice.domain_id)
        .join(Project, Project.id == Domain.project_id)
        .where(Project.account_id == account_id)
        .order_by(DomainNotice.kind, Domain.host)
    )
    with transaction() as session:
        rows = session.execute(found.with_for_update(skip_locked=True, of=DomainNotice)).all()
        if not rows:
            return
        news = [
            email_templates.DnsNews(notice.kind, host, project, notice.detail)
            for notice, host, project in rows
        ]
        email_owners(session, account_id, email_templates.news_email(news))
        for row in rows:
            session.delete(row[0])
