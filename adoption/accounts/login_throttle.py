"""Throttles of failed sign-ins, so that no password is guessed and nobody is locked out.

The throttle of an account from one network address is strict: only someone who shares the owner's address can
use it up. Those of an account from anywhere, and of an address for all accounts, refuse only people who have
not signed in from this address before. Whether the account exists changes nothing.
"""

from datetime import datetime

from adoption.accounts.throttles import Reservation, Throttle, reserve, wait_in_words
from adoption.errors import TooMany

QUARTER = 900
"""Seconds."""
AT_ONE_ACCOUNT_FROM_ONE_ADDRESS = Throttle("sign-ins-pair", 8, QUARTER)
AT_ONE_ACCOUNT = Throttle("sign-ins-account", 40, QUARTER)
FROM_ONE_ADDRESS = Throttle("sign-ins-address", 80, QUARTER)


def reserve_attempt(email: str, address: str, has_been_here: bool, now: datetime) -> Reservation:
    """Count an attempt before the password is checked; give it back if the password is right.

    Raise TooMany, with how long to wait.
    """
    others = AT_ONE_ACCOUNT, FROM_ONE_ADDRESS
    of_account, of_address = (each.without_limit() for each in others) if has_been_here else others
    attempt = (
        (AT_ONE_ACCOUNT_FROM_ONE_ADDRESS, f"{email} {address}"),
        (of_account, email),
        (of_address, address),
    )
    try:
        return reserve(attempt, now.timestamp())
    except TooMany as refusal:
        wait = wait_in_words(refusal.seconds)
        raise TooMany(
            f"Too many failed attempts. Try again in {wait}, or reset your password now.", refusal.seconds
        ) from refusal
