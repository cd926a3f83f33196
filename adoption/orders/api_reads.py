"""Reads of orders for the API."""

from datetime import datetime

from sqlalchemy import select

from adoption.orders.models import Order
from adoption.storage.database import reading

OrderRow = tuple[int, int, str, datetime, datetime]
"""An order as the API shows it: id, animal id, status, created, updated. An order has no data of the
applicant."""


def page_of_orders(project_id: int, status: str | None, after: int, limit: int) -> list[OrderRow]:
    """Return a project's orders with an id above ``after``, sorted by id, at most ``limit``."""
    page = (
        select(Order.id, Order.animal_id, Order.status, Order.created_at, Order.updated_at)
        .where(Order.project_id == project_id, Order.id > after)
        .order_by(Order.id)
        .limit(limit)
    )
    if status is not None:
        page = page.where(Order.status == status)
    with reading() as session:
        rows = session.execute(page)
        return [(id_, animal_id, state, placed, changed) for id_, animal_id, state, placed, changed in rows]
