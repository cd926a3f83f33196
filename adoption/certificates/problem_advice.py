"""Advice about failed orders, by the problem's code: what to do, and who has to do it.

Most codes are ACME error types (RFC 8555, 6.7, and later RFCs in the IANA registry). A few are our own.
"""

import re
from typing import NamedTuple

from adoption.domains.caa_checks import LETS_ENCRYPT, authority_name
from adoption.translations import gettext, message

RATE_LIMITED, PAUSED, ACCOUNT_REFUSED = "rateLimited", "paused", "accountRefused"
UNREACHED, UNFINISHED, KEY_LOST, WRONG_HOST = "unreached", "unfinished", "keyLost", "wrongHost"
ORDER_LOST, UNSPECIFIED = "orderLost", "unspecified"
DNS, DNSSEC = "dns", "dnssec"
EXTERNAL_ACCOUNT_MISSING = "externalAccountMissing"
EDGE_DOWN = "edgeDown"
HOOK_FAILED, RECORD_UNSEEN = "hookFailed", "recordUnseen"
HOOK_CODES = {HOOK_FAILED, RECORD_UNSEEN}
"""Codes of failures that are not the authority's: failures in the DNS hook, or in the DNS servers that the
hook updates."""
OURS = {
    UNREACHED,
    UNFINISHED,
    KEY_LOST,
    ORDER_LOST,
    WRONG_HOST,
    EXTERNAL_ACCOUNT_MISSING,
    EDGE_DOWN,
    *HOOK_CODES,
}
"""Codes whose description is ours, not the authority's."""
QUIET = {KEY_LOST, ORDER_LOST}
"""Codes that cause no alert, because the next order begins within minutes and usually succeeds."""

SHELTER, OPERATOR, NOBODY = "shelter", "operator", "nobody"
"""The values of ``Advice.who``: an owner of the domain, the operator of this service, or no one."""
UNPAUSE = re.compile(r"https://\S+/unpause\S*")
"""The link that ends the pause of a host. Let's Encrypt pauses hosts with many failed orders."""


class Advice(NamedTuple):
    """Advice for one code. The texts can contain the placeholders ``host``, ``authority`` and ``issuer``."""

    fix: str
    """What to do, as one sentence."""
    why: str
    who: str = SHELTER
    contact: bool = False
    """Whether the owners should contact the operator if nothing changes."""


CONTACT = message("If nothing changes within a day, contact the operator of this service.")
NOTHING = message("You do not have to do anything.")
WAY = Advice(
    message("If you have just changed DNS, wait a few minutes, then press Re-verify."),
    message(
        "%(authority)s opened http://%(host)s/ and found another website. A proxy, such "
        "as Cloudflare's, or a redirect can also be the cause: turn the proxy or redirect "
        "off until there is a certificate."
    ),
)
NAME = Advice(
    message("Use another domain, or ask %(authority)s."),
    message("%(authority)s issues no certificates for %(host)s, so trying again rarely helps."),
)
LOOKUP = Advice(
    message("If you have just changed DNS, wait an hour, then press Re-verify."),
    message(
        "%(authority)s could not find %(host)s in DNS, although we can. The authority may "
        "still use an old answer. Or DNSSEC, the signature of your DNS records, is wrong. "
        "If the problem lasts for a day, ask your DNS provider."
    ),
)
ACCOUNT = Advice(
    NOTHING,
    message("%(authority)s does not accept our account. The operator of this service has to fix that."),
    OPERATOR,
    True,
)
REQUEST = Advice(
    NOTHING,
    message(
        "%(authority)s did not accept the order of this service. The operator of this "
        "service has to fix that."
    ),
    OPERATOR,
    True,
)
RECORD = Advice(
    NOTHING,
    message(
        "This service could not set a record in its own DNS. The operator of this service "
        "has to fix that. We try again automatically."
    ),
    OPERATOR,
    True,
)
AGAIN = Advice(NOTHING, message("Your DNS is not the cause. We order again automatically."), NOBODY, True)
ADVICE = {
    RATE_LIMITED: Advice(
        message("Wait until the next try."),
        message(
            "%(authority)s limits how many certificates it issues. The limit for this domain, "
            "or for all sites here, is reached for now."
        ),
        NOBODY,
    ),
    PAUSED: Advice(
        message("Check that DNS of %(host)s is right, open the link to resume, then press Re-verify."),
        message(
            "%(authority)s paused %(host)s because many orders for it failed. The authority "
            "takes no new order until you open that link."
        ),
    ),
    "caa": Advice(
        message("Allow %(authority)s in the CAA records of your domain, then press Re-verify."),
        message(
            "CAA records say who may issue certificates for a domain. %(authority)s could not read these "
            'records, or no record allows %(authority)s. A record with the value 0 issue "%(issuer)s" allows '
            "it."
        ),
    ),
    "connection": Advice(
        message("Make sure that http://%(host)s/ can be reached, then press Re-verify in a few minutes."),
        message(
            "%(authority)s could not connect to http://%(host)s/. If a firewall or a proxy is "
            "in front of your domain, it has to allow port 80."
        ),
        contact=True,
    ),
    "tls": Advice(
        message(
            "Turn off the redirect to https:// at the proxy in front of your domain, such as Cloudflare's. "
            "Then press Re-verify."
        ),
        message("%(authority)s was redirected to https://, where there is no certificate yet."),
    ),
    DNSSEC: Advice(
        message("Ask your DNS provider to fix DNSSEC of your domain, then press Re-verify."),
        message(
            "DNSSEC signs your DNS records. The signature is wrong, so %(authority)s does not "
            "trust the records."
        ),
    ),
    "onionCAARequired": NAME,
    **dict.fromkeys(("rejectedIdentifier", "unsupportedIdentifier"), NAME),
    **dict.fromkeys(("unauthorized", "incorrectResponse"), WAY),
    **dict.fromkeys((DNS, "unknownHost"), LOOKUP),
    **dict.fromkeys(HOOK_CODES, RECORD),
    **dict.fromkeys(
        (
            *(ACCOUNT_REFUSED, "accountDoesNotExist", "userActionRequired"),
            *("externalAccountRequired", EXTERNAL_ACCOUNT_MISSING),
            *("invalidContact", "unsupportedContact", "invalidEmail"),
        ),
        ACCOUNT,
    ),
    **dict.fromkeys(
        (
            *("badCSR", "badPublicKey", "badSignatureAlgorithm", "badRevocationReason", "alreadyRevoked"),
            *("malformed", "compound", "unknownDelegation", "invalidProfile", WRONG_HOST, UNSPECIFIED),
        ),
        REQUEST,
    ),
    **dict.fromkeys(
        (
            *("serverInternal", "badNonce", "orderNotReady", "alreadyReplaced", "conflict"),
            *("autoRenewalCanceled", "autoRenewalExpired", "autoRenewalCancellationInvalid"),
            *("autoRenewalRevocationNotSupported", KEY_LOST, ORDER_LOST),
        ),
        AGAIN,
    ),
    EDGE_DOWN: Advice(
        NOTHING,
        message(
            "The server that shows all sites here did not answer. The operator of this "
            "service has to fix that."
        ),
        OPERATOR,
        True,
    ),
    UNREACHED: Advice(
        message("Wait until the next try."), message("%(authority)s did not answer for a day."), NOBODY, True
    ),
    UNFINISHED: Advice(
        message("Wait until the next try."),
        message("%(authority)s did not finish the order within a day."),
        NOBODY,
        True,
    ),
}


def advice(code: str, host: str, issuer: str = LETS_ENCRYPT) -> Advice:
    """Return the advice about a host's failed order, in the language of the page or email.

    ``issuer`` is the authority's domain, as in CAA records. Unknown codes are problems for the operator.
    """
    found = ADVICE.get(code, REQUEST)
    names = {"host": host, "issuer": issuer, "authority": authority_name(issuer)}
    fix, why = gettext(found.fix, **names), gettext(found.why, **names)
    return found._replace(fix=fix, why=f"{why} {gettext(CONTACT)}" if found.contact else why)


def needs_shelter(code: str | None) -> bool:
    """Return whether the owners of the domain have to fix the problem with this code."""
    return ADVICE.get(code or "", REQUEST).who == SHELTER


def unpause_link(words: str) -> str:
    """Return the link in the authority's description that ends a host's pause; empty without a link."""
    found = UNPAUSE.search(words)
    return found[0].rstrip(".,;)\"'") if found else ""
