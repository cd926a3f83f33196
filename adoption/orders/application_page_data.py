"""All data that the staff page of an application shows."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Select, false, func, select
from sqlalchemy.orm import Session

from adoption.accounts.display_names import ActorNames, names_of_actors
from adoption.orders.applications_with_orders import Case, Ref, find_case
from adoption.orders.assignments import assignee_of
from adoption.orders.history import OrderStep, order_history
from adoption.orders.inbox import InboxAnimal, InboxEntry, InboxRow, inbox_animals, inbox_entries
from adoption.orders.models import Application, ApplicationMessage, ApplicationNote, Order
from adoption.orders.private_page import messages_to
from adoption.orders.rival_applications import OtherApplicants, RivalCase, find_other_applicants, find_rivals
from adoption.orders.shelter_contacts import ShelterContact, shelter_contact
from adoption.storage.database import reading

OTHERS_SHOWN = 50
"""The maximum number of other applicants that a page lists."""


class ApplicationOverview(NamedTuple):
    case: Case
    pets: list[InboxAnimal]
    shelter: ShelterContact
    history: list[OrderStep]
    notes: Sequence[ApplicationNote]
    """The staff's notes, the newest last."""
    messages: Sequence[ApplicationMessage]
    """The staff's messages on the private page, the newest last."""
    others: OtherApplicants
    """The other open applications for the same animals."""
    others_shown: list[InboxEntry]
    """The inbox entries of the first ``OTHERS_SHOWN`` applicants in ``others``, oldest first."""
    approved_rivals: list[RivalCase]
    """The other approved applications for the same animals."""
    same_address: list[InboxEntry]
    """Other applications from the same email address, newest first, at most ``OTHERS_SHOWN``."""
    same_address_total: int
    assignee: int | None
    """The id of the member who handles the application."""
    names: ActorNames
    """The display names of the people in the history and the notes."""


def load_overview(account_id: int, project_id: int, ref: Ref) -> ApplicationOverview:
    """Return the overview of an application. Raises NotFound if the project has no such case."""
    with reading() as session:
        case = find_case(session, project_id, ref)
        pets = inbox_animals(session, project_id, {animal.id for animal in case.animals})
        notes = session.scalars(
            select(ApplicationNote)
            .where(ApplicationNote.application_id == ref.application_id)
            .order_by(ApplicationNote.id)
        ).all()
        steps = order_history(session, case.orders, assignments=True)
        people = (
            [step.actor for step in steps] + [step.detail for step in steps] + [each.author for each in notes]
        )
        others = find_other_applicants(session, project_id, case)
        shown = [load_inbox_row(session, each.ref) for each in others.found[:OTHERS_SHOWN]]
        same = select_same_address(case)
        return ApplicationOverview(
            case,
            [pets[animal.id] for animal in case.animals],
            shelter_contact(session, project_id),
            steps,
            notes,
            messages_to(session, ref.application_id),
            others,
            inbox_entries(session, project_id, shown),
            find_rivals(session, project_id, case),
            inbox_entries(session, project_id, newest_rows(session, same)),
            session.scalar(same.with_only_columns(func.count())) or 0,
            assignee_of(session, case),
            names_of_actors(session, account_id, people),
        )


def select_same_address(case: Case) -> Select[Application]:
    """Return a query for the applicant's other applications to this shelter."""
    application = case.application
    found = select(Application)
    if application is None or not application.email:
        return found.where(false())
    return found.where(
        Application.project_id == application.project_id,
        Application.id != application.id,
        func.lower(Application.email) == application.email.lower(),
    )


def newest_rows(session: Session, found: Select[Application]) -> list[InboxRow]:
    newest = session.scalars(found.order_by(Application.id.desc()).limit(OTHERS_SHOWN))
    return [(first_order(session, Ref(each.id)), each) for each in newest.all()]


def load_inbox_row(session: Session, ref: Ref) -> InboxRow:
    application = session.get(Application, ref.application_id) if ref.application_id else None
    return first_order(session, ref), application


def first_order(session: Session, ref: Ref) -> Order | None:
    own = Order.id == ref.order_id if ref.order_id else Order.application_id == ref.application_id
    return session.scalar(select(Order).where(own).order_by(Order.id).limit(1))
