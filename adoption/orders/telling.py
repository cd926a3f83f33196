"""Letters about an application, to the one who applied and to the shelter: each can answer the other."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.links import whole
from adoption.mail import outbox
from adoption.orders.models import Application
from adoption.orders.queries import Shelter, shelter_of
from adoption.projects.models import Project


def tell_applicant(
    session: Session,
    shelter: Shelter,
    application: Application | None,
    told: tuple[str, str] | None,
    now: datetime,
) -> int:
    """Write to an applicant; gives 1, or 0 where there is nobody or nothing to say."""
    if application is None or told is None or not application.email:
        return 0
    reply_to = shelter.contact_email
    outbox.write(session, application.email, *told, reply_to, now, application.id, shelter.name)
    return 1


def tell_shelter(session: Session, application: Application, told: tuple[str, str], now: datetime) -> None:
    """Write to the shelter, where it has an address."""
    shelter = shelter_of(session, application.project_id)
    if shelter.contact_email:
        outbox.write(session, shelter.contact_email, *told, application.email, now, application.id)


def case_link(session: Session, application: Application) -> str:
    """Return the address of an application's staff page, on the platform's host."""
    slug = session.scalar(select(Project.slug).where(Project.id == application.project_id))
    return whole(f"projects/{slug}/applications/{application.id}")
