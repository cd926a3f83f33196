"""Emails to applicants with the words of staff.

Anyone can type any email address into an application. Words of the staff's own are therefore emailed only to
an applicant who has opened the link in an email of ours. Until then our email has fixed sentences, and the
words are kept for the private page, which shows them once that link is opened.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.orders.application_emails import email_applicant
from adoption.orders.decision_emails import decision_email, fixed_email
from adoption.orders.link_secrets import emailed_link, renew_link
from adoption.orders.models import Application, ApplicationMessage
from adoption.orders.queries import ShelterContact


class Emailed(NamedTuple):
    """How many people were emailed about a decision."""

    told: int = 0
    waiting: int = 0
    """Those of them who have to read the staff's text on their private page."""


def sum_emailed(sent: Iterable[Emailed]) -> Emailed:
    found = list(sent)
    return Emailed(sum(each.told for each in found), sum(each.waiting for each in found))


class StaffText(NamedTuple):
    """What staff write to an applicant."""

    text: str
    """Empty for no email."""
    suggested: str
    """The text that the page offers. It is ours, so anyone may be emailed it."""

    @property
    def are_own(self) -> bool:
        return self.text.split() != self.suggested.split()


def email_staff_text(
    session: Session,
    shelter: ShelterContact,
    application: Application | None,
    to: str,
    names: list[str],
    words: StaffText,
    now: datetime,
) -> Emailed:
    """Email an applicant about a decision for these animals."""
    if not words.text or application is None or not application.email:
        return Emailed()
    if application.confirmed_at or not words.are_own:
        email = decision_email(to, names, words.text, emailed_link(application))
        return Emailed(email_applicant(session, shelter, application, email, now))
    session.add(ApplicationMessage(application_id=application.id, text=words.text, created_at=now))
    if not emailed_link(application):  # the service had another key when it was made
        renew_link(application)
    email = fixed_email(to, names, shelter, emailed_link(application))
    return Emailed(email_applicant(session, shelter, application, email, now), waiting=1)
