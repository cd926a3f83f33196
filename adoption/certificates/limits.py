"""What the authority bears: how often it may be asked for one host, and whether it takes orders at all."""

from datetime import datetime, timedelta

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from adoption.certificates.models import Certificate, Order
from adoption.certificates.problems import RATE_LIMITED
from adoption.domains.models import Domain
from adoption.domains.names import registrable

HOUR = timedelta(hours=1)
ZONES_LIMITED = 3
"""Zones whose hosts the authority takes no order for at a time, from which on it is taken to limit us as a
whole: for that and for a limit of one host it has the same code (RFC 8555, 6.6)."""
MOST_AN_HOUR = 4
"""Failures of one host in an hour after which a press does not bring the next try forward: Let's Encrypt
allows five."""


def limited_until(session: Session, now: datetime) -> datetime | None:
    """Until when the authority takes orders for no host of ours; None where it does as far as is known."""
    refused = (
        select(Domain.host, Order.failed_at, Order.next_try_at)
        .join(Order, Order.domain_id == Domain.id)
        .where(Order.code == RATE_LIMITED, Order.address == "", Order.next_try_at > now)
        .order_by(Order.failed_at)
    )
    rows = session.execute(refused).all()
    last_of_zones = sorted({registrable(row.host): row.failed_at for row in rows}.values())
    if len(last_of_zones) < ZONES_LIMITED:
        return None
    since = last_of_zones[-ZONES_LIMITED]
    taken = exists().where(Order.address != "", Order.began_at > since)
    issued = exists().where(Certificate.issued_at > since)
    return None if session.scalar(select(or_(taken, issued))) else min(row.next_try_at for row in rows)
