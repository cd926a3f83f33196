"""Which domains an order is begun for, and when: it follows from rows, so that nobody has to tell of it."""

import logging
from datetime import datetime

from sqlalchemy import Select, and_, delete, exists, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from adoption.accounts.models import Account
from adoption.certificates.keys import new_key
from adoption.certificates.limits import HOUR, MOST_AN_HOUR, limited_until
from adoption.certificates.models import FAILED, ORDERING, UNDER_WAY, Certificate, Order
from adoption.certificates.order_steps import DAY
from adoption.certificates.problems import RATE_LIMITED
from adoption.certificates.vault import Vault
from adoption.database import reading, transaction
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.queries import held_fast
from adoption.domains.serving import PLAN_GIVES
from adoption.projects.models import Project
from adoption.projects.queries import LIVE

log = logging.getLogger("homeward.certificates")

MOST_UNDER_WAY = 20
KEPT_FOR = 7 * DAY
"""How long a failure is known, for the next pause: longer than the longest one."""


def domains_due(now: datetime) -> Select[int]:
    """The domains that an order is to be begun for, those that have waited for the longest first."""
    own = Order.domain_id == Domain.id
    other = aliased(Order)
    this_hour = (
        select(func.count(other.id))
        .where(other.domain_id == Domain.id, other.failed_at > now - HOUR)
        .correlate(Domain)
        .scalar_subquery()
    )
    pressed = and_(Domain.pressed_at > Order.failed_at, Order.code != RATE_LIMITED, this_hour < MOST_AN_HOUR)
    waits = exists().where(own, Order.next_try_at > now, ~func.coalesce(pressed, False))
    has = exists().where(Certificate.domain_id == Domain.id)
    to_renew = select(Certificate.domain_id).where(Certificate.renew_at <= now)
    # Looked for one by one, and only for the few that need a certificate.
    shows = (
        exists()
        .where(Project.id == Domain.project_id, LIVE, Account.id == Project.account_id, PLAN_GIVES)
        .correlate(Domain)
    )
    return (
        select(Domain.id)
        .where(
            Domain.state == VERIFIED,
            Domain.caa_allows,
            or_(~has, Domain.id.in_(to_renew)),
            ~exists().where(own, UNDER_WAY),
            ~waits,
            shows,
        )
        .order_by(Domain.verified_at, Domain.id)
    )


def begin_due_orders(vault: Vault, now: datetime) -> bool:
    """Begin an order wherever one is due, as long as not too many are under way; False where none is.

    While the authority limits us as a whole none is begun: each would be refused, and counted against us.
    """
    with reading() as session:
        if limited_until(session, now):
            return False
        under_way = session.scalar(select(func.count(Order.id)).where(UNDER_WAY)) or 0
        due = session.scalars(domains_due(now).limit(max(0, MOST_UNDER_WAY - under_way))).all()
    for domain_id in due:
        begin_order(domain_id, vault, now)
    return bool(due)


def begin_order(domain_id: int, vault: Vault, now: datetime) -> None:
    sealed = vault.seal(new_key())
    try:
        with transaction() as session:
            if held_fast(session, domain_id) is None:
                return
            before = Order.domain_id == domain_id, Order.state == FAILED
            session.execute(delete(Order).where(*before, Order.failed_at < now - KEPT_FOR))
            session.execute(update(Order).where(*before).values(next_try_at=None))
            session.add(
                Order(
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
