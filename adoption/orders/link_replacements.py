"""Replacements of private links, after an applicant lost the link or a stranger received the link."""

from datetime import UTC, datetime

from adoption.accounts.quotas.throttles import DAY, Throttle
from adoption.errors import Conflict
from adoption.orders import email_templates
from adoption.orders.application_audit import StaffMember, record_decision
from adoption.orders.applications_with_orders import Ref, lock_case
from adoption.orders.email_delivery import email_applicant
from adoption.orders.models import Application
from adoption.orders.private_link_tokens import emailed_link, renew_link
from adoption.orders.shelter_contacts import shelter_contact
from adoption.storage.database import transaction
from adoption.translations import gettext

NEW_LINKS = Throttle("private-links", 3, DAY)
"""The daily limit on new links for one applicant. The limit counts the links from all members together."""


def can_get_link(application: Application | None) -> bool:
    """Return whether the application has an email address and is not held."""
    return application is not None and bool(application.email) and not application.held_for


def send_new_link(staff: StaffMember, ref: Ref, now: datetime | None = None) -> None:
    """Email an applicant a new private link. The previous link stops working.

    Raises NotFound if there is no such application. Raises Conflict if the applicant has no address, the
    application is held, or the daily limit of new links is reached.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        case = lock_case(session, staff.project_id, ref)
        application = case.application
        if application is None or not can_get_link(application):
            raise Conflict(
                gettext("No link was sent: this application is held as spam or has no email address.")
            )
        if not NEW_LINKS.take(str(ref), now.timestamp()):
            raise Conflict(
                gettext(
                    "No link was sent: %(number)s new links were emailed to this applicant today. The "
                    "latest link works. You can send another link tomorrow.",
                    number=NEW_LINKS.most,
                )
            )
        renew_link(application)
        shelter = shelter_contact(session, staff.project_id)
        email = email_templates.new_link(case.names, shelter, emailed_link(application))
        email_applicant(session, shelter, application, email, now)
        record_decision(session, staff, "application.link-sent", case.names, ref, now)
