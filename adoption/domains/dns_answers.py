"""What DNS says, and as what people are shown it. A failure to look is an answer of its own."""

from collections.abc import Sequence
from typing import NamedTuple

FOUND, NODATA, NXDOMAIN, FAILED = "found", "nodata", "nxdomain", "failed"

SHOWN_MOST, SHOWN_LONGEST = 10, 200
"""Values of one name, and letters of each, that people are shown."""


class DnsAnswer(NamedTuple):
    """What DNS has under one name of one kind of record."""

    state: str
    """``FOUND``, ``NODATA``, ``NXDOMAIN`` or ``FAILED``."""
    values: tuple[str, ...] = ()
    """Of records that stand under that very name, as text; names in small letters without the last dot."""
    seconds: int = 0
    """How long resolvers may keep this."""
    reason: str = ""
    """Why it failed, for people."""
    rcode: str = ""
    """How a server refused, such as ``SERVFAIL``; empty where none answered."""
    chain: tuple[str, ...] = ()
    """The names that an alias under that name leads to, in their order, as far as the answer tells."""
    at_end: tuple[str, ...] = ()
    """The values at the end of that chain, as far as the answer tells; ``values`` where there is none."""
    is_bogus: bool = False
    """Whether a resolver refuses the answer only because its DNSSEC signatures are wrong (RFC 4035, 5.5)."""

    @property
    def failed(self) -> bool:
        return self.state == FAILED


def failure(reason: str, rcode: str = "") -> DnsAnswer:
    return DnsAnswer(FAILED, reason=reason, rcode=rcode)


def printable_values(values: Sequence[str]) -> tuple[str, ...]:
    """Values as people are shown them. Whoever has the zone writes them: they may be long, many, and deceive.

    Letters that are not seen or turn the line round are told by their number.
    """
    seen = [
        "".join(map(escape_invisible, each[:SHOWN_LONGEST])) + "…" * (len(each) > SHOWN_LONGEST)
        for each in values
    ]
    more = len(seen) - SHOWN_MOST
    return tuple(seen) if more <= 0 else (*seen[:SHOWN_MOST], f"and {more} more")


def escape_invisible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{ord(letter):04x}"
