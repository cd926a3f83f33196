"""Endings of domains: public suffixes, and endings below which no domain can be registered."""

from collections.abc import Iterable
from difflib import get_close_matches

from adoption.public_suffix_list import icann_suffixes

NETWORK = (
    "Names that end in .{ending} work only inside one network, such as an office, so visitors cannot reach "
    "them."
)
TESTS = "Names that end in .{ending} are for tests and examples only: nobody can buy one."
ONION = "Names that end in .onion work only in the Tor network, so most visitors cannot reach them."
TECHNICAL = "Names that end in .{ending} are for technical use only: nobody can buy one."
UNKNOWN = "There is no domain that ends in .{ending}. Is it spelt right?"
ENTER = "Enter a domain that you have registered, such as adopt.example.org."

SPECIAL = (
    dict.fromkeys(("local", "localhost", "internal", "home.arpa"), NETWORK)
    | dict.fromkeys(("lan", "home", "corp", "intranet", "private", "localdomain"), NETWORK)
    | dict.fromkeys(("test", "example", "invalid"), TESTS)
    | {"onion": ONION}
    | dict.fromkeys(("arpa", "alt"), TECHNICAL)
)
"""Endings for which no public certificate authority issues certificates.

These are IANA's special-use names (RFC 6761, 6762, 7686, 8375, 9476), ``internal``, and endings that ICANN
does not delegate because private networks use them.
"""
COMMON = ("org", "com", "net", "info", "de", "uk", "co", "fr", "nl", "eu", "us", "ca", "au", "ch", "at", "it")
"""Endings that are suggested for a mistyped ending."""


def registered_domain(host: str) -> str | None:
    """Return the registered part of a host, such as ``example.co.uk``; None if its ending is unknown."""
    found: str | None = icann_suffixes().privatesuffix(host)
    return found


def ending_problem(host: str, ours: Iterable[str]) -> str:
    """Return why no authority can issue certificates for names with this ending, in sentences.

    If an authority can, return an empty text.

    If the installation's own hosts have such an ending, the installation is a trial or in a closed network.
    Then all hosts with the same ending are accepted.
    """
    endings = {last_labels(each, 1) for each in ours}
    last = last_labels(host, 1)
    if last in endings or ("localhost" in endings and last in ("example", "test")):
        return ""
    ending = next((each for each in (last_labels(host, 2), last) if each in SPECIAL), "")
    if ending:
        return f"{SPECIAL[ending].format(ending=ending)} {ENTER}"
    if icann_suffixes().publicsuffix(host):
        return ""
    meant = get_close_matches(last, COMMON, 1)
    return f"{UNKNOWN.format(ending=last)} {f'Perhaps you mean .{meant[0]}.' if meant else ENTER}"


def last_labels(host: str, number: int) -> str:
    return ".".join(host.split(".")[-number:])
