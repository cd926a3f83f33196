"""Answers from DNS, and their values as texts for people.

A failed query also returns an answer, with the state ``FAILED``.
"""

from collections.abc import Sequence
from typing import NamedTuple

FOUND, NODATA, NXDOMAIN, FAILED = "found", "nodata", "nxdomain", "failed"

SHOWN_MOST, SHOWN_LONGEST = 10, 200
"""The maximum of values in a text for people, and of characters per value."""


class DnsAnswer(NamedTuple):
    """The DNS records of one type at one name."""

    state: str
    """The state: ``FOUND``, ``NODATA``, ``NXDOMAIN`` or ``FAILED``."""
    values: tuple[str, ...] = ()
    """The values of the records at exactly this name, as texts. Host names in the values are in lower case,
    without the last dot."""
    seconds: int = 0
    """The seconds for which resolvers may cache the answer."""
    reason: str = ""
    """The reason why the query failed, for people."""
    rcode: str = ""
    """A server's error code, such as ``SERVFAIL``; empty if no server answered."""
    chain: tuple[str, ...] = ()
    """The names to which CNAME records lead, in order. The list may be incomplete: an answer can contain only
    the first names of the chain."""
    at_end: tuple[str, ...] = ()
    """The values at the last name of ``chain``; empty if the answer does not contain them. Without a CNAME
    record, ``at_end`` is equal to ``values``."""
    is_bogus: bool = False
    """Whether a resolver refuses the answer only because of wrong DNSSEC signatures (RFC 4035, 5.5)."""

    @property
    def failed(self) -> bool:
        return self.state == FAILED


def failed_answer(reason: str, rcode: str = "") -> DnsAnswer:
    return DnsAnswer(FAILED, reason=reason, rcode=rcode)


def printable_values(values: Sequence[str]) -> tuple[str, ...]:
    """Return values as texts that are safe to show, because strangers can write long or misleading values.

    Invisible characters, and characters that change the direction of text, are escaped.
    """
    seen = [
        "".join(map(escape_invisible, each[:SHOWN_LONGEST])) + "…" * (len(each) > SHOWN_LONGEST)
        for each in values
    ]
    more = len(seen) - SHOWN_MOST
    return tuple(seen) if more <= 0 else (*seen[:SHOWN_MOST], f"and {more} more")


def escape_invisible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{ord(letter):04x}"
