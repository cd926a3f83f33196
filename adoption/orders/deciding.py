"""What staff decide about an application, and what follows from it for the animals and for others."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption import queue
from adoption.accounts.names import name_of_actor
from adoption.animals.models import SHOWN, Animal
from adoption.audit import trail
from adoption.audit.trail import Actor
from adoption.database import transaction
from adoption.errors import Conflict
from adoption.orders import letters
from adoption.orders.cases import Case, Promise, Ref, case_of, promises_of, rivals_of, taken_up
from adoption.orders.decision_emails import Sender, decision_email
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
    "returned": "was recorded as returned",
    "held": "was held as spam",
}


class AlreadyApproved(Conflict):
    """Somebody else is approved for the same animals, and whoever decides has not seen that."""

    def __init__(self, promises: Sequence[Promise]) -> None:
        told = [
            f"{each.who or 'Another applicant'} is already approved for {listed(each.names)}"
            for each in promises
        ]
        super().__init__(
            f"Nothing was changed: {listed(told)}. Check below, then approve or keep it waiting."
        )


@contextmanager
def decision(desk: Desk, ref: Ref, to: str, seen: str, now: datetime) -> Iterator[tuple[Session, Case]]:
    """A case that may come to state ``to``; what is done with it is one transaction, with its audit entry.

    ``seen`` is the state that whoever decides had before them. Raises NotFound and Conflict.
    """
    with transaction() as session:
        case = taken_up(session, desk.project_id, ref)
        if case.state != seen or case.state not in FROM[to]:
            raise overtaken(session, desk.account_id, case)
        yield session, case
        action = "application.reopened" if to == "placed" else f"application.{to}"
        record(session, desk, action, case.names, case.ref, now)
    queue.start("send_letters")


def overtaken(session: Session, account_id: int, case: Case) -> Conflict:
    steps = history_of(session, case.orders) if case.orders else []
    by = f" by {name_of_actor(session, account_id, steps[-1].actor)}" if steps and steps[-1].actor else ""
    return Conflict(
        f"Nothing was changed: this application {WORDS[case.state]}{by} since you opened it. "
        "Check it, then decide."
    )


def record(
    session: Session, desk: Desk, action: str, names: list[str], ref: Ref | int, now: datetime
) -> None:
    """An audit entry. It outlives the applicant's data, so it names the animals and nobody else."""
    thing = f"{listed(names)} (application {ref})"
    trail.record(session, desk.by, action, desk.account_id, desk.project_id, thing, now=now)


def approve(
    desk: Desk,
    ref: Ref,
    seen: str,
    words: str = "",
    known: Collection[str] = (),
    now: datetime | None = None,
) -> Decided:
    """Approve an application: its animals are pending. Email the applicant these words, unless empty.

    ``known`` are the other approved applications for the same animals that the caller has seen, as text.
    Raises NotFound, and Conflict where the application is decided, an animal is adopted, or somebody else is
    approved whom the caller does not know of.
    """
    now = now or datetime.now(UTC)
    with decision(desk, ref, "approved", seen, now) as (session, case):
        for animal in case.animals:
            if animal.status == "sold":
                raise Conflict(
                    f"{animal.name} is marked as adopted, so no one can be approved. Decline this "
                    f"application, or change the status of {animal.name} first."
                )
            give_status(animal, "pending", now)
        unknown = [each for each in promises_of(session, desk.project_id, case) if str(each.ref) not in known]
        if unknown:
            raise AlreadyApproved(unknown)
        move(session, case.orders, "approved", desk.by.name, now)
        return Decided(case.names, write(session, desk, case, "approved", words, now))


def take_back(desk: Desk, ref: Ref, seen: str, words: str = "", now: datetime | None = None) -> Decided:
    """Undo an approval: the application is to be reviewed again, and its animals are free for others.

    Emails the applicant these words, unless empty. Raises NotFound and Conflict.
    """
    now = now or datetime.now(UTC)
    with decision(desk, ref, "placed", seen, now) as (session, case):
        move(session, case.orders, "placed", desk.by.name, now)
        let_go(session, case.animals, now)
        return Decided(case.names, write(session, desk, case, "placed", words, now))


def decline(desk: Desk, ref: Ref, seen: str, words: str = "", now: datetime | None = None) -> Decided:
    """Decline an application. Email the applicant these words, unless empty. Raises NotFound, Conflict."""
    now = now or datetime.now(UTC)
    with decision(desk, ref, "declined", seen, now) as (session, case):
        close(session, case, "declined", desk.by.name, now)
        return Decided(case.names, write(session, desk, case, "declined", words, now))


def complete(desk: Desk, ref: Ref, seen: str, words: str = "", now: datetime | None = None) -> Decided:
    """Complete an adoption: the animals are adopted, and everyone else who applied for them is emailed.

    Emails the applicant these words, unless empty. Raises NotFound and Conflict.
    """
    now = now or datetime.now(UTC)
    with decision(desk, ref, "completed", seen, now) as (session, case):
        for animal in case.animals:
            give_status(animal, "sold", now)
        move(session, case.orders, "completed", desk.by.name, now)
        shelter = shelter_of(session, desk.project_id)
        written = write(session, desk, case, "completed", words, now)
        return Decided(case.names, written + turn_away(session, desk, case, shelter, now))


def take_in(desk: Desk, ref: Ref, seen: str, words: str = "", now: datetime | None = None) -> Decided:
    """Record a return: its animals are available again. Others who had applied are not emailed.

    Emails the applicant these words, unless empty. Raises NotFound and Conflict.
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
        return Decided(case.names, write(session, desk, case, "returned", words, now))


def write(session: Session, desk: Desk, case: Case, to: str, words: str, now: datetime) -> int:
    """Email an applicant the staff's words about a decision; return how many emails that are."""
    if not words:
        return 0
    shelter = shelter_of(session, desk.project_id)
    link = link_of(case.application, desk.roots.applications) if case.application else ""
    email = decision_email(to, case.names, words, link)
    return tell_applicant(session, shelter, case.application, email, now)


def sender_of(shelter: Shelter, roots: Roots) -> Sender:
    return Sender(shelter.name, bool(shelter.contact_email), roots.shelter)


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
