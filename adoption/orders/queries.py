from datetime import datetime

from sqlalchemy import select

from adoption.database import reading
from adoption.orders.models import Order

OrderRow = tuple[int, int, str, datetime, datetime]
"""An order as the API shows it: id, animal's id, status, created, updated. Nothing of the applicant."""


def page_of_orders(project_id: int, status: str | None, after: int, limit: int) -> list[OrderRow]:
    """A project's orders with an id above ``after``, by id, ``limit`` at most."""
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
