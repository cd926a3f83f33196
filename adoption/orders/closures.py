"""Closures: applications end without an adoption, and the applications' animals become available again."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals.models import Animal
from adoption.orders.application_audit import StaffMember
from adoption.orders.application_states import OPEN
from adoption.orders.applications_with_orders import Case, find_case
from adoption.orders.history import move_orders
from adoption.orders.models import HOMEWARD, Order
from adoption.orders.rival_applications import find_other_applicants
from adoption.orders.shelter_contacts import shelter_contact
from adoption.orders.staff_written_emails import Emailed, StaffText, email_staff_text, sum_emailed
from adoption.orders.suggested_texts import fill_in_animals


def close_case(session: Session, case: Case, status: str, actor: str, now: datetime) -> None:
    """Close a case without an adoption. Animals that were pending for the case become available."""
    promised = [order for order in case.orders if order.status == "approved"]
    move_orders(session, [order for order in case.orders if order.status in OPEN], status, actor, now)
    if promised:
        release_animals(session, case.animals, now)


def set_animal_status(animal: Animal, status: str, now: datetime) -> None:
    if animal.status != status:
        animal.status, animal.updated_at = status, now


def release_animals(session: Session, animals: Sequence[Animal], now: datetime) -> None:
    """Make pending animals available if they have no approved application left."""
    for animal in animals:
        if animal.status == "pending" and not has_approved_application(session, animal):
            set_animal_status(animal, "available", now)


def has_approved_application(session: Session, animal: Animal) -> bool:
    approved = select(Order.id).where(Order.animal_id == animal.id, Order.status == "approved")
    return session.scalar(approved.limit(1)) is not None


def decline_others(
    session: Session,
    staff: StaffMember,
    case: Case,
    to_others: StaffText,
    now: datetime,
    states: Sequence[str] = OPEN,
) -> Emailed:
    """Decline the other applications for adopted animals.

    If ``to_others`` has a text, the text is emailed to each applicant, with the names of the applicant's
    animals. Only applications in one of ``states`` are declined.
    """
    adopted = {animal.id for animal in case.animals}
    shelter = shelter_contact(session, staff.project_id)
    emails = []
    for other in find_other_applicants(session, staff.project_id, case).found:
        rival = find_case(session, staff.project_id, other.ref)
        if rival.state not in states:
            continue
        close_case(session, rival, "declined", HOMEWARD, now)
        names = [animal.name for animal in rival.animals if animal.id in adopted]
        filled_in = StaffText(*(fill_in_animals(each, names) for each in to_others))
        emails.append(email_staff_text(session, shelter, rival.application, "homed", names, filled_in, now))
    return sum_emailed(emails)
