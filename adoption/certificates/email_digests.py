"""Emails to owners about certificates. One email covers several domains.

Each item of news is a row. An item is sent when the account has no other order in progress, or after ten
minutes. So 50 domains that go live together cause one email. One transaction writes the email and deletes the
rows, so a crash loses no item and sends no item twice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, exists, func, or_, select
from sqlalchemy.orm import Session

from adoption.accounts.members import email_owners
from adoption.certificates import email_templates, order_queue
from adoption.certificates.email_templates import Failure
from adoption.certificates.models import AcmeOrder, Certificate, CertificateNotice
from adoption.certificates.problem_advice import (
    KEY_LOST,
    ORDER_LOST,
    RATE_LIMITED,
    SHELTER,
    UNFINISHED,
    UNREACHED,
    advice,
)
from adoption.domains.cname_target_and_dns_servers import current_domain_config
from adoption.domains.models import Domain
from adoption.mail.text_layout import Email
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction

LONGEST_WAIT = timedelta(minutes=10)
"""The maximum time that news waits for other news of the same account."""
SHORT_PAUSE = timedelta(minutes=1)
"""The maximum pause of an order for which news waits. If an order pauses for longer, news does not wait for
the order."""
TRIES_OF_OTHERS = 4
"""The number of failures in a row after which owners are emailed about a problem that they cannot fix. Four
failures take over an hour."""
TRIES_OF_OURS = 3
"""The number of failures in a row after which owners are emailed about a problem that usually disappears with
the next order."""


def is_worth_email(codes: Sequence[str], is_renewal: bool) -> bool:
    """Return whether to email owners about the last failure.

    ``codes`` are the codes of all failures in a row, with the last failure at the end.
    """
    enough = [tries_before_news(code, is_renewal) for code in codes]
    reported = [number + 1 >= tries for number, tries in enumerate(enough)]
    return reported[-1] and not any(reported[:-1])


def tries_before_news(code: str, is_renewal: bool) -> float:
    if code in (KEY_LOST, ORDER_LOST):
        return TRIES_OF_OURS
    if code == RATE_LIMITED and not is_renewal:
        return float("inf")  # the first certificate is only delayed, and visitors lose nothing
    if code in (UNREACHED, UNFINISHED) or advice(code, "").who == SHELTER:
        return 1
    return TRIES_OF_OTHERS


def queue_live_email(session: Session, domain_id: int, now: datetime) -> None:
    replace_notice(session, CertificateNotice(domain_id=domain_id, created_at=now))


def queue_failed_email(session: Session, order: AcmeOrder, now: datetime) -> None:
    columns = {"code": order.code, "detail": order.detail, "next_try_at": order.next_try_at}
    replace_notice(session, CertificateNotice(domain_id=order.domain_id, created_at=now, **columns))


def replace_notice(session: Session, notice: CertificateNotice) -> None:
    """Store news in place of the domain's older news.

    This is not a merge: a merge fails if another process sends and deletes the older news at the same moment.
    """
    session.execute(delete(CertificateNotice).where(CertificateNotice.domain_id == notice.domain_id))
    session.add(notice)


def send_next_news(now: datetime) -> bool:
    """Email the owners of one account whose news is due. Return False if there is none."""
    with reading() as session:
        waiting = (
            select(Project.account_id, func.min(CertificateNotice.created_at))
            .join(Domain, Domain.project_id == Project.id)
            .join(CertificateNotice, CertificateNotice.domain_id == Domain.id)
            .group_by(Project.account_id)
            .order_by(func.min(CertificateNotice.created_at))
        )
        account_id = next(
            (
                account_id
                for account_id, oldest in session.execute(waiting)
                if oldest <= now - LONGEST_WAIT or not awaits_orders(session, account_id, now)
            ),
            None,
        )
    return account_id is not None and send_certificate_news(account_id)


def awaits_orders(session: Session, account_id: int, now: datetime) -> bool:
    """Return whether an order or an edge check of the account is in progress and not delayed."""
    goes_on = or_(AcmeOrder.postponed_at.is_(None), AcmeOrder.next_step_at <= now + SHORT_PAUSE)
    on_its_way = exists().where(
        AcmeOrder.domain_id == Domain.id, AcmeOrder.next_step_at.is_not(None), goes_on
    )
    unseen = exists().where(Certificate.domain_id == Domain.id, Certificate.next_look_at.is_not(None))
    own = (
        select(Domain.id)
        .join(Project, Project.id == Domain.project_id)
        .where(Project.account_id == account_id)
    )
    if session.scalar(own.where(or_(on_its_way, unseen)).limit(1)) is not None:
        return True
    return order_queue.has_due(session, account_id, now)


def send_certificate_news(account_id: int) -> bool:
    found = (
        select(CertificateNotice, Domain, Project, Certificate)
        .join(Domain, Domain.id == CertificateNotice.domain_id)
        .join(Project, Project.id == Domain.project_id)
        .outerjoin(Certificate, Certificate.domain_id == Domain.id)
        .where(Project.account_id == account_id)
        .order_by(CertificateNotice.created_at, Domain.id)
    )
    with transaction() as session:
        rows = session.execute(found.with_for_update(skip_locked=True, of=CertificateNotice)).all()
        if not rows:
            return False
        live = [(domain.host, project.name) for notice, domain, project, _ in rows if not notice.code]
        failed = [failure_of(*row) for row in rows if row[0].code]
        email_owners(session, account_id, email_about(live, failed))
        for row in rows:
            session.delete(row[0])
    return True


def failure_of(
    notice: CertificateNotice, domain: Domain, project: Project, held: Certificate | None
) -> Failure:
    next_try = notice.next_try_at or notice.created_at
    good_until = held.not_after if held and held.not_after > notice.created_at else None
    leads_here = domain.verified_host is not None
    issuer = current_domain_config().issuers[0]
    return Failure(
        domain.host, notice.code, notice.detail, next_try, good_until, project.time_zone, leads_here, issuer
    )


def email_about(live: list[tuple[str, str]], failed: list[Failure]) -> Email:
    if len(live) + len(failed) > 1:
        return email_templates.summary_email([host for host, _ in live], failed)
    return email_templates.failed_email(failed[0]) if failed else email_templates.live_email(*live[0])
