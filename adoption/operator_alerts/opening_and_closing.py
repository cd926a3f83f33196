"""Opening and closing operator alerts."""

import logging
from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.clocks import utc_now
from adoption.mail import outbox
from adoption.operator_alerts import email_templates
from adoption.operator_alerts.models import OperatorAlert, row_key
from adoption.platform_addresses import operator_email
from adoption.storage.database import reading, transaction

log = logging.getLogger("homeward.alerts")

EMAILED_EACH = timedelta(days=1)
"""The interval between emails about a continuing problem."""
RETURNED_AFTER = timedelta(hours=1)
"""If a problem recurs soon after an email about it, it is emailed again once it has lasted for this time."""
NOTED_EACH = timedelta(minutes=1)
"""The minimum interval between two updates of an open alert's row."""
FORGOTTEN_AFTER = timedelta(hours=1)
"""If a problem was too short for the log, its next report after this time counts as a new problem."""


def open_alert(cause: str, detail: str, now: datetime | None = None, about: str = "") -> None:
    """Report a problem whenever it is seen. ``cause`` is a key of ``CAUSES``.

    The first report is logged and emailed to the operator. While the problem lasts, it is emailed once a day.
    ``detail`` is for the log and the emails: sentences without personal data. If a cause can affect several
    things, ``about`` names the affected thing. Call this function outside a transaction.
    """
    now, key = now or utc_now(), row_key(cause, about)
    with reading() as session:
        known = session.get(OperatorAlert, key)
    if known is not None and is_noted(known, now):
        return
    try:
        with transaction() as session:
            alert = lock_open_alert(session, key, now)
            alert.detail, alert.seen_at = detail, now
            is_news = alert.logged_at is None and is_logged_at(alert, now)
            if is_news:
                alert.logged_at = now
            if is_emailed_at(alert, now):
                alert.emailed_at = now
                outbox.add_email(session, operator_email(), *email_templates.opened_email(alert), now=now)
    except IntegrityError:
        return  # another machine has opened the alert at the same moment
    if is_news:
        since = f"{alert.opened_at:%Y-%m-%dT%H:%M:%SZ}"
        fields = {"event": "alert_opened", "cause": cause, "since": since}
        title = alert.kind.title
        log.warning("%s, since %s: %s", title, since, detail, extra=fields)


def close_alert(cause: str, now: datetime | None = None, about: str = "") -> None:
    """Report that a problem is over or does not exist. Call this function outside a transaction."""
    now, key = now or utc_now(), row_key(cause, about)
    with reading() as session:
        known = session.get(OperatorAlert, key)
    if known is None or known.closed_at:
        return
    with transaction() as session:
        alert = session.get_one(OperatorAlert, key, with_for_update=True)
        if alert.closed_at:
            return
        alert.closed_at = now
        if operator_email() and alert.emailed_at and alert.emailed_at >= alert.opened_at:
            outbox.add_email(session, operator_email(), *email_templates.solved_email(alert), now=now)
    if alert.logged_at:
        since = f"{alert.opened_at:%Y-%m-%dT%H:%M:%SZ}"
        fields = {"event": "alert_closed", "cause": cause, "since": since}
        log.info("%s. The problem began at %s.", alert.kind.solved, since, extra=fields)


def lock_open_alert(session: Session, key: str, now: datetime) -> OperatorAlert:
    """Return the row with this key, locked. Open the alert now if it is not open."""
    alert = session.get(OperatorAlert, key, with_for_update=True)
    if alert is None:
        alert = OperatorAlert(cause=key, opened_at=now, seen_at=now, detail="")
        session.add(alert)
    elif alert.closed_at or (alert.logged_at is None and now - alert.seen_at > FORGOTTEN_AFTER):
        alert.opened_at, alert.logged_at, alert.closed_at = now, None, None
    return alert


def is_noted(alert: OperatorAlert, now: datetime) -> bool:
    """Return whether the row is up to date and needs no write."""
    is_news = alert.logged_at is None and is_logged_at(alert, now)
    is_fresh = alert.closed_at is None and now - alert.seen_at < NOTED_EACH
    return is_fresh and not is_news and not is_emailed_at(alert, now)


def is_logged_at(alert: OperatorAlert, now: datetime) -> bool:
    return now - alert.opened_at >= alert.kind.logged_after


def is_emailed_at(alert: OperatorAlert, now: datetime) -> bool:
    """Return whether the operator has to be emailed about an open alert now."""
    if not operator_email() or now - alert.opened_at < alert.kind.emailed_after:
        return False
    if alert.emailed_at is None or now - alert.emailed_at >= EMAILED_EACH:
        return True
    has_returned = alert.emailed_at < alert.opened_at
    return has_returned and now - alert.opened_at >= RETURNED_AFTER
