"""What makes an application look like spam. It is held then, until the staff let it through."""

import re
from typing import NamedTuple

from adoption.accounts.counting import Counter
from adoption.errors import TooMany
from adoption.orders.fields import Answers

SECONDS_LEAST = 3
"""Nobody reads and fills in the form in less."""

PER_HOUR = {"network address": 30, "email address": 10}
"""Applications within an hour of the clock. A family, an office or a library shares a network address."""
TAKEN_PER_HOUR = 100
"""Applications of one network address that are taken down at all, so that nobody fills the disk."""

LINK = re.compile(r"https?:|ftp:|www\.|<a\b|\[(url|link)\b", re.IGNORECASE)
HOST = re.compile(
    r"\b[a-z0-9-]{2,}\.(com|net|org|info|biz|ru|cn|top|xyz|shop|online|site|click)\b", re.IGNORECASE
)
"""In a name: it stands in a mail to whatever address was entered."""


class Signs(NamedTuple):
    """What may tell a program from a person, beside the answers."""

    trap: str
    """What stood in the field that people do not see."""
    seconds: float | None
    """From the opening of the form to its sending; None where it was opened in an earlier try."""
    address: str
    """The network address it came from."""


def why_held(answers: Answers, signs: Signs, counter: Counter, now: float) -> str:
    """The first reason to hold an application, as a sentence for the staff; empty where there is none.

    Raises TooMany.
    """
    if counter.too_many("sender", signs.address, TAKEN_PER_HOUR, now):
        raise TooMany("Too many applications came from your connection. Wait an hour, then try again.")
    if signs.trap:
        return "A field was filled in that people do not see."
    if signs.seconds is not None and signs.seconds < SECONDS_LEAST:
        return f"The form was sent within {SECONDS_LEAST} seconds of being opened."
    if LINK.search(f"{answers.name}\n{answers.phone}\n{answers.why}") or HOST.search(answers.name):
        return "There is a link in the answers."
    for kind, who in (("network address", signs.address), ("email address", answers.email)):
        if counter.too_many(kind, who, PER_HOUR[kind], now):
            return f"More than {PER_HOUR[kind]} applications came from one {kind} within an hour."
    return ""
