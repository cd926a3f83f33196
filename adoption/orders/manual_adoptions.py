"""Manual adoptions: staff mark an animal as adopted without completing an application."""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals import bulk_changes
from adoption.animals.animal_audit import Editor
from adoption.animals.bulk_changes import BulkChangeResult
from adoption.animals.models import Animal
from adoption.animals.staff_edits import AnimalEdit, SavedAnimal, save_within
from adoption.animals.taken_codes import unique_code
from adoption.batches import id_batches
from adoption.orders.application_audit import StaffMember
from adoption.orders.application_states import OPEN
from adoption.orders.applications_with_orders import Case, Ref, lock_decisions
from adoption.orders.closures import decline_others
from adoption.orders.models import Application, Order
from adoption.orders.shelter_contacts import shelter_contact
from adoption.orders.staff_written_emails import Emailed, StaffText, sum_emailed
from adoption.orders.suggested_texts import compose_text_to_others, similar_animals
from adoption.storage.database import reading, transaction

NOT_APPROVED = ("placed",)
"""When staff mark an animal as adopted, only applications in these statuses are closed.

An approved application stays open, because its applicant may be the adopter.
"""


class OpenApplicant(NamedTuple):
    ref: Ref
    name: str
    """The applicant's name. Empty if there was no form, or if the personal data was erased."""
    animals: list[str]
    is_approved: bool
    has_email: bool
    is_confirmed: bool
    """Whether the applicant has confirmed the email address."""


class ManualAdoption(NamedTuple):
    done: BulkChangeResult
    emailed: Emailed


def list_open_applicants(
    session: Session, project_id: int, animal_ids: Collection[int]
) -> list[OpenApplicant]:
    """Return the open applications for these animals, oldest first. Adopted animals are left out."""
    found: dict[Ref, OpenApplicant] = {}
    for portion in id_batches(sorted(set(animal_ids))):
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
            ref = Ref.of_order(application_id, order_id)
            applicant = OpenApplicant(
                ref, name or "", [], status == "approved", bool(email), confirmed_at is not None
            )
            found.setdefault(ref, applicant).animals.append(animal)
    return list(found.values())


def suggested_text_to_applicants(staff: StaffMember, animal_ids: Collection[int]) -> str:
    """Return the suggested text to applicants whose animals staff mark as adopted."""
    with reading() as session:
        asked_for = animals_with_open_applications(session, staff.project_id, animal_ids)
        return suggested_text_for(session, staff, load_animals_to_adopt(session, staff.project_id, asked_for))


def suggested_text_for(session: Session, staff: StaffMember, animals: list[Animal]) -> str:
    alike = len({animal.category_id for animal in animals}) == 1
    similar = similar_animals(session, case_without_application(animals)) if alike else []
    return compose_text_to_others(similar, shelter_contact(session, staff.project_id))


def mark_adopted(
    staff: StaffMember,
    by: Editor,
    animal_ids: Collection[int],
    text: str | None,
    now: datetime | None = None,
) -> ManualAdoption:
    """Mark animals as adopted.

    Close the animals' applications that nobody has decided yet, unless ``text`` is None. If ``text`` is not
    empty, email it to each of the applicants. Approved applications stay open. Raises Invalid if there are
    too many animals.
    """
    now = now or datetime.now(UTC)
    emailed = Emailed()
    with transaction() as session:
        lock_decisions(session, staff.project_id)
        done = bulk_changes.change_within(session, by, animal_ids, "status", "sold", now)
        if text is not None:
            emailed = decline_applicants_of(session, staff, [id_ for id_, _ in done.animals], text, now)
    return ManualAdoption(done, emailed)


def save_adopted_animal(
    staff: StaffMember, by: Editor, animal_id: int, edit: AnimalEdit, text: str, now: datetime | None = None
) -> tuple[SavedAnimal, Emailed]:
    """Save the form of an animal that becomes adopted. Close the undecided applications for the animal.

    If ``text`` is not empty, email the text to each of the applicants. If fields clash, nothing is saved and
    no one is emailed. Raises the same errors as ``save_animal``.
    """
    now = now or datetime.now(UTC)
    emailed = Emailed()
    with unique_code(), transaction() as session:
        lock_decisions(session, staff.project_id)
        saved = save_within(session, by, animal_id, edit, now)
        if not saved.clashes and saved.animal.values["status"] == "sold":
            emailed = decline_applicants_of(session, staff, [animal_id], text, now)
    return saved, emailed


def decline_applicants_of(
    session: Session, staff: StaffMember, animal_ids: Collection[int], text: str, now: datetime
) -> Emailed:
    """Close the undecided applications for animals that were marked as adopted. Email the applicants."""
    groups: defaultdict[tuple[str, int], list[Animal]] = defaultdict(list)
    asked_for = animals_with_open_applications(session, staff.project_id, animal_ids)
    animals = load_animals_to_adopt(session, staff.project_id, asked_for)
    to_each = StaffText(text, suggested_text_for(session, staff, animals))
    for animal in animals:
        groups[("bond", animal.bond_id) if animal.bond_id else ("animal", animal.id)].append(animal)
    cases = map(case_without_application, groups.values())
    return sum_emailed(decline_others(session, staff, case, to_each, now, NOT_APPROVED) for case in cases)


def animals_with_open_applications(session: Session, project_id: int, ids: Collection[int]) -> set[int]:
    """Return the ids of the animals that have an undecided application.

    Usually, these are only a few animals.
    """
    found: set[int] = set()
    for portion in id_batches(sorted(set(ids))):
        asked_for = select(Order.animal_id).where(Order.project_id == project_id)
        open_ones = asked_for.where(Order.status.in_(NOT_APPROVED), Order.animal_id.in_(portion))
        found.update(session.scalars(open_ones))
    return found


def case_without_application(animals: list[Animal]) -> Case:
    """Return a case without an application. All open applications for the animals are the case's rivals."""
    return Case(Ref(None, 0), None, (), animals)


def load_animals_to_adopt(session: Session, project_id: int, ids: Collection[int]) -> list[Animal]:
    found: list[Animal] = []
    for portion in id_batches(sorted(set(ids))):
        wanted = select(Animal).where(Animal.project_id == project_id, Animal.id.in_(portion))
        fresh = {"populate_existing": True}
        found += session.scalars(wanted.order_by(Animal.id), execution_options=fresh)
    return found
