"""Renewals on an operator's request. The limits of automatic renewals apply to them too."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.certificates.authority_outages import outage_words
from adoption.certificates.authority_rate_limits import limited_until
from adoption.certificates.certificate_states import ISSUED, LIVE, may_be_hurried
from adoption.certificates.models import FAILED, AcmeOrder, Certificate
from adoption.certificates.problem_advice import advice
from adoption.certificates.renewal_times import soonest_renewal
from adoption.certificates.x509 import read_certificate
from adoption.clocks import Clock
from adoption.domains.additions import demand_plan_and_deploy
from adoption.domains.early_certificates import may_be_ordered
from adoption.domains.models import VERIFIED, Domain
from adoption.errors import Conflict, NotFound
from adoption.projects.models import Project
from adoption.storage import queue
from adoption.storage.database import reading, transaction

WAITING = "waiting"
"""The state of a renewal whose order has not begun."""
REMOVED = "removed"
POLLED_EACH = 0.5
"""The polling interval in seconds."""


class Renewal(NamedTuple):
    """A requested renewal, with facts about the domain before the request."""

    domain_id: int
    host: str
    serial: str | None
    """The serial number of the certificate to replace."""
    failures: frozenset[datetime | None]
    """The failure times of earlier orders."""
    goal: str
    """The state in which the renewal has succeeded: ``live``, or ``issued`` if the host does not lead here
    yet."""

    def is_over(self, progress: "RenewalProgress") -> bool:
        return progress.state in (self.goal, LIVE, FAILED, REMOVED)

    def has_succeeded(self, progress: "RenewalProgress") -> bool:
        return progress.state in (self.goal, LIVE)


class RenewalProgress(NamedTuple):
    state: str
    """The state: ``waiting``, ``ordering``, ``validating``, ``issued``, ``live``, ``failed`` or
    ``removed``."""
    code: str | None = None
    detail: str | None = None
    """The reason for a failure or a wait, as a sentence."""
    who: str | None = None
    """The person who has to act on a failure."""
    not_after: datetime | None = None
    next_try: datetime | None = None


def request_renewal(domain_id: int, now: datetime) -> Renewal:
    """Make a domain's next order due now, unless an order is under way.

    Raises NotFound if the domain does not exist, PlanRequired if the plan includes no domains, and Conflict
    if DNS or a limit does not allow an order now.
    """
    with transaction() as session:
        # Lock the domain before its certificate, as a removal does.
        domain = session.get(Domain, domain_id, with_for_update=True)
        if domain is None:
            raise NotFound("The domain was removed.")
        demand_dns(session, domain)
        held = session.get(Certificate, domain_id, with_for_update=True)
        orders = session.scalars(
            select(AcmeOrder).where(AcmeOrder.domain_id == domain_id).order_by(AcmeOrder.id)
        ).all()
        if not (orders and orders[-1].state != FAILED):
            demand_limits(session, domain, held, list(orders), now)
            if held is not None:
                held.renew_at = min(held.renew_at, now)
        domain.pressed_at = now
        failures = frozenset(each.failed_at for each in orders if each.state == FAILED)
        renewal = Renewal(domain_id, domain.host, held.serial if held else None, failures, goal_state(domain))
    queue.start_job("order_certificates")
    return renewal


def goal_state(domain: Domain) -> str:
    return LIVE if domain.state == VERIFIED else ISSUED


def demand_dns(session: Session, domain: Domain) -> None:
    """Demand a published site and DNS that allows a certificate.

    Raises PlanRequired if the plan includes no domains, and Conflict if the site or DNS is not ready.
    """
    demand_plan_and_deploy(session, session.get_one(Project, domain.project_id))
    if not may_be_ordered(domain):
        raise Conflict(f"DNS of {domain.host} does not lead here. Run: homeward domain verify {domain.host}")
    if domain.unresolved_since is not None:
        raise Conflict(
            f"Resolvers refuse the records of {domain.host}: its DNSSEC is probably broken. "
            f"Run: homeward domain verify {domain.host}"
        )
    if not domain.caa_allows:
        raise Conflict(
            f"At the last check, the CAA records of {domain.host} did not let our certificate authority "
            f"issue a certificate for it. Run: homeward domain verify {domain.host}"
        )


def demand_limits(
    session: Session, domain: Domain, held: Certificate | None, orders: list[AcmeOrder], now: datetime
) -> None:
    """Raise Conflict if the authority's rate limits forbid an order, or the last certificate is too new."""
    if until := limited_until(session, now):
        raise Conflict(
            f"The authority limits all our orders. The next order may begin at {utc_minute(until)}."
        )
    if orders and (again := orders[-1].next_try_at) and again > now and not may_be_hurried(orders, now):
        raise Conflict(
            f"The last order for {domain.host} failed ({orders[-1].code}), and the authority "
            f"limits new orders. The next order may begin at {utc_minute(again)}."
        )
    if held and (rests_until := soonest_renewal(read_certificate(held.chain), held.issued_at)) > now:
        raise Conflict(
            f"The certificate of {domain.host} was issued at {utc_minute(held.issued_at)}. It "
            f"may be renewed from {utc_minute(rests_until)} on."
        )


def utc_minute(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} UTC"


def follow_renewal(
    renewal: Renewal, clock: Clock, wait: Callable[[float], None], seconds: float
) -> Iterator[RenewalProgress]:
    """Yield each new state of a renewal until it ends or ``seconds`` have passed."""
    ends, last = clock() + timedelta(seconds=seconds), None
    while True:
        with reading() as session:
            progress = read_progress(session, renewal)
        if progress != last:
            yield progress
            last = progress
        if renewal.is_over(progress) or clock() >= ends:
            return
        wait(POLLED_EACH)


def read_progress(session: Session, renewal: Renewal) -> RenewalProgress:
    if session.get(Domain, renewal.domain_id) is None:
        return RenewalProgress(REMOVED, detail="The domain was removed.")
    held = session.get(Certificate, renewal.domain_id)
    if held is not None and held.serial != renewal.serial:
        state = LIVE if held.seen_at else ISSUED
        return RenewalProgress(state, detail=held.unseen_why or None, not_after=held.not_after)
    not_after = held.not_after if held else None
    newest = (
        select(AcmeOrder)
        .where(AcmeOrder.domain_id == renewal.domain_id)
        .order_by(AcmeOrder.id.desc())
        .limit(1)
    )
    order = session.scalar(newest)
    if order is None or (order.state == FAILED and order.failed_at in renewal.failures):
        return RenewalProgress(WAITING, detail=outage_words(session) or None, not_after=not_after)
    if order.state != FAILED:
        return RenewalProgress(order.state, detail=order.unreached_why or None, not_after=not_after)
    who = advice(order.code, renewal.host).who
    return RenewalProgress(FAILED, order.code, order.detail, who, not_after, order.next_try_at)
