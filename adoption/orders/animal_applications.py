"""Applications for one animal, and decisions about these applications, for the animal's staff page."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import case, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from adoption.orders.application_states import OPEN
from adoption.orders.inbox import InboxEntry, inbox_entries
from adoption.orders.models import Application, Order, OrderEvent


class AnimalApplications(NamedTuple):
    entries: list[InboxEntry]
    """The applications: first the open ones, then the closed ones. In each group, the newest come first."""
    total: int
    """The number of applications for the animal. Applications that are held as spam are not counted."""


def applications_for(session: Session, project_id: int, animal_id: int, limit: int) -> AnimalApplications:
    """Return the applications for an animal, at most ``limit`` entries."""
    of_animal = select(Order).where(Order.project_id == project_id, Order.animal_id == animal_id)
    total = session.scalar(select(func.count()).select_from(of_animal.subquery())) or 0
    rows = session.execute(
        of_animal.add_columns(Application)
        .outerjoin(Application, Application.id == Order.application_id)
        .order_by(case((Order.status.in_(OPEN), 0), else_=1), Order.id.desc())
        .limit(limit)
    ).all()
    return AnimalApplications(
        inbox_entries(session, project_id, [(order, application) for order, application in rows]), total
    )


class ApplicationDecision(NamedTuple):
    event: str
    """The event, as in ``OrderEvent.event``. The event ``placed`` means that the application has to be
    reviewed again."""
    applicant: str
    """The applicant's name; empty if it is unknown."""
    actor: str
    """The actor, as in ``OrderEvent.actor``."""
    at: datetime


def decisions_about(
    session: Session, project_id: int, animal_id: int, limit: int
) -> list[ApplicationDecision]:
    """Return the latest decisions about applications for an animal, newest first."""
    earlier = aliased(OrderEvent)
    is_first = ~exists().where(earlier.order_id == OrderEvent.order_id, earlier.id < OrderEvent.id)
    found = (
        select(OrderEvent.event, Application.name, OrderEvent.actor, OrderEvent.created_at)
        .join(Order, Order.id == OrderEvent.order_id)
        .outerjoin(Application, Application.id == Order.application_id)
        .where(Order.project_id == project_id, Order.animal_id == animal_id, OrderEvent.event != "assigned")
        .where(or_(OrderEvent.event != "placed", ~is_first))
        .order_by(OrderEvent.id.desc())
        .limit(limit)
    )
    return [
        ApplicationDecision(event, name or "", actor, at) for event, name, actor, at in session.execute(found)
    ]
