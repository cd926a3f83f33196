"""Erasure of the personal data in applications: after its retention period, or on request."""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, Select, and_, delete, exists, func, or_, select
from sqlalchemy.orm import Session

from adoption.mail import outbox
from adoption.mail.transports import transport_from_settings
from adoption.orders.applicant_data import find_applications_of_applicant
from adoption.orders.application_audit import StaffMember, record_applicant_audit
from adoption.orders.application_states import OPEN
from adoption.orders.applications_with_orders import Ref, lock_case
from adoption.orders.closures import close_case
from adoption.orders.history import move_orders
from adoption.orders.models import HOMEWARD, Application, ApplicationMessage, ApplicationNote, Order
from adoption.storage.database import reading, transaction

AT_ONCE = 200
"""The maximum number of applications that one transaction erases. Other writers wait until the transaction
ends."""

DAILY_SHARE = 20
"""The daily limit is the number of stored applications divided by this number, but at least ``AT_ONCE``."""

log = logging.getLogger("homeward.orders")

NOTICE = timedelta(days=30)
"""The longest period between the warning to a shelter and the erasure of an undecided application."""


def erase_applicant(staff: StaffMember, application_id: int, now: datetime | None = None) -> int:
    """Erase all personal data about the applicant of an application. Return the number of applications.

    Open applications are withdrawn first, and no one is emailed. Raises NotFound if the account has no such
    application.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        rows = find_applications_of_applicant(session, staff.account_id, application_id)
        for application, project in sorted(rows, key=lambda row: (row[1].id, row[0].id)):
            case = lock_case(session, project.id, Ref(application.id))
            close_case(session, case, "withdrawn", staff.by.name, now)
        applications = [application for application, _ in rows]
        mails = erase_personal_data(session, applications, now)
        record_applicant_audit(session, staff, "applicant.erased", applications, now)
    discard_files(mails)
    return len(rows)


def erase_personal_data(session: Session, applications: Iterable[Application], now: datetime) -> list[str]:
    """Erase the personal data in applications. Their orders and history stay.

    Return the ids of the deleted emails. The caller discards the files of these emails after the transaction.
    """
    ids = []
    for application in applications:
        application.name = application.email = application.phone = ""
        application.home = application.household = application.why = application.held_for = ""
        application.own_answers = "[]"
        application.forgotten_at = now
        ids.append(application.id)
    for written in (ApplicationNote, ApplicationMessage):
        session.execute(delete(written).where(written.application_id.in_(ids)))
    return outbox.delete_emails_about(session, ids)


def erase_old_applications(keep: timedelta, now: datetime | None = None) -> int:
    """Erase the personal data in old applications. Return the number of applications.

    Decided applications are erased if the decision was at least ``keep`` ago, up to ``daily_erasure_limit``.
    Undecided applications are erased if they have not changed for at least ``keep`` and their shelter was
    warned.
    """
    now = now or datetime.now(UTC)
    most = daily_erasure_limit()
    erased = erase_undecided(keep, now)
    decided = 0
    while decided < most and (some := erase_decided(now - keep, now)):
        decided += some
    if decided >= most:
        log.warning(
            "%s decided applications were erased, which is the daily limit. If this machine's "
            "clock is wrong, correct it before tomorrow.",
            decided,
        )
    return erased + decided


def daily_erasure_limit() -> int:
    """Return the maximum number of decided applications that may be erased in a day.

    Erasure cannot be undone. If the machine's clock is far ahead, the limit leaves most applications intact
    until someone notices the clock.
    """
    with reading() as session:
        kept = session.scalar(select(func.count()).where(Application.forgotten_at.is_(None))) or 0
    return max(AT_ONCE, kept // DAILY_SHARE)


def erase_decided(before: datetime, now: datetime) -> int:
    with transaction() as session:
        due = session.scalars(select_decided(before).limit(AT_ONCE).with_for_update(skip_locked=True)).all()
        mails = erase_personal_data(session, due, now)
    discard_files(mails)
    return len(due)


def select_decided(before: datetime) -> Select[Application]:
    """Return a query for decided applications that have not changed since ``before``."""
    old = and_(Application.forgotten_at.is_(None), Application.created_at <= before)
    decided = and_(Application.held_for == "", ~open_clause())
    return select(Application).where(old, decided, ~changed_after_clause(before)).order_by(Application.id)


def erase_undecided(keep: timedelta, now: datetime) -> int:
    """Close and erase undecided applications. The status of their animals does not change."""
    due = and_(
        *undecided_since_clauses(now - keep),
        Application.erasure_notice_at <= now - notice_period(keep),
        ~changed_after_clause(Application.erasure_notice_at),
    )
    with reading() as session:
        found = session.execute(select(Application.id, Application.project_id).where(due)).all()
    erased = 0
    for id_, project_id in found:
        with transaction() as session:
            case = lock_case(session, project_id, Ref(id_))
            still_due = session.scalar(select(Application).where(Application.id == id_, due))
            if still_due is None:
                continue
            open_ones = [order for order in case.orders if order.status in OPEN]
            move_orders(session, open_ones, "withdrawn", HOMEWARD, now)
            mails = erase_personal_data(session, [still_due], now)
        discard_files(mails)
        erased += 1
    return erased


def undecided_since_clauses(before: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the SQL conditions for held or open applications that have not changed since ``before``."""
    return (
        Application.forgotten_at.is_(None),
        Application.created_at <= before,
        or_(Application.held_for != "", open_clause()),
        ~changed_after_clause(before),
    )


def open_clause() -> ColumnElement[bool]:
    return exists().where(Order.application_id == Application.id, Order.status.in_(OPEN))


def changed_after_clause(when: Any) -> ColumnElement[bool]:
    return exists().where(Order.application_id == Application.id, Order.updated_at > when)


def notice_period(keep: timedelta) -> timedelta:
    """Return the period between the warning to the shelter and the erasure of an undecided application."""
    return min(NOTICE, keep / 2)


def discard_files(mails: list[str]) -> None:
    """Delete the copies of emails in the mail folder. Call this after the transaction."""
    transport_from_settings(current_app.config["HOMEWARD"]).discard(mails)
