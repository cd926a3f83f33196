"""The outbox: emails are stored in the transaction of the change that they are about, and sent afterwards.

An email is claimed before it is sent, by postponing its next attempt. If the sender dies, the email is sent
after the claim has ended. It is sent twice only if the sender dies after the server accepted it and before
that is stored. Both copies have the same Message-ID, so mail programs show one.
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
"""How long an email waits after its first failure, its second, and so on. After the last it is given up."""

CLAIMED_FOR = MINUTE * 10
"""Longer than the timeouts of a mail server, so that a claim ends only if its sender died."""

SUBJECT_LONGEST = 300

NOTED_WITHIN = 10
"""Attempts to store what happened to an email. Each of them waits for other writers."""

KEPT_FOR = timedelta(days=30)
"""How long an email is kept after it was sent or given up."""


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
    """Put an email into the outbox. It is sent once the caller's transaction is committed.

    Emails with the same ``application_id`` are one thread.
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
    queue.start("send_letters")


def send_due(post: MailTransport, clock: Clock = utc_now) -> int:
    """Send the emails that are due, one after the other. Return how many were sent.

    Stops if the server does not answer: the other emails would fail too.
    """
    sent = 0
    with post:
        while letter := claim_due_email(clock()):
            try:
                post.deliver(build_message(letter, post.sender))
            except Unreachable as failure:
                postpone_email(letter, str(failure), clock())
                break
            except Deferred as failure:
                postpone_email(letter, str(failure), clock())
            except Undeliverable as failure:
                give_up(letter, str(failure))
            except Exception as error:  # an unexpected failure must not stop the other emails
                log.exception("email %d failed", letter.id)
                postpone_email(letter, f"{type(error).__name__}: {error}", clock())
            else:
                note_sent(letter, clock())
                sent += 1
    return sent


def claim_due_email(now: datetime) -> OutgoingEmail | None:
    """Claim and return the email that has been due for the longest; None if none is due."""
    due = (
        select(OutgoingEmail)
        .where(OutgoingEmail.sent_at.is_(None), OutgoingEmail.next_try_at <= now)
        .order_by(OutgoingEmail.next_try_at, OutgoingEmail.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    with transaction() as session:
        letter = session.scalar(due)
        if letter is not None:
            letter.attempts += 1
            letter.next_try_at = now + CLAIMED_FOR
        return letter


def note_sent(letter: OutgoingEmail, now: datetime) -> None:
    update_email(letter, sent_at=now, next_try_at=None, failure="", text="")


def postpone_email(letter: OutgoingEmail, reason: str, now: datetime) -> None:
    """Try again after the next of ``PAUSES``, or give up after the last."""
    if letter.attempts > len(PAUSES):
        give_up(letter, reason)
    else:
        log.warning("email %d waits, after attempt %d", letter.id, letter.attempts)
        update_email(letter, next_try_at=now + PAUSES[letter.attempts - 1], failure=reason)


def give_up(letter: OutgoingEmail, reason: str) -> None:
    log.error("email %d is given up, after attempt %d", letter.id, letter.attempts)
    update_email(letter, next_try_at=None, failure=reason)


def update_email(letter: OutgoingEmail, **columns: object) -> None:
    """Update the row of an email. Retries while the database is busy, so that no email is sent twice."""
    noted = update(OutgoingEmail).where(OutgoingEmail.id == letter.id).values(**columns)
    for tries_left in reversed(range(NOTED_WITHIN)):
        try:
            with transaction() as session:
                session.execute(noted)
            return
        except (Unavailable, SQLAlchemyError) as error:
            if not tries_left or not (isinstance(error, Unavailable) or is_unavailable(error)):
                raise
            time.sleep(1)


def delete_emails_about(session: Session, application_ids: list[int]) -> list[str]:
    """Delete the emails about applications. Return the message ids, for ``MailTransport.discard``."""
    found = select(OutgoingEmail).where(OutgoingEmail.application_id.in_(application_ids))
    letters = session.scalars(found).all()
    for letter in letters:
        session.delete(letter)
    return [message_id_of(letter) for letter in letters]


def delete_old_emails(now: datetime | None = None) -> None:
    """Delete old emails that were sent or given up: they name people."""
    before = (now or utc_now()) - KEPT_FOR
    with transaction() as session:
        session.execute(
            delete(OutgoingEmail).where(
                OutgoingEmail.next_try_at.is_(None), OutgoingEmail.created_at < before
            )
        )
