"""The history of an order: steps with an actor and a time."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.orders.models import Order, OrderEvent


class OrderStep(NamedTuple):
    event: str
    """The event: a status of an order, ``returned``, or ``assigned``."""
    actor: str
    """The actor, as in ``OrderEvent.actor``."""
    at: datetime
    detail: str = ""
    """The detail, as in ``OrderEvent.detail``."""


def record_step(
    session: Session, orders: Iterable[Order], event: str, actor: str, now: datetime, detail: str = ""
) -> None:
    """Record a step of each order, in the caller's transaction. The orders must have ids."""
    for order in orders:
        session.add(OrderEvent(order_id=order.id, event=event, actor=actor, detail=detail, created_at=now))


def move_orders(session: Session, orders: Sequence[Order], status: str, actor: str, now: datetime) -> None:
    """Change the status of orders, and record the step."""
    for order in orders:
        order.status, order.updated_at = status, now
    record_step(session, orders, status, actor, now)


def order_history(session: Session, orders: Sequence[Order], assignments: bool = False) -> list[OrderStep]:
    """Return the steps of a case's orders, without duplicates, earliest first.

    If ``assignments`` is true, assignments to members are included.
    """
    found = (
        select(OrderEvent.event, OrderEvent.actor, OrderEvent.created_at, OrderEvent.detail)
        .where(OrderEvent.order_id.in_([order.id for order in orders]))
        .order_by(OrderEvent.created_at, OrderEvent.id)
    )
    steps = list(dict.fromkeys(OrderStep._make(event) for event in session.execute(found)))
    decisions = [step for step in steps if step.event != "assigned"]
    if not decisions:
        steps = [*(step for order in orders[:1] for step in steps_without_events(order)), *steps]
    return steps if assignments else [step for step in steps if step.event != "assigned"]


def steps_without_events(order: Order) -> list[OrderStep]:
    """Return the steps of an order that was imported without events."""
    placed = OrderStep("placed", "", order.created_at)
    return [placed] if order.status == "placed" else [placed, OrderStep(order.status, "", order.updated_at)]
