"""Release and deletion of applications that were held as spam."""

from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.email_throttles import account_of_project, use_address_allowance
from adoption.errors import Conflict
from adoption.mail import outbox
from adoption.orders.application_audit import StaffMember, record_decision
from adoption.orders.applications_with_orders import lock_decisions, no_such_application
from adoption.orders.models import Application
from adoption.orders.personal_data_erasure import discard_files
from adoption.orders.private_link_tokens import own_token
from adoption.orders.private_page import names_of_animals
from adoption.orders.repeated_applications import find_open_application
from adoption.orders.submissions import OVER_LIMIT, lock_animals_applied_for, place_orders
from adoption.storage.database import transaction
from adoption.token_hashes import hash_token
from adoption.translations import gettext


def release_application(staff: StaffMember, application_id: int, now: datetime | None = None) -> None:
    """Release a held application, as if it were sent now. An application that is not held stays unchanged.

    Raises NotFound if there is no such application, or its animal is no longer public. Raises Conflict if the
    animal was adopted, the same address has an open application for the animal, or no more new addresses may
    be emailed today.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        application = lock_held_application(session, staff.project_id, application_id)
        if not application.held_for:
            return
        animals = lock_animals_applied_for(session, application.animal_id, staff.project_id)
        if find_open_application(session, application.animal_id, application.email):
            raise Conflict(
                gettext(
                    "The application was not released: %(name)s has applied for %(animal)s again, and "
                    "the new application is still open. Decide the new application instead.",
                    name=application.name,
                    animal=animals[0].name,
                )
            )
        counted = use_address_allowance(account_of_project(session, staff.project_id), application.email, now)
        if not counted.may_be_emailed:
            raise Conflict(gettext(OVER_LIMIT, number=counted.most))
        application.held_for, application.repeats = "", False
        # The service's key may have changed since the application was sent, and no one has the link yet.
        application.token_hash = hash_token(own_token(application))
        place_orders(session, application, animals, now, staff.by.name)
        record_decision(
            session, staff, "application.released", [each.name for each in animals], application.id, now
        )


def delete_held_application(staff: StaffMember, application_id: int, now: datetime | None = None) -> None:
    """Delete a held application with all its data.

    Raises NotFound if there is no such application, and Conflict if the application is not held.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        application = lock_held_application(session, staff.project_id, application_id)
        if not application.held_for:
            raise Conflict(gettext("Nothing was deleted: this application is not held any more."))
        names = names_of_animals(session, application.animal_id, {application.animal_id})
        record_decision(session, staff, "application.discarded", names, application.id, now)
        mails = outbox.delete_emails_about(session, [application.id])
        session.delete(application)
    discard_files(mails)


def lock_held_application(session: Session, project_id: int, application_id: int) -> Application:
    """Lock the project's decisions, and return an application.

    Raises NotFound if there is no such application.
    """
    lock_decisions(session, project_id)
    application = session.scalar(
        select(Application).where(Application.project_id == project_id, Application.id == application_id)
    )
    if application is None:
        raise no_such_application()
    return application
