"""The queue of certificate orders: which domains need an order, and which order begins next.

The database contains the whole state of the queue. Each order that has a step due takes one of the queue's
places. An order that waits for the authority or for a pause takes no place.
"""

import logging
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import CompoundSelect, Select, and_, delete, exists, func, select, union_all, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from adoption.accounts.models import Account
from adoption.certificates import authority_outages
from adoption.certificates.authority_rate_limits import HOUR, MOST_AN_HOUR, domain_to_test, limited_until
from adoption.certificates.key_encryption import Vault
from adoption.certificates.models import FAILED, ORDERING, UNDER_WAY, AcmeOrder, Certificate
from adoption.certificates.problem_advice import RATE_LIMITED
from adoption.certificates.x509 import new_private_key
from adoption.domains.early_certificates import orderable_clause
from adoption.domains.models import Domain
from adoption.domains.queries import lock_against_removal
from adoption.domains.site_lookup import PLAN_GIVES
from adoption.projects.models import Project
from adoption.projects.published_sites import LIVE
from adoption.storage.database import reading, transaction

log = logging.getLogger("homeward.certificates")

ORDERS_MOST = 20
"""The number of places in the queue. If orders with a step due take all places, no other order begins."""
ORDERS_OF_ONE_ACCOUNT_MOST = 5
"""The maximum of places for one account, so that an account does not delay other accounts."""
EXPIRES_SOON = timedelta(days=7)
"""The remaining life of a certificate below which its renewal comes first."""
KEPT_FOR = timedelta(days=7)
"""The time for which failed orders are stored. The number of stored orders determines the pause before the
next order, so this time is longer than the longest pause."""


def domains_due(now: datetime) -> Select[int]:
    """Select the ids of domains that need a new order, unsorted."""
    own = AcmeOrder.domain_id == Domain.id
    other = aliased(AcmeOrder)
    this_hour = (
        select(func.count(other.id))
        .where(other.domain_id == Domain.id, other.failed_at > now - HOUR)
        .correlate(Domain)
        .scalar_subquery()
    )
    pressed = and_(
        Domain.pressed_at > AcmeOrder.failed_at, AcmeOrder.code != RATE_LIMITED, this_hour < MOST_AN_HOUR
    )
    waits = exists().where(own, AcmeOrder.next_try_at > now, ~func.coalesce(pressed, False))
    # A subquery instead of a join, so that it runs only for the few domains that need a certificate.
    shows = (
        exists()
        .where(Project.id == Domain.project_id, LIVE, Account.id == Project.account_id, PLAN_GIVES)
        .correlate(Domain)
    )
    return select(Domain.id).where(
        orderable_clause(),
        Domain.caa_allows,
        Domain.unresolved_since.is_(None),
        Domain.id.in_(needing_certificate(now)),
        ~exists().where(own, UNDER_WAY),
        ~waits,
        shows,
    )


def needing_certificate(now: datetime) -> CompoundSelect[int]:
    """Select the ids of domains without a certificate, and of domains whose renewal is due.

    Both parts of the query use an index, so domains that need nothing take no time. A domain without a
    certificate is never live, so its ``live_until`` is empty.
    """
    bare = aliased(Domain)
    has = exists().where(Certificate.domain_id == bare.id)
    without = select(bare.id).where(bare.live_until.is_(None), ~has)
    return union_all(without, select(Certificate.domain_id).where(Certificate.renew_at <= now))


def places_taken(session: Session, now: datetime) -> dict[int, int]:
    """Return the number of orders with a step due, by account."""
    busy = select(Project.account_id, func.count(AcmeOrder.id)).join(Domain, Domain.project_id == Project.id)
    busy = busy.join(AcmeOrder, AcmeOrder.domain_id == Domain.id).group_by(Project.account_id)
    busy = busy.where(AcmeOrder.next_step_at <= now, AcmeOrder.postponed_at.is_(None))
    return dict(iter(session.execute(busy)))


def next_domains(session: Session, now: datetime) -> list[int]:
    """Return the domains whose orders begin next, at most one domain for each free place.

    Domains without a certificate come first, together with domains whose certificate expires soon. Accounts
    alternate: the first domain of each account, then the second domain of each account, and so on. So large
    accounts do not delay small accounts.
    """
    taken = places_taken(session, now)
    free = ORDERS_MOST - sum(taken.values())
    if free <= 0:
        return []
    good = exists().where(Certificate.domain_id == Domain.id, Certificate.not_after > now + EXPIRES_SOON)
    order = (Domain.verified_at.nulls_last(), Domain.id)  # early certificates have no visitors yet
    rank = func.row_number().over(partition_by=(Project.account_id, good), order_by=order)
    due = domains_due(now).join(Project, Project.id == Domain.project_id)
    ranked = due.add_columns(Project.account_id, good.label("good"), rank.label("rank"), Domain.verified_at)
    each = ranked.subquery()
    seen = select(each.c.id, each.c.account_id).where(each.c.rank <= ORDERS_OF_ONE_ACCOUNT_MOST)
    seen = seen.order_by(each.c.good, each.c.rank, each.c.verified_at.nulls_last(), each.c.id)
    chosen: list[int] = []
    for domain_id, account_id in session.execute(seen):
        if len(chosen) == free:
            break
        if taken.get(account_id, 0) < ORDERS_OF_ONE_ACCOUNT_MOST:
            taken[account_id] = taken.get(account_id, 0) + 1
            chosen.append(domain_id)
    return chosen


def has_due(session: Session, account_id: int, now: datetime) -> bool:
    """Return whether an order of the account is due and may begin."""
    if authority_outages.current_outage(session) or limited_until(session, now):
        return False
    due = domains_due(now).join(Project, Project.id == Domain.project_id)
    return session.scalar(due.where(Project.account_id == account_id).limit(1)) is not None


class QueueState(NamedTuple):
    """The reasons why an order of an account is due but cannot begin within a minute."""

    down_since: datetime | None = None
    """The time since which the authority has not answered; None if it answers."""
    next_probe_at: datetime | None = None
    """The time of the next probe of the authority."""
    is_full: bool = False
    """Whether all places are taken, or all places that one account can have."""


def state_of_queue(session: Session, account_id: int, now: datetime) -> QueueState:
    if outage := authority_outages.current_outage(session):
        return QueueState(outage.down_since, outage.next_probe_at)
    taken = places_taken(session, now)
    due = domains_due(now).join(Project, Project.id == Domain.project_id)
    own = session.scalars(
        due.where(Project.account_id == account_id).limit(ORDERS_OF_ONE_ACCOUNT_MOST + 1)
    ).all()
    is_full = (
        sum(taken.values()) >= ORDERS_MOST or taken.get(account_id, 0) + len(own) > ORDERS_OF_ONE_ACCOUNT_MOST
    )
    return QueueState(is_full=is_full)


def begin_due_orders(vault: Vault, now: datetime) -> bool:
    """Begin due orders, at most one for each free place. Return whether an order began.

    No order begins while the authority is down. While the authority seems to limit this whole service, only a
    test order begins from time to time.
    """
    with reading() as session:
        if authority_outages.current_outage(session):
            return False
        due = next_domains(session, now)
        if due and limited_until(session, now):
            tested = domain_to_test(session, due, now)
            due = [] if tested is None else [tested]
    for domain_id in due:
        begin_order(domain_id, vault, now)
    return bool(due)


def begin_order(domain_id: int, vault: Vault, now: datetime) -> None:
    sealed = vault.seal(new_private_key())
    try:
        with transaction() as session:
            if lock_against_removal(session, domain_id) is None:
                return
            before = AcmeOrder.domain_id == domain_id, AcmeOrder.state == FAILED
            session.execute(delete(AcmeOrder).where(*before, AcmeOrder.failed_at < now - KEPT_FOR))
            session.execute(update(AcmeOrder).where(*before).values(next_try_at=None))
            session.add(
                AcmeOrder(
                    domain_id=domain_id,
                    state=ORDERING,
                    private_key=sealed,
                    address="",
                    token="",
                    key_authorization="",
                    began_at=now,
                    next_step_at=now,
                    unreached=0,
                    unreached_why="",
                    code="",
                    detail="",
                )
            )
    except IntegrityError:
        log.info("the order of domain %d was begun elsewhere at the same moment", domain_id)
