"""Withdrawal of an application by its applicant."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from adoption.errors import NotFound
from adoption.orders import email_templates
from adoption.orders.application_states import UNDECIDED
from adoption.orders.applications_with_orders import Ref, lock_case
from adoption.orders.closures import close_case
from adoption.orders.email_delivery import case_link, email_applicant, email_shelter
from adoption.orders.models import APPLICANT, Application
from adoption.orders.private_page import select_application_by_token
from adoption.orders.shelter_contacts import shelter_contact
from adoption.storage.database import transaction
from adoption.translations import gettext


def withdraw_application(token: str, now: datetime | None = None) -> bool:
    """Withdraw an open application and email the shelter. Return False if the application was not open.

    Raises NotFound if the token is unknown.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        found = session.scalar(select_application_by_token(token))
        if found is None:
            raise NotFound(gettext("This link leads to no application."))
        case = lock_case(session, found.project_id, Ref(found.id))
        application = case.application
        if application is None or case.state not in UNDECIDED:
            return False
        close_case(session, case, "withdrawn", APPLICANT, now)
        if case.orders:
            email_withdrawal(session, application, case.names, now)
        application.held_for = ""  # an application without a hold and without orders counts as withdrawn
    return True


def email_withdrawal(session: Session, application: Application, names: list[str], now: datetime) -> None:
    """Email the shelter and the applicant that an application was withdrawn."""
    link, shelter = case_link(session, application), shelter_contact(session, application.project_id)
    news = email_templates.withdrawal(application, names, link, shelter.time_zone)
    email_shelter(session, application, news, email_templates.withdrawal_without_details(link), now)
    receipt = email_templates.withdrawal_receipt(names, shelter)
    email_applicant(session, shelter, application, receipt, now)
