"""Outages of the certificate authority: while it answers nobody, it is asked by one order at a time.

A single order that fails to reach the authority waits alone. Where several in a row fail, the authority as a
whole is down: no order begins, and one of them probes it, ever less often, until an answer comes.
"""

from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.certificates.models import AcmeOrder, AuthorityOutage
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction

ROW = 1
"""Of the one authority that this installation uses."""
FEWEST_ORDERS, FEWEST_ACCOUNTS = 3, 2
"""How many in a row have to fail before the authority counts as down."""
MANY_ORDERS = 10
"""How many of them suffice if they are all of one account."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=15)
"""Between probes."""
PRESSED_PAUSE = timedelta(seconds=15)
"""Between probes that people press for."""


def current_outage(session: Session) -> AuthorityOutage | None:
    """Return the outage that is going on, if there is one."""
    row = session.get(AuthorityOutage, ROW)
    return row if row is not None and row.down_since is not None else None


def outage_words(session: Session) -> str:
    """Return since when the authority has not answered, as a sentence; empty where it does."""
    outage = current_outage(session)
    if outage is None:
        return ""
    return f"The certificate authority has not answered since {outage.down_since:%Y-%m-%d %H:%M} UTC."


def is_down() -> bool:
    with reading() as session:
        return current_outage(session) is not None


def lock_row(session: Session) -> AuthorityOutage:
    """Lock the row, which everyone locks before orders."""
    row = session.get(AuthorityOutage, ROW, with_for_update=True)
    if row is not None:
        return row
    try:
        with session.begin_nested():
            row = AuthorityOutage(id=ROW, probes=0)
            session.add(row)
            session.flush()
        return row
    except IntegrityError:  # another process created it at the same moment
        return session.get_one(AuthorityOutage, ROW, with_for_update=True)


def note_unreached(session: Session, row: AuthorityOutage, now: datetime, not_before: datetime) -> bool:
    """Note that an order did not reach the authority. Return whether the authority counts as down.

    The order says so already by its ``postponed_at``.
    """
    row.failing_since = row.failing_since or now
    if row.down_since is not None:
        row.probes += 1
    elif is_beyond_one(session, row.failing_since):
        row.down_since, row.probes = row.failing_since, 0
    else:
        return False
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(row.probes, 10))
    row.probed_at, row.next_probe_at = now, max(now + pause, not_before)
    return True


def is_beyond_one(session: Session, since: datetime) -> bool:
    """Return whether enough orders failed to reach the authority since the last answer."""
    orders, accounts = session.execute(
        select(func.count(AcmeOrder.id), func.count(Project.account_id.distinct()))
        .join(Domain, Domain.id == AcmeOrder.domain_id)
        .join(Project, Project.id == Domain.project_id)
        .where(AcmeOrder.postponed_at >= since)
    ).one()
    return orders >= MANY_ORDERS or (orders >= FEWEST_ORDERS and accounts >= FEWEST_ACCOUNTS)


def note_answer(now: datetime) -> None:
    """Note that the authority answered: after an outage all orders go on."""
    with reading() as session:
        row = session.get(AuthorityOutage, ROW)
    if row is None or row.failing_since is None:
        return
    with transaction() as session:
        row = lock_row(session)
        if row.down_since is not None:
            waiting = AcmeOrder.postponed_at.is_not(None), AcmeOrder.next_step_at > now
            session.execute(update(AcmeOrder).where(*waiting).values(next_step_at=now))
            row.ended_at = now
        row.failing_since = row.down_since = row.next_probe_at = None
        row.probes = 0


def waiting_since(order: AcmeOrder, row: AuthorityOutage | None) -> datetime:
    """Return since when the authority could have finished an order: the last outage does not count."""
    ended_at = row.ended_at if row is not None else None
    return max(order.began_at, ended_at or order.began_at)
