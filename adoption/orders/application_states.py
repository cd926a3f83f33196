"""The states of applications and orders."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from adoption.orders.models import HOMEWARD, Application, Order, OrderEvent

OPEN = ("placed", "approved")
"""The statuses of an order that is not closed."""

UNDECIDED = (*OPEN, "held")
"""The states of an application that can still be withdrawn."""

STATES_BY_PRIORITY = ("completed", "approved", "placed", "declined", "withdrawn")
"""The statuses of orders, highest priority first.

An application's state is the first of these statuses that any of its orders has.
"""


def application_state(application: Application, orders: Sequence[Order]) -> tuple[str, datetime | None]:
    """Return the state of an application, and the time when the application reached the state.

    The time is None if the application is undecided.
    """
    if application.held_for:
        return "placed" if application.repeats else "held", None
    state = state_of_orders(orders)
    reached = [order.updated_at for order in orders if order.status == state or state == "returned"]
    return state, None if state == "placed" else max(reached, default=None)


def is_homed(session: Session, orders: Sequence[Order]) -> bool:
    """Return whether declined orders were closed by someone else's adoption, not by a decision."""
    last = (
        select(OrderEvent.actor)
        .where(OrderEvent.order_id.in_([order.id for order in orders]), OrderEvent.event == "declined")
        .order_by(OrderEvent.created_at.desc(), OrderEvent.id.desc())
    )
    return session.scalar(last.limit(1)) == HOMEWARD


def state_of_orders(orders: Sequence[Order]) -> str:
    """Return the state of orders that are decided together.

    The state is a status, or ``returned`` if all adopted animals were returned.
    """
    states = {order.status for order in orders}
    state = next((each for each in STATES_BY_PRIORITY if each in states), "withdrawn")
    completed = [order for order in orders if order.status == "completed"]
    return "returned" if completed and all(order.returned_at for order in completed) else state


def held_clause(project_id: int) -> ColumnElement[bool]:
    """Return the SQL condition for a project's held applications."""
    return and_(Application.project_id == project_id, Application.held_for != "")
