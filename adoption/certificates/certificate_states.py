"""The status of a domain's certificate, without regard to the domain's DNS."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.certificates.authority_rate_limits import HOUR, MOST_AN_HOUR
from adoption.certificates.models import FAILED, ORDERING, VALIDATING, AcmeOrder, Certificate
from adoption.certificates.problem_advice import RATE_LIMITED, UNREACHED, UNSPECIFIED

NONE, ISSUED, LIVE, EXPIRED = "none", "issued", "live", "expired"
UNSEEN = "unseen"
STATES = (NONE, ORDERING, VALIDATING, ISSUED, LIVE, FAILED, EXPIRED)


class CertificateStatus(NamedTuple):
    """The certificate status of one domain for pages and commands."""

    state: str = NONE
    """The state: ``none``, ``ordering``, ``validating``, ``issued``, ``live``, ``failed`` or ``expired``."""
    code: str | None = None
    """The code of the last order's failure, if no order has succeeded since. An older certificate may still
    be live."""
    detail: str | None = None
    """The authority's description of the failure."""
    failed_at: datetime | None = None
    next_try_at: datetime | None = None
    hurries: bool = False
    """Whether pressing Verify speeds up the next try."""
    unreached_why: str = ""
    """The reason why the last request did not reach the authority, as a sentence; empty if it did."""
    unseen_why: str = ""
    """A sentence that says what the edge shows in place of the certificate; empty if the edge shows it."""
    looked_at: datetime | None = None
    """The time of the last check of the edge."""
    issued_at: datetime | None = None
    live_since: datetime | None = None
    not_after: datetime | None = None
    renew_at: datetime | None = None

    @property
    def waits(self) -> bool:
        """Whether the state may change automatically within minutes."""
        return self.state in (ORDERING, VALIDATING, ISSUED)


def certificate_statuses(
    session: Session, domain_ids: Collection[int], now: datetime
) -> dict[int, CertificateStatus]:
    """Return the status of each of these domains."""
    held = {
        each.domain_id: each
        for each in session.scalars(select(Certificate).where(Certificate.domain_id.in_(domain_ids)))
    }
    made: dict[int, list[AcmeOrder]] = {number: [] for number in domain_ids}
    for order in session.scalars(
        select(AcmeOrder).where(AcmeOrder.domain_id.in_(domain_ids)).order_by(AcmeOrder.id)
    ):
        made[order.domain_id].append(order)
    return {number: certificate_status(held.get(number), orders, now) for number, orders in made.items()}


def certificate_status(
    held: Certificate | None, orders: Sequence[AcmeOrder], now: datetime
) -> CertificateStatus:
    """Return the status. ``orders`` are the orders since the last success, with the newest at the end."""
    made = CertificateStatus()
    if orders:
        order = orders[-1]
        made = CertificateStatus(
            order.state,
            (order.code or UNSPECIFIED) if order.state == FAILED else None,
            order.detail or None,
            order.failed_at,
            order.next_try_at,
            may_be_hurried(orders, now),
            order.unreached_why,
        )
    if held is None:
        return made
    return made._replace(
        state=certificate_state(held, now),
        unseen_why=held.unseen_why,
        looked_at=held.looked_at,
        issued_at=held.issued_at,
        live_since=held.live_since,
        not_after=held.not_after,
        renew_at=held.renew_at,
    )


def is_tried_again(status: CertificateStatus, pressed_at: datetime | None, now: datetime) -> bool:
    """Return whether the next round begins a new order. ``order_queue.domains_due`` has the same rules."""
    due = status.next_try_at is None or status.next_try_at <= now
    pressed = bool(pressed_at and status.failed_at and pressed_at > status.failed_at)
    return due or (pressed and status.hurries)


def may_be_hurried(orders: Sequence[AcmeOrder], now: datetime) -> bool:
    """Return whether pressing Verify speeds up the next try. ``order_queue.domains_due`` has the same rule.

    Verify has no effect during the authority's rate limits, or after many failures in an hour.
    """
    this_hour = sum(order.failed_at is not None and order.failed_at > now - HOUR for order in orders)
    return orders[-1].state == FAILED and orders[-1].code != RATE_LIMITED and this_hour < MOST_AN_HOUR


def certificate_state(held: Certificate, now: datetime) -> str:
    if held.not_after <= now:
        return EXPIRED
    return LIVE if held.seen_at else ISSUED


def as_json(status: CertificateStatus) -> dict[str, str | None]:
    """Return the object that ``homeward domain verify --json`` prints. Times are in RFC 3339."""
    not_after = status.not_after
    code, detail = status_reason(status)
    return {
        "state": status.state,
        "code": code,
        "detail": detail,
        "not_after": f"{not_after:%Y-%m-%dT%H:%M:%SZ}" if not_after else None,
    }


def status_reason(status: CertificateStatus) -> tuple[str | None, str | None]:
    """Return the code and the description of a problem at the authority or the edge, or two None."""
    if status.code:
        return status.code, status.detail
    if status.unreached_why:
        return UNREACHED, status.unreached_why
    return (UNSEEN, status.unseen_why) if status.unseen_why else (None, None)
