"""Emails to applicants with texts that staff wrote.

Anyone can type any email address into an application. So the staff's own text is emailed only to an applicant
who has confirmed the address through the link in an email. Until then, our email has fixed sentences, and the
private page shows the text after the confirmation.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.orders.decision_email_templates import decision_email, fixed_email
from adoption.orders.email_delivery import email_applicant
from adoption.orders.models import Application, ApplicationMessage
from adoption.orders.private_link_tokens import emailed_link, renew_link
from adoption.orders.shelter_contacts import ShelterContact


class Emailed(NamedTuple):
    """The number of people who were emailed about a decision."""

    number: int = 0
    waiting: int = 0
    """The number of these people who have to read the staff's text on their private page."""


def sum_emailed(sent: Iterable[Emailed]) -> Emailed:
    found = list(sent)
    return Emailed(sum(each.number for each in found), sum(each.waiting for each in found))


class StaffText(NamedTuple):
    """A text of the staff to an applicant."""

    text: str
    """The text; empty to send no email."""
    suggested: str
    """The text that the page suggests. The service wrote this text, so it can be emailed to anyone."""

    @property
    def is_own(self) -> bool:
        return self.text.split() != self.suggested.split()


def email_staff_text(
    session: Session,
    shelter: ShelterContact,
    application: Application | None,
    to: str,
    names: list[str],
    staff_text: StaffText,
    now: datetime,
) -> Emailed:
    """Email an applicant about a decision on these animals."""
    if not staff_text.text or application is None or not application.email:
        return Emailed()
    if application.confirmed_at or not staff_text.is_own:
        email = decision_email(to, names, staff_text.text, emailed_link(application))
        return Emailed(email_applicant(session, shelter, application, email, now))
    session.add(ApplicationMessage(application_id=application.id, text=staff_text.text, created_at=now))
    if not emailed_link(application):  # the service's key has changed since the link was created
        renew_link(application)
    email = fixed_email(to, names, shelter, emailed_link(application))
    return Emailed(email_applicant(session, shelter, application, email, now), waiting=1)
