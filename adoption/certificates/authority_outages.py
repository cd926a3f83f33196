"""Outages of the certificate authority. During an outage, only one order at a time contacts the authority.

An order that cannot reach the authority waits. If several orders in a row fail to reach the authority, the
authority counts as down. Then no new order begins, and one existing order probes the authority at growing
intervals. The outage ends with the first answer.
"""

from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.certificates.models import AcmeOrder, AuthorityOutage
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction

OUTAGE_ID = 1
"""The id of the table's only row, because an installation uses one authority."""
FEWEST_ORDERS, FEWEST_ACCOUNTS = 3, 2
"""The authority counts as down after this number of failed orders in a row, if the orders belong to at least
this number of accounts."""
ORDERS_OF_ONE_ACCOUNT = 10
"""The authority also counts as down after this number of failed orders in a row, even if all of the orders
belong to one account."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=15)
"""The shortest and the longest pause between probes."""
VERIFY_PROBE_PAUSE = timedelta(seconds=15)
"""The minimum pause between two probes if a person pressed Verify."""


def current_outage(session: Session) -> AuthorityOutage | None:
    """Return the current outage; None if the authority is not down."""
    row = session.get(AuthorityOutage, OUTAGE_ID)
    return row if row is not None and row.down_since is not None else None


def outage_words(session: Session) -> str:
    """Return a sentence about the current outage; empty if there is none."""
    outage = current_outage(session)
    if outage is None:
        return ""
    return f"The certificate authority has not answered since {outage.down_since:%Y-%m-%d %H:%M} UTC."


def is_down() -> bool:
    with reading() as session:
        return current_outage(session) is not None


def lock_outage(session: Session) -> AuthorityOutage:
    """Return the outage's row, locked. Always lock this row before orders."""
    row = session.get(AuthorityOutage, OUTAGE_ID, with_for_update=True)
    if row is not None:
        return row
    try:
        with session.begin_nested():
            row = AuthorityOutage(id=OUTAGE_ID, probes=0)
            session.add(row)
            session.flush()
        return row
    except IntegrityError:  # another process created it at the same moment
        return session.get_one(AuthorityOutage, OUTAGE_ID, with_for_update=True)


def record_unreached_authority(
    session: Session, row: AuthorityOutage, now: datetime, not_before: datetime
) -> bool:
    """Record that an order did not reach the authority. Return whether the authority counts as down.

    The caller has to set the order's ``postponed_at`` first.
    """
    row.failing_since = row.failing_since or now
    if row.down_since is not None:
        row.probes += 1
    elif have_enough_orders_failed(session, row.failing_since):
        row.down_since, row.probes = row.failing_since, 0
    else:
        return False
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(row.probes, 10))
    row.probed_at, row.next_probe_at = now, max(now + pause, not_before)
    return True


def have_enough_orders_failed(session: Session, since: datetime) -> bool:
    """Return whether enough orders have failed since the last answer that the authority counts as down."""
    orders, accounts = session.execute(
        select(func.count(AcmeOrder.id), func.count(Project.account_id.distinct()))
        .join(Domain, Domain.id == AcmeOrder.domain_id)
        .join(Project, Project.id == Domain.project_id)
        .where(AcmeOrder.postponed_at >= since)
    ).one()
    return orders >= ORDERS_OF_ONE_ACCOUNT or (orders >= FEWEST_ORDERS and accounts >= FEWEST_ACCOUNTS)


def record_answering_authority(now: datetime) -> None:
    """Record that the authority answered. After an outage, all orders continue."""
    with reading() as session:
        row = session.get(AuthorityOutage, OUTAGE_ID)
    if row is None or row.failing_since is None:
        return
    with transaction() as session:
        row = lock_outage(session)
        if row.down_since is not None:
            waiting = AcmeOrder.postponed_at.is_not(None), AcmeOrder.next_step_at > now
            session.execute(update(AcmeOrder).where(*waiting).values(next_step_at=now))
            row.ended_at = now
        row.failing_since = row.down_since = row.next_probe_at = None
        row.probes = 0


def waiting_since(order: AcmeOrder, row: AuthorityOutage | None) -> datetime:
    """Return the time since which an order waits for the authority, without an outage that has ended."""
    ended_at = row.ended_at if row is not None else None
    return max(order.began_at, ended_at or order.began_at)
