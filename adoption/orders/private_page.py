"""An application as its private page shows it to the applicant."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from adoption.animals.catalogue_cards import LISTINGS, Listing
from adoption.animals.models import Animal
from adoption.errors import NotFound
from adoption.orders.application_states import UNDECIDED, application_state, is_homed
from adoption.orders.models import Application, ApplicationMessage, Order
from adoption.orders.private_link_tokens import TOKEN
from adoption.orders.shelter_contacts import ShelterContact, shelter_contact
from adoption.storage.database import reading
from adoption.token_hashes import hash_token
from adoption.translations import gettext


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
    # The token is looked up by its hash, so that the duration of the query reveals nothing about the token.
    token_hash = hash_token(token) if TOKEN.fullmatch(token) else ""
    return select(Application).where(Application.token_hash == token_hash)


def names_of_animals(session: Session, first: int, ids: set[int]) -> list[str]:
    """Return the names of the animals, starting with the animal ``first``."""
    names = dict(session.execute(select(Animal.id, Animal.name).where(Animal.id.in_(ids))).all())
    return [names[each] for each in sorted(ids, key=lambda each: (each != first, each)) if each in names]
