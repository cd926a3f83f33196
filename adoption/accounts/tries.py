"""Tries to sign in: how many may fail, so that no password is guessed and nobody is locked out.

Three counts within a quarter of an hour of the clock. That of an account from one network address is strict:
only somebody who shares the owner's address could use it up against them. Those of an account from anywhere,
and of an address for all accounts, refuse strangers alone: who has come in from this address before does not
pay for other people's tries. Whether there is such an account changes nothing.
"""

from datetime import datetime

from adoption.accounts.counting import Counter, counter_of
from adoption.errors import TooMany

QUARTER = 900
"""Seconds."""
AT_ONE_ACCOUNT_FROM_ONE_ADDRESS = 8
AT_ONE_ACCOUNT = 40
FROM_ONE_ADDRESS = 80


def refuse(email: str, address: str, been_here: bool, now: datetime) -> None:
    """Raises TooMany, with how long to wait."""
    failed, at = tries(), now.timestamp()
    over = failed.counted("pair", f"{email} {address}", at) >= AT_ONE_ACCOUNT_FROM_ONE_ADDRESS
    if not over and not been_here:
        over = failed.counted("account", email, at) >= AT_ONE_ACCOUNT
        over = over or failed.counted("address", address, at) >= FROM_ONE_ADDRESS
    if over:
        seconds = failed.ends_in(at)
        raise TooMany(
            f"Too many failed attempts. Try again in {in_words(seconds)}, or reset your password now.",
            seconds,
        )


def note(email: str, address: str, now: datetime) -> None:
    """Count a try that failed."""
    failed, at = tries(), now.timestamp()
    failed.count("pair", f"{email} {address}", at)
    failed.count("account", email, at)
    failed.count("address", address, at)


def tries() -> Counter:
    return counter_of("sign-ins", QUARTER)


def in_words(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"
