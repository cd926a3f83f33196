"""What staff decide about an application, and what follows from it for the animals and for others."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption import queue
from adoption.animals.models import SHOWN, Animal
from adoption.audit import trail
from adoption.audit.trail import Actor
from adoption.database import transaction
from adoption.errors import Conflict
from adoption.orders import letters
from adoption.orders.cases import Case, Ref, case_of, rivals_of, taken_up
from adoption.orders.history import history_of, move, note
from adoption.orders.models import HOMEWARD, Order
from adoption.orders.queries import OPEN, Shelter, shelter_of
from adoption.orders.secrets import link_of
from adoption.orders.telling import tell_applicant
from adoption.words import listed

SIMILAR_MOST = 3


class Roots(NamedTuple):
    """Where letters lead to, each a whole address that an id or a token completes."""

    animals: str
    applications: str
    shelter: str
    """The shelter's own animals; this one is complete."""


class Desk(NamedTuple):
    """Where staff decide: whose project it is, who they are, and where their letters lead to."""

    account_id: int
    project_id: int
    by: Actor
    roots: Roots


class Decided(NamedTuple):
    names: list[str]
    """Of the animals."""
    told: int
    """How many people are written to."""


FROM = {
    "approved": ("placed",),
    "declined": OPEN,
    "completed": ("approved",),
    "placed": ("approved",),
    "returned": ("completed",),
}
"""From which state of a case each one is reached. To ``placed`` again is to take an approval back."""

WORDS = {
    "placed": "was put back to review",
    "approved": "was approved",
    "completed": "was completed",
    "declined": "was declined",
    "withdrawn": "was withdrawn",
    "returned": "was noted as returned",
    "held": "was held as spam",
}


@contextmanager
def decision(desk: Desk, ref: Ref, to: str, seen: str, now: datetime) -> Iterator[tuple[Session, Case]]:
    """A case that may come to state ``to``; what is done with it is one transaction, with its audit entry.

    ``seen`` is the state that whoever decides had before them. Raises NotFound and Conflict.
    """
    with transaction() as session:
        case = taken_up(session, desk.project_id, ref)
        if case.state != seen or case.state not in FROM[to]:
            raise overtaken(session, case)
        yield session, case
        action = "application.reopened" if to == "placed" else f"application.{to}"
        record(session, desk, action, case.names, case.ref, now)
    queue.start("send_letters")


def overtaken(session: Session, case: Case) -> Conflict:
    steps = history_of(session, case.orders) if case.orders else []
    by = f" by {steps[-1].actor}" if steps and steps[-1].actor else ""
    return Conflict(
        f"Nothing was changed: this application {WORDS[case.state]} meanwhile{by}. Look again, then decide."
    )


def record(
    session: Session, desk: Desk, action: str, names: list[str], ref: Ref | int, now: datetime
) -> None:
    """An audit entry. It outlives the applicant's data, so it names the animals and nobody else."""
    thing = f"{listed(names)} (application {ref})"
    trail.record(session, desk.by, action, desk.account_id, desk.project_id, thing, now=now)


def approve(desk: Desk, ref: Ref, seen: str, now: datetime | None = None) -> Decided:
    """Approve an application: its animals are pending, and the applicant is told.

    Raises NotFound, and Conflict where it is not waiting any more or an animal is adopted.
    """
    now = now or datetime.now(UTC)
    with decision(desk, ref, "approved", seen, now) as (session, case):
        for animal in case.animals:
            if animal.status == "sold":
                raise Conflict(
                    f"{animal.name} is marked as adopted, so nobody can be approved. Decline this "
                    f"application, or change the status of {animal.name} first."
                )
            give_status(animal, "pending", now)
        move(session, case.orders, "approved", desk.by.name, now)
        shelter = shelter_of(session, desk.project_id)
        link = link_of(case.application, desk.roots.applications) if case.application else ""
        told = letters.approval(case.names, shelter.name, bool(shelter.contact_email), link)
        return Decided(case.names, tell_applicant(session, shelter, case.application, told, now))


def take_back(desk: Desk, ref: Ref, seen: str, now: datetime | None = None) -> Decided:
    """Take an approval back: the application waits again, and its animals are free for others.

    Nobody is written to. Raises NotFound and Conflict.
    """
    now = now or datetime.now(UTC)
    with decision(desk, ref, "placed", seen, now) as (session, case):
        move(session, case.orders, "placed", desk.by.name, now)
        let_go(session, case.animals, now)
        return Decided(case.names, 0)


def decline(desk: Desk, ref: Ref, seen: str, words: str = "", now: datetime | None = None) -> Decided:
    """Decline an application, with a mail of these words unless they are empty. Raises NotFound, Conflict."""
    now = now or datetime.now(UTC)
    with decision(desk, ref, "declined", seen, now) as (session, case):
        close(session, case, "declined", desk.by.name, now)
        shelter = shelter_of(session, desk.project_id)
        told = letters.refused(case.names, words) if words else None
        return Decided(case.names, tell_applicant(session, shelter, case.application, told, now))


def complete(desk: Desk, ref: Ref, seen: str, now: datetime | None = None) -> Decided:
    """Complete an adoption: the animals are adopted, and everybody else who applied for them is told.

    Raises NotFound and Conflict.
    """
    now = now or datetime.now(UTC)
    with decision(desk, ref, "completed", seen, now) as (session, case):
        for animal in case.animals:
            give_status(animal, "sold", now)
        move(session, case.orders, "completed", desk.by.name, now)
        shelter = shelter_of(session, desk.project_id)
        told = letters.congratulation(case.names, shelter.name, bool(shelter.contact_email))
        written = tell_applicant(session, shelter, case.application, told, now)
        return Decided(case.names, written + turn_away(session, desk, case, shelter, now))


def take_in(desk: Desk, ref: Ref, seen: str, now: datetime | None = None) -> Decided:
    """An adoption came to nothing: its animals are there again. Others who had applied are not asked anew.

    Nobody is written to. Raises NotFound and Conflict.
    """
    now = now or datetime.now(UTC)
    with decision(desk, ref, "returned", seen, now) as (session, case):
        adopted_at = min(order.updated_at for order in case.orders)
        for order in case.orders:
            order.returned_at = order.updated_at = now
        note(session, case.orders, "returned", desk.by.name, now)
        for animal in case.animals:
            if animal.status == "sold" and not adopted_since(session, animal, adopted_at):
                give_status(animal, "pending" if is_promised(session, animal) else "available", now)
        return Decided(case.names, 0)


def close(session: Session, case: Case, status: str, actor: str, now: datetime) -> None:
    """End what is open of a case without an adoption; an animal that was kept for it is free."""
    promised = [order for order in case.orders if order.status == "approved"]
    move(session, [order for order in case.orders if order.status in OPEN], status, actor, now)
    if promised:
        let_go(session, case.animals, now)


def give_status(animal: Animal, status: str, now: datetime) -> None:
    if animal.status != status:
        animal.status, animal.updated_at = status, now


def let_go(session: Session, animals: Sequence[Animal], now: datetime) -> None:
    """Make animals available that nobody is approved for any more. One that staff marked otherwise stays."""
    for animal in animals:
        if animal.status == "pending" and not is_promised(session, animal):
            give_status(animal, "available", now)


def is_promised(session: Session, animal: Animal) -> bool:
    approved = select(Order.id).where(Order.animal_id == animal.id, Order.status == "approved")
    return session.scalar(approved.limit(1)) is not None


def adopted_since(session: Session, animal: Animal, when: datetime) -> bool:
    """Whether somebody else has adopted the animal after ``when``, and has it still."""
    later = select(Order.id).where(
        Order.animal_id == animal.id,
        Order.status == "completed",
        Order.returned_at.is_(None),
        Order.updated_at > when,
    )
    return session.scalar(later.limit(1)) is not None


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
    """The newest of the shelter's animals of the same species that wait, each with its page's address."""
    first = case.animals[0]
    rows = session.execute(
        select(Animal.name, Animal.id)
        .where(SHOWN, Animal.project_id == first.project_id, Animal.category_id == first.category_id)
        .where(Animal.status == "available", Animal.id.not_in([animal.id for animal in case.animals]))
        .order_by(Animal.id.desc())
        .limit(SIMILAR_MOST)
    )
    return [(name, f"{roots.animals}{id_}") for name, id_ in rows]
