"""Closing applications without an adoption. Their animals become available again."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.orders.application_audit import StaffMember
from adoption.orders.application_cases import Case, find_case
from adoption.orders.decision_email_templates import fill_in_animals, suggested_text_to_others
from adoption.orders.history import move_orders
from adoption.orders.models import HOMEWARD, Order
from adoption.orders.queries import OPEN, shelter_contact
from adoption.orders.rival_applications import find_other_applicants
from adoption.orders.staff_written_emails import Emailed, StaffText, email_staff_text, sum_emailed
from adoption.platform_addresses import platform_link

SIMILAR_MOST = 3


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

    If the text is not empty, each applicant is emailed it with the names of their animals. Only applications
    in one of ``states`` are declined.
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


def suggested_to_others(session: Session, staff: StaffMember, case: Case) -> str:
    """Return the suggested text to the other applicants for adopted animals."""
    shelter = shelter_contact(session, staff.project_id)
    return suggested_text_to_others(similar_animals(session, case), shelter)


def similar_animals(session: Session, case: Case) -> list[tuple[str, str]]:
    """Return the shelter's newest available animals of the same species, each with the URL of its page."""
    first = case.animals[0]
    rows = session.execute(
        select(Animal.name, Animal.id)
        .where(SHOWN_CLAUSE, Animal.project_id == first.project_id, Animal.category_id == first.category_id)
        .where(Animal.status == "available", Animal.id.not_in([animal.id for animal in case.animals]))
        .order_by(Animal.id.desc())
        .limit(SIMILAR_MOST)
    )
    return [(name, platform_link(f"animals/{id_}")) for name, id_ in rows]
