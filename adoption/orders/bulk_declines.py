"""Bulk declines: staff decline many applications at once, and can undo a decline if no email was sent."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.errors import NotFound
from adoption.mail.models import OutgoingEmail
from adoption.orders.application_audit import StaffMember, record_decision
from adoption.orders.application_states import OPEN
from adoption.orders.applications_with_orders import Case, Ref, check_case_count, lock_case
from adoption.orders.closures import close_case, set_animal_status
from adoption.orders.decisions import STATE_PHRASES, email_decision, last_change
from adoption.orders.history import move_orders, order_history
from adoption.orders.models import APPLICANT, HOMEWARD, Application, Order
from adoption.orders.rival_applications import RivalCase, find_rivals
from adoption.orders.staff_written_emails import Emailed, sum_emailed
from adoption.orders.suggested_texts import fill_in_animals
from adoption.storage.database import transaction
from adoption.text_joining import join_names
from adoption.translations import gettext

UNDONE_WITHIN = timedelta(days=1)
"""The period in which a decline can be undone.

A decline cannot be undone after its email was sent. So sent emails are stored for longer than this period.
"""


class SkippedApplication(NamedTuple):
    who: str
    """The applicant's name; empty if it is unknown."""
    reason: str
    """The reason for skipping the application, such as "was approved by Ann Carter"."""


class BulkDeclineResult(NamedTuple):
    refs: list[Ref]
    emailed: Emailed
    skipped: list[SkippedApplication]


class BulkReopenResult(NamedTuple):
    refs: list[Ref]
    skipped: list[SkippedApplication]
    promises: list[RivalCase]
    """The other approved applications for the animals of the reopened applications."""


def decline_all(
    staff: StaffMember, seen: Sequence[tuple[Ref, str]], text: str = "", now: datetime | None = None
) -> BulkDeclineResult:
    """Decline the applications that are still in the state that the page showed, in one transaction.

    If ``text`` is not empty, email it to each applicant. Raises Invalid if there are too many applications.
    """
    check_case_count(seen)
    now = now or datetime.now(UTC)
    done = BulkDeclineResult([], Emailed(), [])
    with transaction() as session:
        for ref, state in dict(seen).items():
            try:
                case = lock_case(session, staff.project_id, ref)
            except NotFound:
                done.skipped.append(SkippedApplication("", gettext("no longer exists")))
                continue
            if case.state != state or case.state not in OPEN:
                reason = last_change(session, staff.account_id, case)
                done.skipped.append(SkippedApplication(case.applicant, reason))
                continue
            close_case(session, case, "declined", staff.by.name, now)
            record_decision(session, staff, "application.declined", case.names, ref, now)
            emailed = email_decision(session, staff, case, "declined", fill_in_animals(text, case.names), now)
            done = done._replace(emailed=sum_emailed([done.emailed, emailed]))
            done.refs.append(ref)
    return done


def reopen_all(staff: StaffMember, refs: Sequence[Ref], now: datetime | None = None) -> BulkReopenResult:
    """Undo declines. A decline is not undone if an email about the decline was sent.

    An approval is not restored if another applicant was approved for the same animal after the decline.
    Raises Invalid if there are too many applications.
    """
    check_case_count(refs)
    now = now or datetime.now(UTC)
    done = BulkReopenResult([], [], [])
    with transaction() as session:
        for ref in dict.fromkeys(refs):
            case = lock_case(session, staff.project_id, ref)
            promises = find_rivals_since_decline(session, staff.project_id, case, done.refs)
            reason = why_final(session, case, now)
            if not reason and promises and state_before_decline(session, case) == "approved":
                others = join_names([str(each) for each in promises])
                reason = gettext(
                    "cannot be approved again, because %(others)s. Undo that approval first", others=others
                )
            if reason:
                done.skipped.append(SkippedApplication(case.applicant, reason))
                continue
            reopen_case(session, staff, case, now)
            record_decision(session, staff, "application.undeclined", case.names, ref, now)
            done.promises.extend(each for each in promises if each not in done.promises)
            done.refs.append(ref)
    return done


def find_rivals_since_decline(
    session: Session, project_id: int, case: Case, reopened: Collection[Ref]
) -> list[RivalCase]:
    """Return the rivals of a declined case that were approved after the decline.

    ``reopened`` applications are left out, because they were approved before their own decline.
    """
    declined_at = case.closed_at
    if declined_at is None:
        return []
    others = find_rivals(session, project_id, case)
    return [each for each in others if each.at >= declined_at and each.ref not in reopened]


def reopen_case(session: Session, staff: StaffMember, case: Case, now: datetime) -> None:
    """Restore the state of a case before its decline."""
    status = state_before_decline(session, case)
    move_orders(
        session, [order for order in case.orders if order.status == "declined"], status, staff.by.name, now
    )
    for animal in case.animals:
        if status == "approved" and animal.status == "available":
            set_animal_status(animal, "pending", now)


def state_before_decline(session: Session, case: Case) -> str:
    steps = order_history(session, case.orders)
    return next((step.event for step in reversed(steps[:-1]) if step.event in OPEN), "placed")


def why_final(session: Session, case: Case, now: datetime) -> str:
    """Return the reason why a decline cannot be undone; empty if the decline can be undone."""
    steps = order_history(session, case.orders) if case.orders else []
    if case.state != "declined" or not steps:
        return gettext(STATE_PHRASES[case.state])
    last = steps[-1]
    if last.event != "declined" or last.actor in ("", APPLICANT, HOMEWARD):
        return gettext("was not declined by your team")
    if last.at <= now - UNDONE_WITHIN:
        return gettext("was declined more than a day ago")
    if case.application and case.application.forgotten_at:
        return gettext("has no personal details any more, because they were erased")
    if case.application and was_emailed_since(session, case.application, last.at):
        return gettext("cannot be reopened, because the applicant has been emailed")
    if case.application and has_applied_again(session, case.application):
        return gettext("cannot be reopened, because the applicant has applied again")
    return why_adopted(session, case)


def why_adopted(session: Session, case: Case) -> str:
    """Return a text with the adopted animals of a case, their adopters and the next step.

    The text is empty if no animal of the case was adopted.
    """
    adopted = [animal.name for animal in case.animals if animal.status == "sold"]
    if not adopted:
        return ""
    chosen = find_rivals(session, case.orders[0].project_id, case, "completed")
    if not chosen:
        return gettext(
            "is for %(animals)s, now adopted. Change the status of %(animals)s first",
            animals=join_names(adopted),
        )
    adopters = join_names([each.who or gettext("another applicant") for each in chosen])
    return gettext(
        "is for %(animals)s, now adopted by %(adopters)s. Record the return of %(animals)s first",
        animals=join_names(adopted),
        adopters=adopters,
    )


def was_emailed_since(session: Session, application: Application, when: datetime) -> bool:
    sent = select(OutgoingEmail.id).where(
        OutgoingEmail.application_id == application.id,
        OutgoingEmail.recipient == application.email,
        OutgoingEmail.created_at >= when,
    )
    return session.scalar(sent.limit(1)) is not None


def has_applied_again(session: Session, application: Application) -> bool:
    later = (
        select(Application.id)
        .join(Order, Order.application_id == Application.id)
        .where(Order.animal_id == application.animal_id, Order.status.in_(OPEN))
        .where(func.lower(Application.email) == application.email.lower(), Application.id != application.id)
    )
    return bool(application.email) and session.scalar(later.limit(1)) is not None
