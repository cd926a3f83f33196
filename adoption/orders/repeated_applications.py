"""Repeated applications: the same form again, or a different form from the same address."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from adoption.accounts.quotas.throttles import DAY, Throttle
from adoption.errors import Conflict
from adoption.orders import email_templates
from adoption.orders.application_states import OPEN, UNDECIDED, application_state
from adoption.orders.email_delivery import email_applicant
from adoption.orders.models import Application, Order
from adoption.orders.private_link_tokens import emailed_link, submission_of
from adoption.orders.shelter_contacts import shelter_contact
from adoption.translations import gettext

AnimalRow = Row[int, str, int, str]
"""An animal that an applicant applies for: id, name, project_id, status."""

REUSED_MOST = 10
"""The maximum number of applications from one form.

After an application is closed, its form can be sent again. Only a program would send a form so often.
"""


class SentBefore(NamedTuple):
    application: Application | None
    """The open application that was sent with the form, if any."""
    submission: str
    """The id of that application's submission. Without an application, the id for a new submission."""


def find_sent_before(session: Session, form: str, email: str) -> SentBefore:
    """Find the open application that was sent with this form.

    A browser can show a cached page with its form again. If the application from that form is closed, the
    form starts a new submission. Raises Conflict if the form was used too often.
    """
    submission = submission_of(form, email)
    for _ in range(REUSED_MOST):
        application = session.scalar(select(Application).where(Application.submission == submission))
        if application is None:
            return SentBefore(None, submission)
        orders = session.scalars(select(Order).where(Order.application_id == application.id)).all()
        if application_state(application, orders)[0] in UNDECIDED:
            return SentBefore(application, submission)
        submission = submission_of(submission, email)
    raise Conflict(gettext("This form has been used too often. Reload the page, then apply again."))


REMINDERS = Throttle("application-reminders", 1, DAY)


def hold_repeat(
    session: Session, application: Application, animals: Sequence[AnimalRow], now: datetime
) -> bool:
    """Hold an application from an address that has an open or held application for the animal.

    If the earlier application is open, remind the owner of the address by email, at most once a day. Return
    whether a reminder was sent now.
    """
    first, email = animals[0], application.email
    earlier = find_open_application(session, first.id, email)
    if earlier is None:
        if has_held_application(session, animals, email):
            application.held_for = "An earlier application from this address is held as well."
        return False
    application.held_for = f"This address has an open application for {first.name} already."
    application.repeats = True
    if not REMINDERS.take(email, now.timestamp()):
        return False
    shelter, names = shelter_contact(session, earlier.project_id), [animal.name for animal in animals]
    reminder = email_templates.already_applied(names, shelter, emailed_link(earlier))
    email_applicant(session, shelter, earlier, reminder, now)
    return True


def find_open_application(session: Session, animal_id: int, email: str) -> Application | None:
    """Return the open application for the animal from this address.

    ``sam+dogs@`` and ``sam@`` are two addresses. Only the mail host knows whether both belong to one person
    (RFC 5321, 2.3.11). At some hosts, they belong to two people. The staff see both applications.
    """
    found = (
        select(Application)
        .join(Order, Application.id == Order.application_id)
        .where(Order.animal_id == animal_id, Order.status.in_(OPEN))
        .where(func.lower(Application.email) == email.lower())
    )
    return session.scalar(found.limit(1))


def has_held_application(session: Session, animals: Sequence[AnimalRow], email: str) -> bool:
    """Return whether an application from this address for one of the animals is held."""
    found = (
        select(Application.id)
        .where(Application.animal_id.in_([animal.id for animal in animals]), Application.held_for != "")
        .where(func.lower(Application.email) == email.lower())
    )
    return session.scalar(found.limit(1)) is not None
