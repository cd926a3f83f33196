"""Rows of certificates and orders, for tests without an authority."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, update

from adoption.certificates.models import FAILED, ORDERING, AcmeOrder, Certificate
from adoption.domains.models import Domain
from adoption.storage.database import transaction

FAR = timedelta(days=3650)
"""A delay that no test reaches. Jobs with this delay do not run."""


def add_certificate(domain_id: int, now: datetime, **rest: object) -> None:
    """Add a live certificate of 90 days, and delete the domain's orders.

    ``rest`` has values of other columns.
    """
    given: dict[str, Any] = {
        "chain": "",
        "private_key": "",
        "serial": "1a",
        "issued_at": now,
        "not_after": now + timedelta(days=90),
        "renew_at": now + timedelta(days=60),
        "ask_renewal_at": now + FAR,
        "live_since": now,
        "seen_at": now,
        "looked_at": now,
        "next_look_at": None,
        "unseen_why": "",
    }
    given |= rest
    with transaction() as session:
        session.execute(delete(AcmeOrder).where(AcmeOrder.domain_id == domain_id))
        session.merge(Certificate(domain_id=domain_id, **given))
        until = given["not_after"] if given["live_since"] else None
        session.execute(update(Domain).where(Domain.id == domain_id).values(live_until=until))


def add_acme_order(domain_id: int, now: datetime, **rest: object) -> None:
    """Add an order that no worker continues. ``rest`` has values of other columns."""
    given = {
        "state": ORDERING,
        "private_key": "",
        "address": "",
        "token": "",
        "key_authorization": "",
        "began_at": now,
        "next_step_at": now + FAR,
        "unreached": 0,
        "unreached_why": "",
        "code": "",
        "detail": "",
    }
    with transaction() as session:
        session.add(AcmeOrder(domain_id=domain_id, **given | rest))


def add_failed_order(domain_id: int, now: datetime, code: str, detail: str, **rest: object) -> None:
    """Add an order that has just failed. The next try is in an hour."""
    found = {"code": code, "detail": detail, "failed_at": now, "next_try_at": now + timedelta(hours=1)}
    add_acme_order(domain_id, now, **{"state": FAILED, "next_step_at": None, **found, **rest})
