"""Closing applications without an adoption, which makes their animals available again."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals.models import SHOWN, Animal
from adoption.orders import letters
from adoption.orders.cases import Case, case_of, rivals_of
from adoption.orders.desks import Desk, Roots
from adoption.orders.history import move
from adoption.orders.models import HOMEWARD, Order
from adoption.orders.queries import OPEN, Shelter
from adoption.orders.telling import tell_applicant

SIMILAR_MOST = 3


def close(session: Session, case: Case, status: str, actor: str, now: datetime) -> None:
    """Close a case without an adoption. Animals that were pending for it become available."""
    promised = [order for order in case.orders if order.status == "approved"]
    move(session, [order for order in case.orders if order.status in OPEN], status, actor, now)
    if promised:
        let_go(session, case.animals, now)


def give_status(animal: Animal, status: str, now: datetime) -> None:
    if animal.status != status:
        animal.status, animal.updated_at = status, now


def let_go(session: Session, animals: Sequence[Animal], now: datetime) -> None:
    """Make pending animals available if no application for them is approved any more."""
    for animal in animals:
        if animal.status == "pending" and not is_promised(session, animal):
            give_status(animal, "available", now)


def is_promised(session: Session, animal: Animal) -> bool:
    approved = select(Order.id).where(Order.animal_id == animal.id, Order.status == "approved")
    return session.scalar(approved.limit(1)) is not None


def turn_away(
    session: Session,
    desk: Desk,
    case: Case,
    shelter: Shelter,
    now: datetime,
    states: Sequence[str] = OPEN,
) -> int:
    """Decline the other applications for animals that are adopted now; return the number of emails.

    Only applications in one of ``states`` are declined.
    """
    similar = waiting_like(session, case, desk.roots)
    adopted = {animal.id for animal in case.animals}
    told = 0
    for ref in rivals_of(session, desk.project_id, case):
        rival = case_of(session, desk.project_id, ref)
        if rival.state not in states:
            continue
        close(session, rival, "declined", HOMEWARD, now)
        names = [animal.name for animal in rival.animals if animal.id in adopted]
        words = letters.homed(names, shelter.name, bool(shelter.contact_email), similar, desk.roots.shelter)
        told += tell_applicant(session, shelter, rival.application, words, now)
    return told


def waiting_like(session: Session, case: Case, roots: Roots) -> list[tuple[str, str]]:
    """Return the shelter's newest available animals of the same species, each with its page's address."""
    first = case.animals[0]
    rows = session.execute(
        select(Animal.name, Animal.id)
        .where(SHOWN, Animal.project_id == first.project_id, Animal.category_id == first.category_id)
        .where(Animal.status == "available", Animal.id.not_in([animal.id for animal in case.animals]))
        .order_by(Animal.id.desc())
        .limit(SIMILAR_MOST)
    )
    return [(name, f"{roots.animals}{id_}") for name, id_ in rows]
