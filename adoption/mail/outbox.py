"""The outbox. Emails are stored in the transaction of the change that causes them, and sent afterwards.

A worker claims an email before sending it, by postponing its next attempt. If the worker dies, the claim
expires and another worker sends the email. An email is sent twice only if the worker dies between two
moments: after the server accepts the email, and before the worker stores that. Both copies have the same
Message-ID, so mail programs show only one.
"""

import logging
import time
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from adoption.clocks import Clock, utc_now
from adoption.errors import Unavailable
from adoption.mail.mime import build_message, message_id_of
from adoption.mail.models import OutgoingEmail
from adoption.mail.transports import Deferred, MailTransport, Undeliverable, Unreachable
from adoption.storage import queue
from adoption.storage.database import call_after_commit, is_unavailable, transaction

log = logging.getLogger("homeward.mail")

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
PAUSES = (
    *(MINUTE * minutes for minutes in (1, 2, 5, 10, 30)),
    *(HOUR * hours for hours in (1, 2, 4, 8, 12, 24, 24)),
)
"""The pause after each failed attempt. When the attempt after the last pause fails, the email is given up."""

CLAIMED_FOR = MINUTE * 10
"""The duration of a claim. It exceeds the timeouts of a mail server, so a claim expires only if its worker
died."""

SUBJECT_LONGEST = 300
UPDATE_ATTEMPTS = 10
KEPT_FOR = timedelta(days=30)
"""The time for which an email is stored after it was sent or given up."""


def add_email(
    session: Session,
    recipient: str,
    subject: str,
    text: str,
    reply_to: str = "",
    now: datetime | None = None,
    application_id: int | None = None,
    sender_name: str = "",
) -> None:
    """Store an email. It is sent after the caller's transaction is committed.

    Emails with the same ``application_id`` form a thread.
    """
    now = now or utc_now()
    session.add(
        OutgoingEmail(
            recipient=recipient,
            reply_to=reply_to,
            sender_name=sender_name,
            subject=subject if len(subject) <= SUBJECT_LONGEST else f"{subject[: SUBJECT_LONGEST - 1]}…",
            text=text,
            application_id=application_id,
            next_try_at=now,
            created_at=now,
        )
    )
    call_after_commit(session, start_sending)


def start_sending() -> None:
    queue.start_job("send_letters")


def send_due(transport: MailTransport, clock: Clock = utc_now) -> int:
    """Send the emails that are due, one after the other. Return the number of sent emails.

    If the server does not answer, stop, because the other emails would fail too.
    """
    sent = 0
    with transport:
        while email := claim_due_email(clock()):
            try:
                transport.deliver(build_message(email, transport.sender))
            except (Unreachable, Deferred) as failure:
                postpone_email(email, str(failure), clock())
                if isinstance(failure, Unreachable):
                    break
            except Undeliverable as failure:
                give_up(email, str(failure))
            except Exception as error:  # an unexpected failure must not stop the other emails
                log.exception("email %d could not be sent", email.id)
                postpone_email(email, f"{type(error).__name__}: {error}", clock())
            else:
                update_email(email, sent_at=clock(), next_try_at=None, failure="", text="")
                sent += 1
    return sent


def claim_due_email(now: datetime) -> OutgoingEmail | None:
    """Claim and return the email that has been due for the longest time; None if no email is due."""
    due = (
        select(OutgoingEmail)
        .where(OutgoingEmail.sent_at.is_(None), OutgoingEmail.next_try_at <= now)
        .order_by(OutgoingEmail.next_try_at, OutgoingEmail.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    with transaction() as session:
        email = session.scalar(due)
        if email is not None:
            email.attempts += 1
            email.next_try_at = now + CLAIMED_FOR
        return email


def postpone_email(email: OutgoingEmail, reason: str, now: datetime) -> None:
    """Postpone an email by the next of ``PAUSES``. After the last pause, give the email up."""
    if email.attempts > len(PAUSES):
        give_up(email, reason)
    else:
        log.warning("email %d is tried again later, after attempt %d failed", email.id, email.attempts)
        update_email(email, next_try_at=now + PAUSES[email.attempts - 1], failure=reason)


def give_up(email: OutgoingEmail, reason: str) -> None:
    log.error("email %d was not sent and is given up, after attempt %d failed", email.id, email.attempts)
    update_email(email, next_try_at=None, failure=reason)


def update_email(email: OutgoingEmail, **columns: object) -> None:
    """Update the row of an email. While the database is busy, retry, so that no email is sent twice."""
    statement = update(OutgoingEmail).where(OutgoingEmail.id == email.id).values(**columns)
    for tries_left in reversed(range(UPDATE_ATTEMPTS)):
        try:
            with transaction() as session:
                session.execute(statement)
            return
        except (Unavailable, SQLAlchemyError) as error:
            if not tries_left or not (isinstance(error, Unavailable) or is_unavailable(error)):
                raise
            time.sleep(1)


def delete_emails_about(session: Session, application_ids: list[int]) -> list[str]:
    """Delete the emails about applications. Return their message ids for ``MailTransport.discard``."""
    found = select(OutgoingEmail).where(OutgoingEmail.application_id.in_(application_ids))
    emails = session.scalars(found).all()
    for email in emails:
        session.delete(email)
    return [message_id_of(email) for email in emails]


def delete_old_emails(now: datetime | None = None) -> None:
    """Delete old emails that were sent or given up, because they contain personal data."""
    before = (now or utc_now()) - KEPT_FOR
    with transaction() as session:
        session.execute(
            delete(OutgoingEmail).where(
                OutgoingEmail.next_try_at.is_(None), OutgoingEmail.created_at < before
            )
        )
