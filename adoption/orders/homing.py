"""Animals that staff mark as adopted by hand, and the people who have applied for them."""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption import queue
from adoption.animals import bulk
from adoption.animals.actions import portions
from adoption.animals.bulk import Done
from adoption.animals.editing import Edit, Saved, save_within, unique_code
from adoption.animals.editors import Editor
from adoption.animals.models import Animal
from adoption.database import transaction
from adoption.orders.cases import Case, Ref, take_turn
from adoption.orders.closures import similar_animals, turn_away
from adoption.orders.decision_emails import sender_of, suggested_text_to_others
from adoption.orders.desks import Desk
from adoption.orders.models import Application, Order
from adoption.orders.queries import OPEN, shelter_of

NOT_APPROVED = ("placed",)
"""Applications that are closed when their animal is adopted by hand. An approved one may be the adopter's."""


class Applicant(NamedTuple):
    ref: Ref
    name: str
    """Empty where the application came without a form or its personal details were deleted."""
    animals: list[str]
    is_approved: bool


class Adopted(NamedTuple):
    done: Done
    told: int
    """How many applicants were written to."""


def applicants_of(session: Session, project_id: int, animal_ids: Collection[int]) -> list[Applicant]:
    """The open applications for those of these animals that are not adopted yet, oldest first."""
    found: dict[Ref, Applicant] = {}
    for portion in portions(sorted(set(animal_ids))):
        rows = session.execute(
            select(Order.id, Order.status, Order.application_id, Application.name, Animal.name)
            .join(Animal, Animal.id == Order.animal_id)
            .outerjoin(Application, Application.id == Order.application_id)
            .where(Order.project_id == project_id, Order.status.in_(OPEN))
            .where(Animal.id.in_(portion), Animal.status != "sold", Animal.removed_at.is_(None))
            .order_by(Order.id)
        )
        for order_id, status, application_id, name, animal in rows:
            ref = Ref(None, order_id) if application_id is None else Ref(application_id)
            known = found.setdefault(ref, Applicant(ref, name or "", [], status == "approved"))
            known.animals.append(animal)
    return list(found.values())


def mark_adopted(
    desk: Desk, by: Editor, animal_ids: Collection[int], tell: bool, now: datetime | None = None
) -> Adopted:
    """Mark animals as adopted. With ``tell``, close the applications to review and write to the applicants.

    Approved applications stay open. Raises Invalid for too many animals.
    """
    now = now or datetime.now(UTC)
    told = 0
    with transaction() as session:
        take_turn(session, desk.project_id)
        done = bulk.change_within(session, by, animal_ids, "status", "sold", now)
        if tell:
            told = turn_away_from(session, desk, [id_ for id_, _ in done.animals], now)
    queue.start("send_letters")
    return Adopted(done, told)


def save_and_tell(
    desk: Desk, by: Editor, animal_id: int, edit: Edit, now: datetime | None = None
) -> tuple[Saved, int]:
    """Save the form of an animal that becomes adopted, and turn away those who have applied for it.

    Returns the number of emails too. Where fields clash, nothing is saved and nobody is written to.
    Raises as ``save_animal`` does.
    """
    now = now or datetime.now(UTC)
    told = 0
    with unique_code(), transaction() as session:
        take_turn(session, desk.project_id)
        saved = save_within(session, by, animal_id, edit, now)
        if not saved.clashes and saved.animal.values["status"] == "sold":
            told = turn_away_from(session, desk, [animal_id], now)
    queue.start("send_letters")
    return saved, told


def turn_away_from(session: Session, desk: Desk, animal_ids: Collection[int], now: datetime) -> int:
    """Close the applications to review for animals that were adopted by hand; return the number of emails."""
    groups: defaultdict[tuple[str, int], list[Animal]] = defaultdict(list)
    asked_for = with_applications(session, desk.project_id, animal_ids)
    for animal in animals_of(session, desk.project_id, asked_for):
        groups[("bond", animal.bond_id) if animal.bond_id else ("animal", animal.id)].append(animal)
    shelter = shelter_of(session, desk.project_id)
    sender, emails = sender_of(shelter, desk.roots), 0
    for case in map(nobody_for, groups.values()):
        words = suggested_text_to_others(similar_animals(session, case, desk.roots), sender)
        emails += turn_away(session, desk, case, shelter, words, now, NOT_APPROVED)
    return emails


def with_applications(session: Session, project_id: int, ids: Collection[int]) -> set[int]:
    """Return those of these animals that have an application to review: few of many thousands."""
    found: set[int] = set()
    for portion in portions(sorted(set(ids))):
        asked_for = select(Order.animal_id).where(Order.project_id == project_id)
        open_ones = asked_for.where(Order.status.in_(NOT_APPROVED), Order.animal_id.in_(portion))
        found.update(session.scalars(open_ones))
    return found


def nobody_for(animals: list[Animal]) -> Case:
    """A case without an application: all open applications for these animals are its rivals."""
    return Case(Ref(None, 0), None, (), animals)


def animals_of(session: Session, project_id: int, ids: Collection[int]) -> list[Animal]:
    found: list[Animal] = []
    for portion in portions(sorted(set(ids))):
        wanted = select(Animal).where(Animal.project_id == project_id, Animal.id.in_(portion))
        fresh = {"populate_existing": True}
        found += session.scalars(wanted.order_by(Animal.id), execution_options=fresh)
    return found
