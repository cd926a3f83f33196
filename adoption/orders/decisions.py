"""Decisions about an application, with their effects on animals and on other applicants."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.display_names import name_of_actor
from adoption.animals.models import Animal
from adoption.errors import Conflict
from adoption.orders.application_audit import StaffMember, record_decision
from adoption.orders.application_states import OPEN
from adoption.orders.applications_with_orders import Case, Ref, lock_case
from adoption.orders.closures import (
    close_case,
    decline_others,
    has_approved_application,
    release_animals,
    set_animal_status,
)
from adoption.orders.history import move_orders, order_history, record_step
from adoption.orders.models import APPLICANT, Order
from adoption.orders.rival_applications import (
    OtherApplicantsChanged,
    RivalCase,
    find_other_applicants,
    find_rivals,
)
from adoption.orders.shelter_contacts import shelter_contact
from adoption.orders.staff_written_emails import Emailed, StaffText, email_staff_text, sum_emailed
from adoption.orders.suggested_texts import suggest_text, suggest_text_to_others
from adoption.storage.database import transaction
from adoption.text_joining import join_names
from adoption.translations import gettext, message


class DecisionResult(NamedTuple):
    names: list[str]
    """The names of the animals."""
    emailed: Emailed


FROM = {
    "approved": ("placed",),
    "declined": OPEN,
    "completed": ("approved",),
    "placed": ("approved",),
    "returned": ("completed",),
}
"""The states from which an application can reach each state. A change to ``placed`` undoes an approval."""

STATE_PHRASES = {
    "placed": message("was put back to review"),
    "approved": message("was approved"),
    "completed": message("was completed"),
    "declined": message("was declined"),
    "withdrawn": message("was withdrawn"),
    "returned": message("was recorded as returned"),
    "held": message("was held as spam"),
}


class AlreadyApproved(Conflict):
    """Someone else is approved for the same animals, but the page did not show this approval."""

    def __init__(self, promises: Sequence[RivalCase]) -> None:
        found = join_names([str(each) for each in promises])
        super().__init__(
            gettext("Nothing was changed: %(reasons)s. Check below, then decide.", reasons=found)
        )


def refuse_unseen(promises: Sequence[RivalCase], known: Collection[str]) -> None:
    """Raise AlreadyApproved if the ref of a rival is not in ``known``."""
    if unseen := [each for each in promises if str(each.ref) not in known]:
        raise AlreadyApproved(unseen)


@contextmanager
def decision(
    staff: StaffMember, ref: Ref, to: str, seen: str, now: datetime
) -> Iterator[tuple[Session, Case]]:
    """Yield a case that can change to state ``to``. The transaction ends with an audit entry.

    ``seen`` is the state that the page showed. Raises NotFound if there is no such case. Raises Conflict if
    the state of the case has changed or does not allow ``to``.
    """
    with transaction() as session:
        case = lock_case(session, staff.project_id, ref)
        if case.state != seen or case.state not in FROM[to]:
            changed = last_change(session, staff.account_id, case)
            raise Conflict(
                gettext(
                    "Nothing was changed: this application %(change)s since you opened it. Check it, "
                    "then decide.",
                    change=changed,
                )
            )
        yield session, case
        action = "application.reopened" if to == "placed" else f"application.{to}"
        record_decision(session, staff, action, case.names, case.ref, now)


def last_change(session: Session, account_id: int, case: Case) -> str:
    """Return the last change of a case as a phrase, such as "was approved by Ann Carter"."""
    steps = order_history(session, case.orders) if case.orders else []
    change = gettext(STATE_PHRASES[case.state])
    if not steps or not steps[-1].actor:
        return change
    actor = steps[-1].actor
    if actor == APPLICANT:
        return gettext("%(change)s by the applicant", change=change)
    name = name_of_actor(session, account_id, actor)
    return gettext("%(change)s by %(name)s", change=change, name=name)


def approve_application(
    staff: StaffMember,
    ref: Ref,
    seen: str,
    text: str = "",
    known: Collection[str] = (),
    now: datetime | None = None,
) -> DecisionResult:
    """Approve an application. Its animals become pending.

    If ``text`` is not empty, email it to the applicant. ``known`` are the refs, as text, of the other
    approved applications that the page showed for the same animals.

    Raises NotFound if there is no such application. Raises Conflict if the application is already decided, an
    animal is adopted, or an approved application for the same animals is not in ``known``.
    """
    now = now or datetime.now(UTC)
    with decision(staff, ref, "approved", seen, now) as (session, case):
        for animal in case.animals:
            if animal.status == "sold":
                raise Conflict(
                    gettext(
                        "%(name)s is marked as adopted, so no one can be approved. Decline this application, "
                        "or change the status of %(name)s first.",
                        name=animal.name,
                    )
                )
            set_animal_status(animal, "pending", now)
        refuse_unseen(find_rivals(session, staff.project_id, case), known)
        move_orders(session, case.orders, "approved", staff.by.name, now)
        return DecisionResult(case.names, email_decision(session, staff, case, "approved", text, now))


def undo_approval(
    staff: StaffMember,
    ref: Ref,
    seen: str,
    text: str = "",
    known: Collection[str] = (),
    now: datetime | None = None,
) -> DecisionResult:
    """Undo an approval. The application has to be reviewed again, and its animals become available.

    If ``text`` is not empty, email it to the applicant. An animal with another approved application stays
    pending. ``known`` is the same as for ``approve_application``. Raises NotFound if there is no such
    application, and Conflict if the application's state has changed.
    """
    now = now or datetime.now(UTC)
    with decision(staff, ref, "placed", seen, now) as (session, case):
        refuse_unseen(find_rivals(session, staff.project_id, case), known)
        move_orders(session, case.orders, "placed", staff.by.name, now)
        release_animals(session, case.animals, now)
        return DecisionResult(case.names, email_decision(session, staff, case, "placed", text, now))


def decline_application(
    staff: StaffMember, ref: Ref, seen: str, text: str = "", now: datetime | None = None
) -> DecisionResult:
    """Decline an application. If ``text`` is not empty, email it to the applicant.

    Raises NotFound if there is no such application, and Conflict if the application's state has changed.
    """
    now = now or datetime.now(UTC)
    with decision(staff, ref, "declined", seen, now) as (session, case):
        close_case(session, case, "declined", staff.by.name, now)
        return DecisionResult(case.names, email_decision(session, staff, case, "declined", text, now))


def complete_adoption(
    staff: StaffMember,
    ref: Ref,
    seen: str,
    text: str = "",
    words_to_others: str = "",
    others: str = "",
    now: datetime | None = None,
) -> DecisionResult:
    """Complete an adoption. The animals become adopted, and the other applications for them are closed.

    ``text`` is emailed to the applicant, and ``words_to_others`` to the other applicants. An empty text is
    not emailed. ``others`` is the ``fingerprint`` of the other applicants that the page showed. Raises
    NotFound if there is no such application, and Conflict if the application's state or the other applicants
    have changed.
    """
    now = now or datetime.now(UTC)
    with decision(staff, ref, "completed", seen, now) as (session, case):
        if find_other_applicants(session, staff.project_id, case).fingerprint != others:
            raise OtherApplicantsChanged()
        for animal in case.animals:
            set_animal_status(animal, "sold", now)
        move_orders(session, case.orders, "completed", staff.by.name, now)
        to_others = StaffText(words_to_others, suggest_text_to_others(session, staff, case))
        written = email_decision(session, staff, case, "completed", text, now)
        return DecisionResult(
            case.names, sum_emailed([written, decline_others(session, staff, case, to_others, now)])
        )


def record_return(
    staff: StaffMember, ref: Ref, seen: str, text: str = "", now: datetime | None = None
) -> DecisionResult:
    """Record the return of adopted animals. The animals become available again.

    If ``text`` is not empty, email it to the applicant. Other applicants are not emailed. Raises NotFound if
    there is no such application, and Conflict if the application's state has changed.
    """
    now = now or datetime.now(UTC)
    with decision(staff, ref, "returned", seen, now) as (session, case):
        adopted_at = min(order.updated_at for order in case.orders)
        for order in case.orders:
            order.returned_at = order.updated_at = now
        record_step(session, case.orders, "returned", staff.by.name, now)
        for animal in case.animals:
            if animal.status == "sold" and not adopted_since(session, animal, adopted_at):
                set_animal_status(
                    animal, "pending" if has_approved_application(session, animal) else "available", now
                )
        return DecisionResult(case.names, email_decision(session, staff, case, "returned", text, now))


def email_decision(
    session: Session, staff: StaffMember, case: Case, to: str, text: str, now: datetime
) -> Emailed:
    """Email the staff's text about a decision to an applicant. An empty text is not sent."""
    shelter = shelter_contact(session, staff.project_id)
    staff_text = StaffText(text, suggest_text(to, case.names, shelter))
    return email_staff_text(session, shelter, case.application, to, case.names, staff_text, now)


def adopted_since(session: Session, animal: Animal, when: datetime) -> bool:
    """Return whether someone else adopted the animal after ``when`` and has not returned the animal."""
    later = select(Order.id).where(
        Order.animal_id == animal.id,
        Order.status == "completed",
        Order.returned_at.is_(None),
        Order.updated_at > when,
    )
    return session.scalar(later.limit(1)) is not None
