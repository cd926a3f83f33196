"""Emails about an application to the applicant and the shelter. Each can reply to the other.

A shelter's contact address is not confirmed, and a malicious account can apply to itself. So the address gets
nothing that an applicant typed, unless a member signs in with it. It also counts as one of the account's new
addresses.
"""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.email_throttles import account_of_project, use_address_allowance
from adoption.accounts.members import is_members_address
from adoption.mail import outbox
from adoption.orders.models import Application
from adoption.orders.shelter_contacts import ShelterContact, shelter_contact
from adoption.platform_addresses import platform_link
from adoption.projects.models import Project


def email_applicant(
    session: Session,
    shelter: ShelterContact,
    application: Application | None,
    email: tuple[str, str],
    now: datetime,
) -> int:
    """Email an applicant a subject and a text. Return the number of emails: 0 without an email address."""
    if application is None or not application.email:
        return 0
    reply_to = shelter.contact_email
    outbox.add_email(session, application.email, *email, reply_to, now, application.id, shelter.name)
    return 1


class ShelterAddress(NamedTuple):
    """A shelter's address for emails."""

    email: str
    """The email address; empty without a contact address."""
    is_members: bool
    may_be_emailed: bool
    """Whether the address may get an email today. False if it is new and the account has reached its daily
    limit."""


def address_of_shelter(session: Session, project_id: int, now: datetime) -> ShelterAddress:
    """Return a shelter's address. Count the address for today, unless it is a member's."""
    email = shelter_contact(session, project_id).contact_email
    account = account_of_project(session, project_id)
    if not email or is_members_address(session, account.id, email):
        return ShelterAddress(email, bool(email), True)
    return ShelterAddress(email, False, use_address_allowance(account, email, now).may_be_emailed)


def email_shelter(
    session: Session,
    application: Application,
    email: tuple[str, str],
    without_details: tuple[str, str],
    now: datetime,
) -> None:
    """Email the shelter a subject and a text, if the shelter has an address.

    If no member signs in with the address, send ``without_details`` instead. It contains nothing that the
    applicant typed.
    """
    address = address_of_shelter(session, application.project_id, now)
    if not address.email or not address.may_be_emailed:
        return
    sent, reply_to = (email, application.email) if address.is_members else (without_details, "")
    outbox.add_email(session, address.email, *sent, reply_to, now, application.id)


def case_link(session: Session, application: Application) -> str:
    """Return the URL of an application's staff page, on the platform's host."""
    slug = session.scalar(select(Project.slug).where(Project.id == application.project_id))
    return platform_link(f"projects/{slug}/applications/{application.id}")
