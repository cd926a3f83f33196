"""Answers from DNS, and their form for people. A failed query is an answer of its own kind."""

from collections.abc import Sequence
from typing import NamedTuple

FOUND, NODATA, NXDOMAIN, FAILED = "found", "nodata", "nxdomain", "failed"

SHOWN_MOST, SHOWN_LONGEST = 10, 200
"""The maximum of values, and of characters of each, that people see."""


class DnsAnswer(NamedTuple):
    """The records of one type at one name."""

    state: str
    """``FOUND``, ``NODATA``, ``NXDOMAIN`` or ``FAILED``."""
    values: tuple[str, ...] = ()
    """The records of exactly this name, as text. Names are in lower case, without the last dot."""
    seconds: int = 0
    """How long resolvers may cache the answer."""
    reason: str = ""
    """Why the query failed, for people."""
    rcode: str = ""
    """The error code of a server, such as ``SERVFAIL``; empty if none answered."""
    chain: tuple[str, ...] = ()
    """The names that a CNAME record leads to, in order, as far as the answer contains them."""
    at_end: tuple[str, ...] = ()
    """The values at the end of that chain, as far as the answer contains them; else ``values``."""
    is_bogus: bool = False
    """Whether a resolver refuses the answer only because its DNSSEC signatures are wrong (RFC 4035, 5.5)."""

    @property
    def failed(self) -> bool:
        return self.state == FAILED


def failure(reason: str, rcode: str = "") -> DnsAnswer:
    return DnsAnswer(FAILED, reason=reason, rcode=rcode)


def printable_values(values: Sequence[str]) -> tuple[str, ...]:
    """Return values in a form that is safe to show. Strangers write them, so they may be long or misleading.

    Characters that are invisible or change the direction of text are escaped.
    """
    seen = [
        "".join(map(escape_invisible, each[:SHOWN_LONGEST])) + "…" * (len(each) > SHOWN_LONGEST)
        for each in values
    ]
    more = len(seen) - SHOWN_MOST
    return tuple(seen) if more <= 0 else (*seen[:SHOWN_MOST], f"and {more} more")


def escape_invisible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{ord(letter):04x}"
