"""The choice of the order whose step is next.

Accounts take turns. During an outage, one order probes the authority.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from adoption.certificates import authority_outages
from adoption.certificates.models import AcmeOrder, AuthorityOutage
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction

CLAIMED_FOR = timedelta(minutes=3)
"""The duration of a claim. A step takes less time, so a claim expires only if its process died."""
SOON = timedelta(seconds=5)


class AccountRotation:
    """The turns of accounts. The account whose last turn was longest ago is next."""

    def __init__(self) -> None:
        self.taken: dict[int, int] = {}
        self.count = 0

    def take(self, account_ids: list[int]) -> int:
        """Return the account whose turn it is.

        Accounts without an earlier turn come first, in the given order.
        """
        account_id = min(account_ids, key=lambda each: self.taken.get(each, 0))
        self.count += 1
        self.taken[account_id] = self.count
        return account_id


def claim_step(turns: AccountRotation, now: datetime) -> int | None:
    """Claim an order whose next step is due, or for which a person pressed Verify. Return the id, or None."""
    with reading() as session:
        is_down = authority_outages.current_outage(session) is not None
        accounts = [] if is_down else accounts_due(session, now)
    if is_down:
        return claim_probe(now)
    return claim_account_order(turns.take(accounts), now) if accounts else None


def accounts_due(session: Session, now: datetime) -> list[int]:
    """Return the accounts with a step due. The account that has waited longest is first."""
    due = select(Project.account_id).join(Domain, Domain.project_id == Project.id)
    due = (
        due.join(AcmeOrder, AcmeOrder.domain_id == Domain.id)
        .where(step_due_clause(now))
        .group_by(Project.account_id)
    )
    return list(session.scalars(due.order_by(func.min(AcmeOrder.next_step_at), Project.account_id)))


def claim_account_order(account_id: int, now: datetime) -> int | None:
    """Claim an order of this account. Orders whose last step reached the authority come first."""
    due = (
        select(AcmeOrder)
        .join(Domain, Domain.id == AcmeOrder.domain_id)
        .join(Project, Project.id == Domain.project_id)
        .where(Project.account_id == account_id, step_due_clause(now))
        .order_by(AcmeOrder.postponed_at.is_not(None), AcmeOrder.next_step_at, AcmeOrder.id)
        .limit(1)
    )
    with transaction() as session:
        order = session.scalar(due.with_for_update(skip_locked=True, of=AcmeOrder))
        return None if order is None else mark_claimed(order, now)


def claim_probe(now: datetime) -> int | None:
    """Claim an order to probe the authority during an outage. Return None if no probe is due."""
    with transaction() as session:
        outage = authority_outages.lock_outage(session)
        if outage.down_since is None:
            return None
        due = (
            select(AcmeOrder).join(Domain, Domain.id == AcmeOrder.domain_id).where(probe_clause(outage, now))
        )
        due = due.order_by(AcmeOrder.postponed_at.nulls_last(), AcmeOrder.id).limit(1)
        order = session.scalar(due.with_for_update(skip_locked=True, of=AcmeOrder))
        if order is not None:
            outage.probed_at, outage.next_probe_at = now, now + CLAIMED_FOR
            return mark_claimed(order, now)
        if session.scalar(select(AcmeOrder.id).where(AcmeOrder.next_step_at.is_not(None)).limit(1)) is None:
            outage.down_since = outage.failing_since = (
                None  # no order is left: the next new order is the probe
            )
        return None


def probe_clause(outage: AuthorityOutage, now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for orders that can probe the authority.

    After the pause, these are all orders under way. During the pause, these are the orders for which a person
    pressed Verify since the last probe.
    """
    under_way = AcmeOrder.next_step_at.is_not(None)
    if outage.next_probe_at is None or outage.next_probe_at <= now:
        return under_way
    if outage.probed_at is None or outage.probed_at > now - authority_outages.VERIFY_PROBE_PAUSE:
        return false()
    return and_(under_way, verify_requested_clause(outage, now))


def verify_requested_clause(outage: AuthorityOutage, now: datetime) -> ColumnElement[bool]:
    return and_(Domain.pressed_at > outage.probed_at, Domain.pressed_at <= now)


def step_due_clause(now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for orders with a step due.

    If a step failed, pressing Verify makes the next step due.
    """
    pressed = verify_requested_since_clause(AcmeOrder.postponed_at, now)
    return and_(AcmeOrder.next_step_at.is_not(None), or_(AcmeOrder.next_step_at <= now, pressed))


def mark_claimed(order: AcmeOrder, now: datetime) -> int:
    order.next_step_at, order.postponed_at = now + CLAIMED_FOR, None
    return order.id


def verify_requested_since_clause(
    last: InstrumentedAttribute[datetime | None], now: datetime
) -> ColumnElement[bool]:
    """Return the SQL condition for domains for which a person pressed Verify since ``last``.

    Times in the future come from a clock that was ahead. Such times do not count. Otherwise, steps would
    repeat without a pause until then.
    """
    return and_(Domain.pressed_at > last, Domain.pressed_at <= now)


def is_step_soon(now: datetime) -> bool:
    """Return whether a step is due within seconds."""
    with reading() as session:
        if outage := authority_outages.current_outage(session):
            pressed = select(AcmeOrder.id).join(Domain, Domain.id == AcmeOrder.domain_id)
            pressed = pressed.where(
                AcmeOrder.next_step_at.is_not(None), verify_requested_clause(outage, now)
            ).limit(1)
            is_near = outage.next_probe_at is None or outage.next_probe_at <= now + SOON
            return is_near or session.scalar(pressed) is not None
        return (
            session.scalar(select(AcmeOrder.id).where(AcmeOrder.next_step_at <= now + SOON).limit(1))
            is not None
        )
