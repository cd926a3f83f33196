"""The applications for one animal, as its own page lists them."""

from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from adoption.orders.inbox import Entry, entries_of
from adoption.orders.models import Application, Order
from adoption.orders.queries import OPEN


class Applications(NamedTuple):
    entries: list[Entry]
    """Open ones first, then the newest."""
    total: int
    """How many there are beside those that are held as spam."""


def applications_for(session: Session, project_id: int, animal_id: int, limit: int) -> Applications:
    """Return the applications for an animal, ``limit`` entries at most."""
    of_animal = select(Order).where(Order.project_id == project_id, Order.animal_id == animal_id)
    total = session.scalar(select(func.count()).select_from(of_animal.subquery())) or 0
    rows = session.execute(
        of_animal.add_columns(Application)
        .outerjoin(Application, Application.id == Order.application_id)
        .order_by(case((Order.status.in_(OPEN), 0), else_=1), Order.id.desc())
        .limit(limit)
    ).all()
    return Applications(
        entries_of(session, project_id, [(order, application) for order, application in rows]), total
    )
