"""Animals that staff mark as adopted by hand, and the people who have applied for them."""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals import bulk_changes
from adoption.animals.actions import portions
from adoption.animals.audit_context import Editor
from adoption.animals.bulk_changes import Done
from adoption.animals.editing import AnimalEdit, SavedAnimal, save_within, unique_code
from adoption.animals.models import Animal
from adoption.orders.application_cases import Case, Ref, take_turn
from adoption.orders.closures import similar_animals, turn_away
from adoption.orders.decision_audit import Desk
from adoption.orders.decision_emails import sender_of, suggested_text_to_others
from adoption.orders.models import Application, Order
from adoption.orders.queries import OPEN, shelter_of
from adoption.orders.staff_words import Emailed, Words, total
from adoption.storage import queue
from adoption.storage.database import reading, transaction

NOT_APPROVED = ("placed",)
"""Applications that are closed when their animal is adopted by hand. An approved one may be the adopter's."""


class Applicant(NamedTuple):
    ref: Ref
    name: str
    """Empty where the application came without a form or its personal details were deleted."""
    animals: list[str]
    is_approved: bool
    has_email: bool
    is_confirmed: bool
    """Whether they have opened the link in an email."""


class Adopted(NamedTuple):
    done: Done
    emailed: Emailed


def applicants_of(session: Session, project_id: int, animal_ids: Collection[int]) -> list[Applicant]:
    """The open applications for those of these animals that are not adopted yet, oldest first."""
    found: dict[Ref, Applicant] = {}
    for portion in portions(sorted(set(animal_ids))):
        rows = session.execute(
            select(
                Order.id,
                Order.status,
                Order.application_id,
                Application.name,
                Application.email,
                Application.confirmed_at,
                Animal.name,
            )
            .join(Animal, Animal.id == Order.animal_id)
            .outerjoin(Application, Application.id == Order.application_id)
            .where(Order.project_id == project_id, Order.status.in_(OPEN))
            .where(Animal.id.in_(portion), Animal.status != "sold", Animal.removed_at.is_(None))
            .order_by(Order.id)
        )
        for order_id, status, application_id, name, email, confirmed_at, animal in rows:
            ref = Ref(None, order_id) if application_id is None else Ref(application_id)
            applicant = Applicant(
                ref, name or "", [], status == "approved", bool(email), confirmed_at is not None
            )
            known = found.setdefault(ref, applicant)
            known.animals.append(animal)
    return list(found.values())


def suggested_text_to_applicants(desk: Desk, animal_ids: Collection[int]) -> str:
    """Return the text that staff are offered for those who applied for animals that are adopted by hand."""
    with reading() as session:
        asked_for = with_applications(session, desk.project_id, animal_ids)
        return suggested_for(session, desk, animals_of(session, desk.project_id, asked_for))


def suggested_for(session: Session, desk: Desk, animals: list[Animal]) -> str:
    alike = len({animal.category_id for animal in animals}) == 1
    similar = similar_animals(session, nobody_for(animals), desk.roots) if alike else []
    return suggested_text_to_others(similar, sender_of(shelter_of(session, desk.project_id), desk.roots))


def mark_adopted(
    desk: Desk, by: Editor, animal_ids: Collection[int], words: str | None, now: datetime | None = None
) -> Adopted:
    """Mark animals as adopted, and close the applications to review unless ``words`` is None.

    Each of those applicants is emailed these words, unless empty. Approved applications stay open. Raises
    Invalid for too many animals.
    """
    now = now or datetime.now(UTC)
    emailed = Emailed()
    with transaction() as session:
        take_turn(session, desk.project_id)
        done = bulk_changes.change_within(session, by, animal_ids, "status", "sold", now)
        if words is not None:
            emailed = turn_away_from(session, desk, [id_ for id_, _ in done.animals], words, now)
    queue.start("send_letters")
    return Adopted(done, emailed)


def save_and_tell(
    desk: Desk, by: Editor, animal_id: int, edit: AnimalEdit, words: str, now: datetime | None = None
) -> tuple[SavedAnimal, Emailed]:
    """Save the form of an animal that becomes adopted, and close the applications for it to review.

    Each of those applicants is emailed these words, unless empty. If fields clash, nothing is saved and no
    one is emailed. Raises as ``save_animal`` does.
    """
    now = now or datetime.now(UTC)
    emailed = Emailed()
    with unique_code(), transaction() as session:
        take_turn(session, desk.project_id)
        saved = save_within(session, by, animal_id, edit, now)
        if not saved.clashes and saved.animal.values["status"] == "sold":
            emailed = turn_away_from(session, desk, [animal_id], words, now)
    queue.start("send_letters")
    return saved, emailed


def turn_away_from(
    session: Session, desk: Desk, animal_ids: Collection[int], words: str, now: datetime
) -> Emailed:
    """Close the applications to review for animals that were adopted by hand."""
    groups: defaultdict[tuple[str, int], list[Animal]] = defaultdict(list)
    asked_for = with_applications(session, desk.project_id, animal_ids)
    animals = animals_of(session, desk.project_id, asked_for)
    to_each = Words(words, suggested_for(session, desk, animals))
    for animal in animals:
        groups[("bond", animal.bond_id) if animal.bond_id else ("animal", animal.id)].append(animal)
    cases = map(nobody_for, groups.values())
    return total(turn_away(session, desk, case, to_each, now, NOT_APPROVED) for case in cases)


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
