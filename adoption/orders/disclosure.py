"""What is kept of one applicant: shown to the staff, and handed out to whom it concerns."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from adoption.audit import trail
from adoption.database import reading, transaction
from adoption.errors import NotFound
from adoption.mail.models import Letter
from adoption.orders.cases import Ref, case_of
from adoption.orders.desks import Desk
from adoption.orders.history import history_of
from adoption.orders.inbox import Entry, entries_of
from adoption.orders.models import APPLICANT, HOMEWARD, Application, ApplicationNote, Order
from adoption.orders.queries import messages_to
from adoption.projects.models import Project


class Applicant(NamedTuple):
    """What an account's projects keep under one email address."""

    email: str
    names: list[str]
    """As they were given, each once."""
    entries: list[tuple[str, str, Entry]]
    """By the slug and the name of the project, the newest first."""


def of_address(account_id: int, email: str) -> Select[Application, Project]:
    found = select(Application, Project).join(Project, Project.id == Application.project_id)
    # What cannot be printed is nobody's address, and PostgreSQL takes no NUL even to look for it.
    given = email.lower() if email.isprintable() else ""
    found = found.where(Project.account_id == account_id, func.lower(Application.email) == given)
    return found.where(Application.email != "").order_by(Application.id.desc())


def applicant_of(account_id: int, email: str) -> Applicant:
    """Raises NotFound where nothing is kept under this address."""
    with reading() as session:
        rows = session.execute(of_address(account_id, email)).all()
        if not rows:
            raise NotFound("Nothing is kept of this address.")
        entries = []
        for application, project in rows:
            first = session.scalars(
                select(Order).where(Order.application_id == application.id).limit(1)
            ).first()
            [entry] = entries_of(session, project.id, [(first, application)])
            entries.append((project.slug, project.name, entry))
    names = list(dict.fromkeys(application.name for application, _ in rows))
    return Applicant(rows[0][0].email, names, entries)


def exported(desk: Desk, email: str, now: datetime | None = None) -> dict[str, Any]:
    """Everything that is kept of an applicant, as JSON has it. Raises NotFound."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        rows = session.execute(of_address(desk.account_id, email)).all()
        if not rows:
            raise NotFound("Nothing is kept of this address.")
        record_for(session, desk, "applicant.exported", [each for each, _ in rows], now)
        return {
            "email": rows[0][0].email,
            "exportedAt": told(now),
            "applications": [shown(session, *row) for row in rows],
        }


def record_for(
    session: Session, desk: Desk, action: str, applications: Sequence[Application], now: datetime
) -> None:
    """An audit entry about an applicant, who stays unnamed in it."""
    thing = f"Applications {', '.join(str(each.id) for each in applications)}"
    trail.record(session, desk.by, action, desk.account_id, desk.project_id, thing, now=now)


def told(when: datetime | None) -> str | None:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if when else None


def shown(session: Session, application: Application, project: Project) -> dict[str, Any]:
    case = case_of(session, project.id, Ref(application.id))
    notes = session.scalars(select(ApplicationNote).where(ApplicationNote.application_id == application.id))
    letters = session.scalars(select(Letter).where(Letter.application_id == application.id))
    return {
        "shelter": project.name,
        "animals": case.names,
        "sentAt": told(application.created_at),
        "emailConfirmedAt": told(application.confirmed_at),
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
        "orders": [course_of(session, order) for order in case.orders],
        "notes": [{"at": told(note.created_at), "text": note.text} for note in notes],
        "messages": [
            {"at": told(message.created_at), "text": message.text}
            for message in messages_to(session, application.id)
        ],
        "letters": [
            {"to": each.recipient, "subject": each.subject, "writtenAt": told(each.created_at)}
            for each in letters
        ],
    }


def course_of(session: Session, order: Order) -> dict[str, Any]:
    return {
        "id": order.id,
        "status": order.status,
        "createdAt": told(order.created_at),
        "updatedAt": told(order.updated_at),
        "history": [
            {"event": step.event, "by": told_of(step.actor), "at": told(step.at)}
            for step in history_of(session, [order])
        ],
    }


def told_of(actor: str) -> str:
    """Who took a step, as the applicant is told: volunteers' own addresses are theirs."""
    return actor if actor in ("", APPLICANT, HOMEWARD) else "the shelter"
