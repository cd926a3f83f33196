from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from adoption.animals.catalogue_cards import LISTINGS, Listing
from adoption.animals.models import Animal
from adoption.errors import NotFound
from adoption.orders.link_secrets import TOKEN
from adoption.orders.models import HOMEWARD, Application, ApplicationMessage, Order, OrderEvent
from adoption.platform_addresses import platform_link
from adoption.projects.models import Deploy, Project
from adoption.projects.queries import LIVE
from adoption.storage.database import reading
from adoption.token_hashes import hash_of
from adoption.translations import gettext

OrderRow = tuple[int, int, str, datetime, datetime]
"""An order for the API: id, animal id, status, created, updated. It has no data of the applicant."""

OPEN = ("placed", "approved")
"""The statuses of an order that is not closed."""

UNDECIDED = (*OPEN, "held")
"""The states of an application that can still be withdrawn."""

STATES_BY_PRIORITY = ("completed", "approved", "placed", "declined", "withdrawn")
"""The states by priority. An application has the first of them that one of its orders has."""


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


class ShelterContact(NamedTuple):
    """A shelter's name and contact details, for applicants."""

    name: str
    contact_email: str
    contact_phone: str
    time_zone: str
    animals_link: str
    """The URL of the page with the shelter's animals; empty while the site is offline."""


class ApplicantView(NamedTuple):
    """An application as the applicant sees it."""

    application: Application
    names: list[str]
    """The names of the animal whose page had the form, and of the animals bonded with it."""
    shelter: ShelterContact
    state: str
    """An order's status, ``returned``, ``held``, or ``homed`` if someone else adopted the animals.

    If the only reason for a hold is an open application from the same address, the state is ``placed``: the
    sender may have guessed the address. The shelter sees both applications together.
    """
    decided_at: datetime | None
    """The time when the state was reached; None in the state ``placed``."""
    messages: Sequence[ApplicationMessage]
    """The staff's messages; empty until the email address is confirmed."""
    has_unread: bool
    """Whether there are messages that are hidden until the email address is confirmed."""
    listings: list[Listing]
    """The animals that are still public."""

    @property
    def is_open(self) -> bool:
        """Whether the application can be withdrawn."""
        return self.state in UNDECIDED


def find_application_by_token(token: str) -> ApplicantView:
    """Return the application with this token in its private link. Raises NotFound if the token is unknown."""
    with reading() as session:
        application = session.scalar(select_application_by_token(token))
        if application is None:
            raise NotFound(gettext("This link leads to no application."))
        orders = session.scalars(select(Order).where(Order.application_id == application.id)).all()
        state, decided_at = application_state(application, orders)
        if state == "declined" and is_homed(session, orders):
            state = "homed"
        ids = {application.animal_id, *(order.animal_id for order in orders)}
        messages = messages_to(session, application.id)
        is_confirmed = application.confirmed_at is not None
        return ApplicantView(
            application,
            names_of_animals(session, application.animal_id, ids),
            shelter_contact(session, application.project_id),
            state,
            decided_at,
            messages if is_confirmed else [],
            bool(messages) and not is_confirmed,
            [Listing._make(row) for row in session.execute(LISTINGS.where(Animal.id.in_(ids)))],
        )


def messages_to(session: Session, application_id: int | None) -> Sequence[ApplicationMessage]:
    """Return the staff's messages for the applicant's private page, the newest last."""
    found = select(ApplicationMessage).where(ApplicationMessage.application_id == application_id)
    return session.scalars(found.order_by(ApplicationMessage.id)).all()


def select_application_by_token(token: str) -> Select[Application]:
    # Looked up by hash, so that the duration reveals nothing about the token.
    token_hash = hash_of(token) if TOKEN.fullmatch(token) else ""
    return select(Application).where(Application.token_hash == token_hash)


def application_state(application: Application, orders: Sequence[Order]) -> tuple[str, datetime | None]:
    """Return the state of an application, and the time of the decision."""
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
    """Return the state of orders that are decided together:

    a status, or ``returned`` if all were returned.
    """
    states = {order.status for order in orders}
    state = next((each for each in STATES_BY_PRIORITY if each in states), "withdrawn")
    completed = [order for order in orders if order.status == "completed"]
    return "returned" if completed and all(order.returned_at for order in completed) else state


def names_of_animals(session: Session, first: int, ids: set[int]) -> list[str]:
    """Return the names of the animals, starting with the animal ``first``."""
    names = dict(session.execute(select(Animal.id, Animal.name).where(Animal.id.in_(ids))).all())
    return [names[each] for each in sorted(ids, key=lambda each: (each != first, each)) if each in names]


def shelter_contact(session: Session, project_id: int) -> ShelterContact:
    """Return the published contact details, or the draft if nothing is published."""
    live = select(Deploy).join(Project, LIVE).where(Project.id == project_id)
    project = session.get_one(Project, project_id)
    deploy = session.scalar(live)
    texts = deploy or project
    link = platform_link(f"?shelter={project.slug}") if deploy else ""
    return ShelterContact(texts.name, texts.contact_email, texts.contact_phone, project.time_zone, link)
