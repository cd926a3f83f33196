"""The operator's list of all projects' domains, with each domain's problem and who has to fix it."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select
from sqlalchemy.orm import Session

from adoption.accounts.models import Account
from adoption.certificates.certificate_states import (
    UNSEEN,
    CertificateStatus,
    certificate_statuses,
    status_reason,
)
from adoption.certificates.models import FAILED, AcmeOrder, Certificate
from adoption.certificates.order_obstacles import current_obstacle, with_obstacle
from adoption.certificates.problem_advice import OPERATOR, SHELTER, advice
from adoption.domains import dns_report_json
from adoption.domains.caa_checks import TARGET_BLOCKS
from adoption.domains.dns_check_outcomes import SILENT_FOR, silent_since
from adoption.domains.dnssec_checks import DNSSEC_BROKEN
from adoption.domains.models import ATTENTION, VERIFIED, Domain
from adoption.domains.site_lookup import PLAN_GIVES
from adoption.projects.models import Project
from adoption.storage.database import reading

PAGE = 500
LATE_AFTER = timedelta(minutes=30)
"""The time after which a verified domain counts as failing if visitors get no certificate."""


Problem = tuple[str, str, datetime | None]
"""A problem's code, the person who has to fix it, and the time when the service next checks or tries."""


class ListedDomain(NamedTuple):
    host: str
    project: str
    """The slug of the project."""
    account: int
    dns: str
    """The DNS state: ``unverified``, ``verified`` or ``attention``."""
    certificate: str
    """The certificate's state: ``none``, ``ordering``, ``validating``, ``issued``, ``live``, ``failed`` or
    ``expired``."""
    code: str | None
    """The code of the first problem, in the order DNS, CAA, certificate. None without a problem."""
    who: str | None
    """The person who has to fix the problem: ``shelter``, ``operator`` or ``nobody``. None without a
    problem."""
    not_after: datetime | None
    next_try: datetime | None
    """The time of the next check or order for the problem. Without a problem, the certificate's renewal
    time."""


def every_domain() -> Select[int]:
    return select(Domain.id).order_by(Domain.host, Domain.id)


def failing_domains(now: datetime, orders_certificates: bool) -> Select[int]:
    """Select the domains with problems. Domains that were never verified are left out."""
    wrong = [Domain.state == ATTENTION, Domain.unanswered_since <= now - SILENT_FOR]
    if orders_certificates:
        own = AcmeOrder.domain_id == Domain.id
        wrong += [
            and_(Domain.state == VERIFIED, ~Domain.caa_allows),
            and_(Domain.state == VERIFIED, Domain.unresolved_since.is_not(None)),
            exists().where(own, AcmeOrder.state == FAILED),
            Certificate.not_after <= now,
            late_clause(now),
        ]
    return (
        every_domain()
        .join(Project, Project.id == Domain.project_id)
        .join(Account, Account.id == Project.account_id)
        .outerjoin(Certificate, Certificate.domain_id == Domain.id)
        .where(Domain.verified_host.is_not(None), or_(*wrong))
    )


def late_clause(now: datetime) -> ColumnElement[bool]:
    """Return a condition: the domain has a site, but visitors have had no certificate for too long."""
    before = now - LATE_AFTER
    never = and_(Certificate.domain_id.is_(None), Domain.verified_at <= before)
    unseen = and_(Certificate.seen_at.is_(None), Certificate.issued_at <= before)
    return and_(Domain.state == VERIFIED, Project.live_deploy.is_not(None), PLAN_GIVES, or_(never, unseen))


def expiring_domains(now: datetime, days: int) -> Select[int]:
    """Select domains whose certificate has expired or expires within ``days``, soonest first."""
    ends = Certificate.not_after <= now + timedelta(days=days)
    joined = select(Domain.id).join(Certificate, Certificate.domain_id == Domain.id)
    return joined.where(ends).order_by(Certificate.not_after, Domain.host)


def read_domain_list(which: Select[int], now: datetime, orders_certificates: bool) -> Iterator[ListedDomain]:
    """Yield the domains in the order of ``which``. To limit memory, the domains are read page by page."""
    with reading() as session:
        ids = session.scalars(which).all()
    for first in range(0, len(ids), PAGE):
        with reading() as session:
            listed = [*read_page(session, ids[first : first + PAGE], now, orders_certificates)]
        yield from listed  # the caller may begin a transaction


def read_page(
    session: Session, ids: Sequence[int], now: datetime, orders_certificates: bool
) -> Iterator[ListedDomain]:
    found = (
        select(Domain, Project.slug, Project.account_id)
        .join(Project, Project.id == Domain.project_id)
        .where(Domain.id.in_(ids))
    )
    rows = {domain.id: (domain, slug, account) for domain, slug, account in session.execute(found)}
    held, obstacle = certificate_statuses(session, ids, now), current_obstacle(session, now)
    for number in ids:
        if number in rows:  # the domain was not removed meanwhile
            domain, slug, account = rows[number]
            status = with_obstacle(held[number], domain, obstacle)
            problem = dns_problem(domain, now) or caa_problem(domain, orders_certificates)
            yield listed_domain(domain, slug, account, status, problem)


def listed_domain(
    domain: Domain, slug: str, account: int, status: CertificateStatus, problem: Problem | None
) -> ListedDomain:
    code, who, next_try = problem or (None, None, None)
    if code is None:
        code, _ = status_reason(status)
        who = (OPERATOR if code == UNSEEN else advice(code, domain.host).who) if code else None
        next_try = status.next_try_at or (None if code else status.renew_at)
    return ListedDomain(
        domain.host, slug, account, domain.state, status.state, code, who, status.not_after, next_try
    )


def dns_problem(domain: Domain, now: datetime) -> Problem | None:
    """Return the problem of the first wrong record; None if DNS is right."""
    if domain.state == VERIFIED and silent_since(domain, now):
        return "unanswered", SHELTER, domain.next_check_at
    if domain.state == VERIFIED:
        return None
    wrong = [record.code for record in dns_report_json.load_report(domain.report).records if not record.ok]
    return (wrong[0] if wrong else "unchecked"), SHELTER, domain.next_check_at


def caa_problem(domain: Domain, orders_certificates: bool) -> Problem | None:
    """Return the problem in DNSSEC or CAA records that blocks certificates; None if there is none."""
    if domain.unresolved_since is not None:
        return DNSSEC_BROKEN, SHELTER, domain.next_check_at
    if domain.caa_allows or not orders_certificates:
        return None
    code = dns_report_json.load_report(domain.report).caa.code
    return code, OPERATOR if code == TARGET_BLOCKS else SHELTER, domain.next_check_at
