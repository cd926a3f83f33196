"""The authority's rate limits: for one host, or for this whole service."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from adoption.certificates.models import AcmeOrder, Certificate
from adoption.certificates.problem_advice import RATE_LIMITED
from adoption.domains.hostnames import registrable
from adoption.domains.models import Domain
from adoption.projects.models import Project

HOUR = timedelta(hours=1)
ZONES_LIMITED = 3
"""If the authority has refused orders for this number of registrable domains, the limit is probably for this
whole service. The authority's code for that limit is the same as for the limit of one host (RFC 8555,
6.6)."""
MOST_AN_HOUR = 4
"""After this number of a host's failures in an hour, pressing Verify no longer speeds up the next try. Let's
Encrypt allows five failures in an hour."""

LIMIT_TESTED_EACH = timedelta(minutes=15)
"""The interval of test orders while a limit for this whole service is suspected. The suspicion may be wrong:
each refused registrable domain may have a limit of its own."""


def limited_until(session: Session, now: datetime) -> datetime | None:
    """Return the time when the authority's limit for this whole service ends; None without a known limit."""
    rows = refused_orders(session, now)
    last_of_zones = sorted({registrable(row.host): row.failed_at for row in rows}.values())
    if len(last_of_zones) < ZONES_LIMITED:
        return None
    since = last_of_zones[-ZONES_LIMITED]
    taken = exists().where(AcmeOrder.address != "", AcmeOrder.began_at > since)
    issued = exists().where(Certificate.issued_at > since)
    return None if session.scalar(select(or_(taken, issued))) else min(row.next_try_at for row in rows)


def refused_orders(session: Session, now: datetime) -> Sequence[Any]:
    """Return the orders that the authority refused because of a rate limit, oldest first."""
    refused = (
        select(Domain.host, Project.account_id, AcmeOrder.failed_at, AcmeOrder.next_try_at)
        .join(AcmeOrder, AcmeOrder.domain_id == Domain.id)
        .join(Project, Project.id == Domain.project_id)
        .where(AcmeOrder.code == RATE_LIMITED, AcmeOrder.address == "", AcmeOrder.next_try_at > now)
        .order_by(AcmeOrder.failed_at)
    )
    return session.execute(refused).all()


def domain_to_test(session: Session, due: Sequence[int], now: datetime) -> int | None:
    """Return the id of a domain for a test order; None if no domain fits or the last order is too recent.

    The test shows whether a limit is for the whole service. So the registrable domain is not one of the
    refused domains. If possible, the account is not one of the refused accounts.
    """
    recent = select(AcmeOrder.id).where(AcmeOrder.began_at > now - LIMIT_TESTED_EACH)
    if session.scalar(recent.limit(1)) is not None:
        return None
    refused = refused_orders(session, now)
    zones, accounts = {registrable(row.host) for row in refused}, {row.account_id for row in refused}
    query = select(Domain.id, Domain.host, Project.account_id).join(Project, Project.id == Domain.project_id)
    found = {row.id: row for row in session.execute(query.where(Domain.id.in_(due)))}
    others = [found[each] for each in due if each in found and registrable(found[each].host) not in zones]
    others.sort(key=lambda row: row.account_id in accounts)
    return others[0].id if others else None
