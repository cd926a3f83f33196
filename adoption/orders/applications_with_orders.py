"""Cases. A case is an application with its orders, or an order without an application.

Staff decide about a whole case at once.
"""

import re
from collections.abc import Sequence, Sized
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.models import Animal
from adoption.errors import Invalid, NotFound
from adoption.orders.application_states import state_of_orders
from adoption.orders.models import Application, Order
from adoption.projects.models import Project
from adoption.storage.database import reading
from adoption.translations import gettext

AT_ONCE = 100
"""The maximum number of applications in one change. Other writers wait until the change is complete."""
REF = re.compile("(order-)?([0-9]{1,19})", re.ASCII)


class Ref(NamedTuple):
    """The id of a case in URLs. ``12`` is an application. ``order-12`` is an order without an application."""

    application_id: int | None
    order_id: int | None = None

    @classmethod
    def of_order(cls, application_id: int | None, order_id: int) -> "Ref":
        return cls(None, order_id) if application_id is None else cls(application_id)

    def __str__(self) -> str:
        return f"order-{self.order_id}" if self.application_id is None else str(self.application_id)


def parse_ref(text: str) -> Ref:
    """Parse the id of a case. Raises NotFound if the id is malformed."""
    found = REF.fullmatch(text)
    if not found or not 0 < int(found[2]) <= ID_LARGEST:
        raise no_such_application()
    return Ref(None, int(found[2])) if found[1] else Ref(int(found[2]))


def check_case_count(refs: Sized) -> None:
    """Raise Invalid if there are more than ``AT_ONCE`` applications."""
    if len(refs) > AT_ONCE:
        raise Invalid([("case", f"must be {AT_ONCE} applications at most, not {len(refs):,}")])


def no_such_application() -> NotFound:
    return NotFound(gettext("There is no such application."))


class Case(NamedTuple):
    ref: Ref
    application: Application | None
    orders: Sequence[Order]
    """The orders of the case; empty if the application is held, or was withdrawn during the hold."""
    animals: Sequence[Animal]
    """The animals of the case. The first animal is the one on whose page the applicant applied."""

    @property
    def state(self) -> str:
        """The state of the case: a status of an order, ``returned``, or ``held``."""
        if self.application is not None and self.application.held_for:
            return "held"
        return state_of_orders(self.orders)

    @property
    def names(self) -> list[str]:
        return [animal.name for animal in self.animals]

    @property
    def applicant(self) -> str:
        """The applicant's name; empty if it is unknown."""
        return self.application.name if self.application else ""

    @property
    def closed_at(self) -> datetime | None:
        """The time when an order of the case last changed; None if the case has no orders."""
        return max((order.updated_at for order in self.orders), default=None)


def select_orders_of_case(project_id: int, ref: Ref) -> Select[Order]:
    of_project = select(Order).where(Order.project_id == project_id).order_by(Order.id)
    if ref.application_id is None:
        return of_project.where(Order.id == ref.order_id, Order.application_id.is_(None))
    return of_project.where(Order.application_id == ref.application_id)


def find_case(session: Session, project_id: int, ref: Ref) -> Case:
    """Return a case of a project, without a lock. Raises NotFound if the project has no such case."""
    orders = session.scalars(select_orders_of_case(project_id, ref)).all()
    return build_case(session, project_id, ref, orders)


def build_case(session: Session, project_id: int, ref: Ref, orders: Sequence[Order]) -> Case:
    application = None
    if ref.application_id is not None:
        application = session.scalar(
            select(Application)
            .where(Application.project_id == project_id, Application.id == ref.application_id)
            .execution_options(populate_existing=True)
        )
    if application is None and not orders:
        raise no_such_application()
    ids = {order.animal_id for order in orders} or {application.animal_id if application else 0}
    first = application.animal_id if application else 0
    animals = session.scalars(select(Animal).where(Animal.project_id == project_id, Animal.id.in_(ids)))
    return Case(ref, application, orders, sorted(animals, key=lambda each: (each.id != first, each.id)))


def lock_decisions(session: Session, project_id: int) -> None:
    """Lock the decisions of a project until the end of the transaction.

    With this lock, a decision can take further locks in any order. An applicant's request locks only animals,
    in ascending order of their ids, as ``lock_case`` does.
    """
    session.execute(select(Project.id).where(Project.id == project_id).with_for_update(key_share=True))


def lock_case(session: Session, project_id: int, ref: Ref) -> Case:
    """Lock and return a case of a project, with the animals of the case.

    Raises NotFound if the project has no such case.
    """
    lock_decisions(session, project_id)
    ids = {order.animal_id for order in session.scalars(select_orders_of_case(project_id, ref))}
    lock_animals(session, ids | animals_approved_together(session, project_id, ids))
    fresh = select_orders_of_case(project_id, ref).with_for_update().execution_options(populate_existing=True)
    return build_case(session, project_id, ref, session.scalars(fresh).all())


def lock_animals(session: Session, ids: set[int]) -> None:
    session.scalars(
        select(Animal)
        .where(Animal.id.in_(ids))
        .order_by(Animal.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).all()


def animals_approved_together(session: Session, project_id: int, ids: set[int]) -> set[int]:
    """Return the animals of all approved applications that include one of these animals.

    A decision can make each of the returned animals available again.
    """
    approved = select(Order.application_id).where(
        Order.project_id == project_id, Order.animal_id.in_(ids), Order.status == "approved"
    )
    return set(session.scalars(select(Order.animal_id).where(Order.application_id.in_(approved))))


def load_case(project_id: int, ref: Ref) -> Case:
    """Return a case. Raises NotFound if the project has no such case."""
    with reading() as session:
        return find_case(session, project_id, ref)
