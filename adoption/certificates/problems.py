"""What to do about an order that came to nothing, by the code of its problem (RFC 8555, 6.7).

The codes are the authority's, but for a few of our own.
"""

from typing import NamedTuple

RATE_LIMITED = "rateLimited"
UNREACHED, UNFINISHED, KEY_LOST, WRONG_HOST = "unreached", "unfinished", "keyLost", "wrongHost"
ORDER_LOST = "orderLost"
OURS = {UNREACHED, UNFINISHED, KEY_LOST, ORDER_LOST, WRONG_HOST}
"""Codes whose words are not the authority's."""
PATIENT = {RATE_LIMITED, *OURS}
"""Codes for which there is nothing to do but wait."""


class Advice(NamedTuple):
    """Both have ``{host}`` and ``{issuer}`` in them."""

    fix: str
    """What to do, as one sentence."""
    why: str


WRITE = "If it stays so, write to whoever runs this service."
WAY = Advice(
    "Wait some minutes where DNS was changed just now, then press Re-verify.",
    "The authority came to {host} by plain http:// and got another answer than ours, so it still lands "
    "elsewhere. A proxy or a redirect that stands before your domain does that too: turn it off until the "
    "certificate is there.",
)
NAME = Advice(
    "Use another domain, or ask the authority.",
    "It issues nothing for {host}, whoever asks, so that trying again seldom helps.",
)
ADVICE = {
    RATE_LIMITED: Advice(
        "There is nothing to do but wait.",
        "The authority has issued as much as it allows for now, for this domain or for all of ours.",
    ),
    "rejectedIdentifier": NAME,
    "unsupportedIdentifier": NAME,
    "caa": Advice(
        "Let {issuer} issue in the CAA records of your domain, then press Re-verify.",
        "The authority has read CAA records that forbid it, or could not read them.",
    ),
    "connection": Advice(
        "Press Re-verify in some minutes.",
        "The authority could not reach {host} by plain http://. Where a firewall or proxy stands before your "
        f"domain, let port 80 through. {WRITE}",
    ),
    "dns": Advice(
        "Wait an hour where DNS was changed just now, then press Re-verify.",
        "The authority could not look {host} up though we can: it may remember an old answer, or DNSSEC of "
        "your domain is broken. Ask your DNS provider where it stays so.",
    ),
    "unauthorized": WAY,
    "incorrectResponse": WAY,
    "tls": Advice(
        "Turn off the redirect to https:// at the proxy before your domain, then press Re-verify.",
        "The authority was sent on to https://, where there is no certificate yet that it could trust.",
    ),
    UNREACHED: Advice(
        "There is nothing to do but wait.", f"The authority gave no answer for a whole day. {WRITE}"
    ),
    UNFINISHED: Advice(
        "There is nothing to do but wait.", f"The authority came to no end within a day. {WRITE}"
    ),
    KEY_LOST: Advice("There is nothing to do at your DNS.", "The next try begins anew, with a key of today."),
    ORDER_LOST: Advice(
        "There is nothing to do at your DNS.", "The next try begins anew, with another order."
    ),
    WRONG_HOST: Advice(
        "There is nothing to do at your DNS.", f"What the authority issued is not for {{host}}. {WRITE}"
    ),
}
OTHER = Advice("Press Re-verify later.", f"This is seldom about your DNS. {WRITE}")


def advice(code: str, host: str, issuer: str = "our authority") -> Advice:
    """What to do about a host's order; ``issuer`` is the authority as CAA records name it, where known."""
    fix, why = ADVICE.get(code, OTHER)
    return Advice(fix.format(host=host, issuer=issuer), why.format(host=host, issuer=issuer))
