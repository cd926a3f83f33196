"""Signs of spam in an application. An application that looks like spam is held until the staff release it."""

import re
from typing import NamedTuple

from adoption.accounts.email_throttles import mailbox_of
from adoption.accounts.quotas.throttles import HOUR, Throttle
from adoption.links_in_names import LINK, has_web_address
from adoption.orders.validation import Answers
from adoption.translations import message
from adoption.unicode_normalization import normal_form

SECONDS_LEAST = 3
"""The shortest plausible time for filling in a form, in seconds.

Browsers can autofill a form faster, so a fast form is only one sign of spam.
"""

UNUSUAL_RATES = {
    "network address": Throttle("applications-address", 30, HOUR),
    "email address": Throttle("applications-email", 10, HOUR),
}
"""The rates above which an application has a sign of spam. On an adoption day, all visitors of a shelter
share one network address."""
SAVED_PER_ADDRESS = Throttle(
    "applications-saved",
    100,
    HOUR,
    message(
        "Too many applications came from your network. Everything you wrote is still "
        "here: wait {wait}, then send the application again."
    ),
)
"""The limit on stored applications from one network address. The limit prevents a full disk."""

SALES_PHRASES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bviagra\b",
        r"\b(cialis|levitra|kamagra)\b",
        r"\b(online pharmacy|no prescription|weight loss pills)\b",
        r"\b(bitcoins?|crypto(currency)?|forex|binary options)\b",
        r"\b[1-9][0-9]+x\b|\b(guaranteed (profits?|returns?)|passive income|double your money)\b",
        r"\b(telegram|whatsapp)\W{0,3}(channel|group|@\w)|\bt\.me/",
        r"\b(seo (services?|agency|experts?|packages?)|search engine optimi[sz]ation)\b",
        r"\b(page one|first page|top) of google\b|\brank (your|you)\b",
        r"\b(backlinks?|guest posts?|link building|domain authority)\b",
        r"\b(web ?design|app development|digital marketing|lead generation) (services?|agency|company)\b",
        r"\b(online casino|sports betting|free spins|jackpot)\b",
        r"\b(payday|business|instant) loans?\b",
        r"\b(escorts?|porn|sex cams?)\b",
        r"\breplica (watches|bags)\b",
    )
)
"""The typical subjects of spam, in lower case. Each match is a sign."""


class SpamSigns(NamedTuple):
    """The signs that a program sent the form, except signs in the answers."""

    trap: str
    """The content of the hidden field. A browser can fill in the field, so the portal first asks the sender
    to send the form again."""
    seconds: float | None
    """The number of seconds from opening the form to sending it; None if the form was opened before an
    earlier attempt."""
    address: str
    """The sender's network address."""


def why_held(answers: Answers, signs: SpamSigns, now: float) -> str:
    """Return the reason to hold an application, as a sentence for the staff; empty if there is no reason.

    A filled trap, or a link in the name or phone number, is a sufficient reason. Any other sign can come from
    a real applicant, so at least two other signs are needed. Raises TooMany if the network address is over
    its limit.
    """
    SAVED_PER_ADDRESS.demand(signs.address, now)
    # Both rates count every application, held or not.
    unusual = [
        f"more than {UNUSUAL_RATES[kind].most} applications came from one {kind} within an hour"
        for kind, who in (("network address", signs.address), ("email address", mailbox_of(answers.email)))
        if not UNUSUAL_RATES[kind].take(who, now)
    ]
    if signs.trap:
        return "A field that people do not see was filled in."
    for label, text in (("name", answers.name), ("phone number", answers.phone)):
        if has_web_address(text):
            return f"There is a link in the {label}."
    signs_found = [*find_signs(answers, signs), *unusual]
    return f"Signs of spam: {'; '.join(signs_found)}." if len(signs_found) > 1 else ""


def find_signs(answers: Answers, signs: SpamSigns) -> list[str]:
    found = []
    if signs.seconds is not None and signs.seconds < SECONDS_LEAST:
        found.append(f"the form was sent within {SECONDS_LEAST} seconds of being opened")
    written = "\n".join([answers.why, *(answer for _, answer in answers.own_answers)])
    if LINK.search(written):
        found.append("there is a link in the answers")
    text = normal_form("NFKC", written).casefold()
    sales = [match.group() for pattern in SALES_PHRASES if (match := pattern.search(text))]
    return [*found, *(f"the answers mention “{words}”" for words in sales)]
