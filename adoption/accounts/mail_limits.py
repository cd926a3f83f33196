"""Limits on the emails that anyone can trigger, so that nobody's mailbox is flooded in our name."""

from datetime import datetime

from adoption.accounts.counting import counter_of
from adoption.errors import TooMany

FROM_ONE_ADDRESS = 30
TO_ONE_MAILBOX = 4
"""Of one purpose. Both limits are for an hour of the clock."""


def count_sender(address: str, now: datetime) -> None:
    """Count an email that a network address triggers. Raises TooMany."""
    mails = counter_of("mails")
    if mails.too_many("sender", address, FROM_ONE_ADDRESS, now.timestamp()):
        raise TooMany(
            "Too many emails were requested from your connection. Wait an hour, then try again.",
            mails.ends_in(now.timestamp()),
        )


def has_room(purpose: str, email: str, now: datetime) -> bool:
    """Count an email to a mailbox and return whether it may still be sent. No page shows the difference."""
    return not counter_of("mails").too_many(purpose, email, TO_ONE_MAILBOX, now.timestamp())
