"""Mails that anybody can cause: how many, so that nobody's mailbox is filled in our name."""

from datetime import datetime

from sqlalchemy.orm import Session

from adoption.accounts.counting import counter_of
from adoption.errors import TooMany
from adoption.mail import outbox

FROM_ONE_ADDRESS = 30
TO_ONE_MAILBOX = 4
"""Of one purpose. Both within an hour of the clock."""


def count_sender(address: str, now: datetime) -> None:
    """Count a mail that a network address causes. Raises TooMany."""
    mails = counter_of("mails")
    if mails.too_many("sender", address, FROM_ONE_ADDRESS, now.timestamp()):
        raise TooMany(
            "Too many mails were asked for from your connection. Wait an hour, then try again.",
            mails.ends_in(now.timestamp()),
        )


def write(session: Session, purpose: str, email: str, told: tuple[str, str], now: datetime) -> None:
    """Put a letter into the outbox, unless the mailbox had enough of these this hour: nobody is told."""
    if not counter_of("mails").too_many(purpose, email, TO_ONE_MAILBOX, now.timestamp()):
        subject, text = told
        outbox.write(session, email, subject, text, now=now)
