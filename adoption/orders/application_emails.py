"""Sending emails about an application to the applicant and the shelter. Each can reply to the other."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.signed_links import whole
from adoption.mail import outbox
from adoption.orders.models import Application
from adoption.orders.queries import Shelter, shelter_of
from adoption.projects.models import Project


def email_applicant(
    session: Session,
    shelter: Shelter,
    application: Application | None,
    email: tuple[str, str],
    now: datetime,
) -> int:
    """Email an applicant a subject and a text. Return the number of emails: 0 without an address."""
    if application is None or not application.email:
        return 0
    reply_to = shelter.contact_email
    outbox.write(session, application.email, *email, reply_to, now, application.id, shelter.name)
    return 1


def email_shelter(session: Session, application: Application, email: tuple[str, str], now: datetime) -> None:
    """Email the shelter a subject and a text, if it has an address."""
    shelter = shelter_of(session, application.project_id)
    if shelter.contact_email:
        outbox.write(session, shelter.contact_email, *email, application.email, now, application.id)


def case_link(session: Session, application: Application) -> str:
    """Return the address of an application's staff page, on the platform's host."""
    slug = session.scalar(select(Project.slug).where(Project.id == application.project_id))
    return whole(f"projects/{slug}/applications/{application.id}")
