"""All data about one applicant, shown to the staff and exported for the applicant.

The id of an application identifies the applicant. An email address in a URL would be in the logs of proxies.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session, aliased

from adoption.errors import NotFound
from adoption.mail.models import OutgoingEmail
from adoption.orders.application_audit import StaffMember, record_applicant_audit
from adoption.orders.applications_with_orders import Ref, find_case
from adoption.orders.history import order_history
from adoption.orders.inbox import InboxEntry, inbox_entries
from adoption.orders.models import APPLICANT, HOMEWARD, Application, ApplicationNote, Order
from adoption.orders.private_page import messages_to
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.translations import gettext

ApplicationRow = Row[Application, Project]


class ApplicantData(NamedTuple):
    """All data about one email address in an account's projects."""

    email: str
    names: list[str]
    """The different names in the applicant's applications."""
    entries: list[tuple[str, str, InboxEntry]]
    """The applications, newest first.

    Each application has the slug and name of its project, and its inbox entry.
    """


def find_applications_of_applicant(
    session: Session, account_id: int, application_id: int
) -> Sequence[ApplicationRow]:
    """Return all applications to an account from the applicant of one application, newest first.

    Applications from the same email address are from the same applicant. Raises NotFound if the account has
    no such application, or the application's data was erased.
    """
    own, own_project = aliased(Application), aliased(Project)
    email = (
        select(func.lower(own.email))
        .join(own_project, own_project.id == own.project_id)
        .where(own_project.account_id == account_id, own.id == application_id, own.email != "")
        .scalar_subquery()
    )
    found = select(Application, Project).join(Project, Project.id == Application.project_id)
    found = found.where(Project.account_id == account_id, func.lower(Application.email) == email)
    rows = session.execute(found.order_by(Application.id.desc())).all()
    if not rows:
        raise NotFound(gettext("There is no data about this applicant."))
    return rows


def load_applicant(account_id: int, application_id: int) -> ApplicantData:
    """Return all data about the applicant of an application.

    Raises NotFound if the account has no such application, or the application's data was erased.
    """
    with reading() as session:
        rows = find_applications_of_applicant(session, account_id, application_id)
        entries = []
        for application, project in rows:
            first = session.scalars(
                select(Order).where(Order.application_id == application.id).limit(1)
            ).first()
            [entry] = inbox_entries(session, project.id, [(first, application)])
            entries.append((project.slug, project.name, entry))
    names = list(dict.fromkeys(application.name for application, _ in rows))
    return ApplicantData(rows[0][0].email, names, entries)


def export_applicant(staff: StaffMember, application_id: int, now: datetime | None = None) -> dict[str, Any]:
    """Return all data about the applicant of an application, for JSON.

    Raises NotFound if the account has no such application, or the application's data was erased.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        rows = find_applications_of_applicant(session, staff.account_id, application_id)
        record_applicant_audit(session, staff, "applicant.exported", [each for each, _ in rows], now)
        return {
            "email": rows[0][0].email,
            "exportedAt": format_utc(now),
            "applications": [export_application(session, *row) for row in rows],
        }


def format_utc(when: datetime | None) -> str | None:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if when else None


def export_application(session: Session, application: Application, project: Project) -> dict[str, Any]:
    case = find_case(session, project.id, Ref(application.id))
    notes = session.scalars(select(ApplicationNote).where(ApplicationNote.application_id == application.id))
    emails = session.scalars(select(OutgoingEmail).where(OutgoingEmail.application_id == application.id))
    return {
        "shelter": project.name,
        "animals": case.names,
        "sentAt": format_utc(application.created_at),
        "emailConfirmedAt": format_utc(application.confirmed_at),
        "state": case.state,
        "heldFor": application.held_for or None,
        "name": application.name,
        "email": application.email,
        "phone": application.phone,
        "home": application.home,
        "household": application.household.split(),
        "why": application.why,
        "ownAnswers": [
            {"question": question, "answer": answer} for question, answer in application.own_answer_pairs
        ],
        "orders": [export_order(session, order) for order in case.orders],
        "notes": [{"at": format_utc(note.created_at), "text": note.text} for note in notes],
        "messages": [
            {"at": format_utc(message.created_at), "text": message.text}
            for message in messages_to(session, application.id)
        ],
        "letters": [
            {"to": each.recipient, "subject": each.subject, "writtenAt": format_utc(each.created_at)}
            for each in emails
        ],
    }


def export_order(session: Session, order: Order) -> dict[str, Any]:
    return {
        "id": order.id,
        "status": order.status,
        "createdAt": format_utc(order.created_at),
        "updatedAt": format_utc(order.updated_at),
        "history": [
            {"event": step.event, "by": public_actor(step.actor), "at": format_utc(step.at)}
            for step in order_history(session, [order])
        ],
    }


def public_actor(actor: str) -> str:
    """Return the actor of a step for the applicant's data, without the email address of a volunteer."""
    return actor if actor in ("", APPLICANT, HOMEWARD) else "the shelter"
