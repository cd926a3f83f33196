"""Delivery of emails about an application. The applicant and the shelter can reply to each other.

A shelter's contact address is not confirmed, and a malicious account can send applications to its own
shelter. So an email to the contact address contains nothing that an applicant typed, unless a member signs in
with that address. The contact address also counts as one of the account's new addresses.
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
    """Email an applicant. ``email`` is a subject and a text.

    Return the number of emails: 1, or 0 if the applicant has no email address.
    """
    if application is None or not application.email:
        return 0
    reply_to = shelter.contact_email
    outbox.add_email(session, application.email, *email, reply_to, now, application.id, shelter.name)
    return 1


class ShelterAddress(NamedTuple):
    """The email address of a shelter."""

    email: str
    """The contact address; empty if the shelter has none."""
    is_members: bool
    may_be_emailed: bool
    """Whether the account's daily limit on new addresses allows an email to the address today."""


def address_of_shelter(session: Session, project_id: int, now: datetime) -> ShelterAddress:
    """Return a shelter's address.

    Count the address as one of today's new addresses, unless a member signs in with the address.
    """
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
    """Email the shelter, if the shelter has an address. ``email`` is a subject and a text.

    If no member signs in with the address, ``without_details`` is sent instead of ``email``.
    ``without_details`` contains nothing that the applicant typed.
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
