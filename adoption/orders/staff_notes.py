"""Notes of the staff about an application."""

from datetime import UTC, datetime

from adoption import validation
from adoption.errors import Conflict, Invalid
from adoption.orders.application_audit import StaffMember, record_decision
from adoption.orders.applications_with_orders import Ref, lock_case
from adoption.orders.models import ApplicationNote
from adoption.storage.database import transaction
from adoption.translations import gettext

NOTE_LONGEST = 2_000


def check_note(text: str) -> str:
    """Return a cleaned note. Raises Invalid if the note is empty or too long."""
    try:
        words = validation.validate_lines(text, NOTE_LONGEST, gettext("the note"))
    except ValueError as error:
        raise Invalid([("note", str(error))]) from error
    if not words:
        raise Invalid([("note", gettext("Enter a note"))])
    return words


def add_staff_note(staff: StaffMember, ref: Ref, text: str, now: datetime | None = None) -> None:
    """Add a staff note.

    Raises NotFound if there is no such application, Invalid if the note is empty or too long, and Conflict if
    the data was erased.
    """
    now, words = now or datetime.now(UTC), check_note(text)
    with transaction() as session:
        case = lock_case(session, staff.project_id, ref)
        if case.application is None:
            raise Conflict(gettext("Nothing was added: this order has no application form."))
        if case.application.forgotten_at:
            raise Conflict(gettext("Nothing was added: the data in this application has been deleted."))
        session.add(
            ApplicationNote(
                application_id=case.application.id, author=staff.by.name, text=words, created_at=now
            )
        )
        record_decision(session, staff, "application.noted", case.names, ref, now)
