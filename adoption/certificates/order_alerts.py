"""Operator alerts about refused and failing certificate orders, computed from the orders' rows."""

from collections import Counter
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.certificates.authority_rate_limits import HOUR
from adoption.certificates.models import FAILED, AcmeOrder, Certificate
from adoption.certificates.problem_advice import EDGE_DOWN, HOOK_CODES, OPERATOR, QUIET, UNREACHED, advice
from adoption.domains.models import Domain
from adoption.operator_alerts.causes import AUTHORITY_REFUSES, ORDERS_FAIL
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert
from adoption.operator_alerts.queries import alert_opened_at
from adoption.projects.models import Project
from adoption.storage.database import reading

MANY_ACCOUNTS = 3
"""If more orders fail than succeed within an hour, and the failed orders belong to at least this number of
accounts, the operator gets an alert. Fewer accounts cause no alert, because a few shelters always have wrong
DNS."""
NAMED_HOSTS = 10


class FailedDomain(NamedTuple):
    """The newest failed order of a domain."""

    host: str
    account_id: int
    code: str
    detail: str
    failed_at: datetime


def update_order_alerts(now: datetime) -> None:
    """Open or close the alerts about refused and failing orders."""
    with reading() as session:
        began = alert_opened_at(session, ORDERS_FAIL)
        failures = failures_since(session, min(began or now, now) - HOUR)
        refused = [each for each in failures_since(session, None) if is_operators(each)]
        issued = issued_since(session, now - HOUR)
        was_issued = bool(refused) and bool(issued_since(session, refused[0].failed_at))
    report_refusals([] if was_issued else refused, now)
    report_failing([each for each in failures if not is_operators(each)], issued, began, now)


def report_refusals(refused: list[FailedDomain], now: datetime) -> None:
    """Open or close the alert about refused orders.

    ``refused`` contains the orders that failed for a reason that the operator has to fix. The newest is
    first.
    """
    if not refused:
        close_alert(AUTHORITY_REFUSES, now)
        return
    newest = refused[0]
    open_alert(
        AUTHORITY_REFUSES,
        f"The error code is {newest.code}. The authority says: {newest.detail} Domains: {hosts_of(refused)}.",
        now,
    )


def report_failing(failures: list[FailedDomain], issued: int, began: datetime | None, now: datetime) -> None:
    """Open or close the alert about failing orders.

    ``failures`` contains the domains whose orders failed in the last hour. If the alert is already open,
    ``failures`` reaches back to an hour before ``began``, the time when the alert was opened.
    """
    within_hour = [each for each in failures if each.failed_at > now - HOUR]
    if are_many(within_hour) and len(within_hour) > issued:
        codes = ", ".join(f"{code} ({n})" for code, n in Counter(f.code for f in within_hour).most_common())
        accounts = len({each.account_id for each in within_hour})
        open_alert(
            ORDERS_FAIL,
            f"In the last hour, orders failed for {len(within_hour)} domains of {accounts} "
            f"accounts, and {issued} certificates were issued. Error codes: {codes}. Domains: "
            f"{hosts_of(within_hour)}.",
            now,
        )
    elif began and (issued > len(within_hour) or not are_many(failures)):
        close_alert(ORDERS_FAIL, now)


def are_many(failures: list[FailedDomain]) -> bool:
    return len({each.account_id for each in failures}) >= MANY_ACCOUNTS


def is_operators(failure: FailedDomain) -> bool:
    return advice(failure.code, failure.host).who == OPERATOR


def hosts_of(failures: list[FailedDomain]) -> str:
    hosts = [each.host for each in failures]
    more = len(hosts) - NAMED_HOSTS
    return ", ".join(hosts[:NAMED_HOSTS]) + (f" and {more} more" if more > 0 else "")


def failures_since(session: Session, since: datetime | None) -> list[FailedDomain]:
    """Return the newest failure of each domain since a time, with the newest first.

    If ``since`` is None, all stored failures count.
    """
    newest = select(func.max(AcmeOrder.id)).where(AcmeOrder.state == FAILED).group_by(AcmeOrder.domain_id)
    found = (
        select(Domain.host, Project.account_id, AcmeOrder.code, AcmeOrder.detail, AcmeOrder.failed_at)
        .join(Domain, Domain.id == AcmeOrder.domain_id)
        .join(Project, Project.id == Domain.project_id)
        .where(AcmeOrder.id.in_(newest), AcmeOrder.code.not_in((*QUIET, *HOOK_CODES, UNREACHED, EDGE_DOWN)))
        .order_by(AcmeOrder.failed_at.desc(), AcmeOrder.id.desc())
    )
    if since is not None:
        found = found.where(AcmeOrder.failed_at > since)
    return [
        FailedDomain(host, account_id, code, detail, failed_at)
        for host, account_id, code, detail, failed_at in session.execute(found)
        if failed_at
    ]


def issued_since(session: Session, since: datetime) -> int:
    query = select(func.count()).select_from(Certificate).where(Certificate.issued_at > since)
    return session.scalar(query) or 0
