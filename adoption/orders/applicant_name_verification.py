"""Verification of an applicant's name: the visitor of a private page enters the name from the application.

An email to a mistyped address gives the private link to a stranger. The link and the emails contain nothing
that the applicant typed, so only the applicant knows the name.
"""

from adoption.accounts.quotas.throttles import DAY, Throttle, reserve
from adoption.errors import Invalid
from adoption.orders.models import Application
from adoption.search_words import words_in
from adoption.translations import gettext, message

FROM_ONE_ADDRESS = Throttle(
    "names-address",
    10,
    DAY,
    message(
        "Too many wrong names were entered from your network today. Try again tomorrow, or ask the shelter "
        "to send you a new link, which works at once."
    ),
)
FROM_ANYWHERE = Throttle(
    "names-link",
    100,
    DAY,
    message(
        "Too many wrong names were entered for this link today. Try again tomorrow, or ask the shelter to "
        "send you a new link, which works at once."
    ),
)
"""The daily limit on wrong names for one link, from all network addresses together. A stranger needs many
network addresses to lock out the applicant."""


def verify_applicant_name(application: Application, name: str, address: str, now: float) -> None:
    """Check a name against the application's name.

    Case, accents, spaces and punctuation may differ. ``address`` is the visitor's network address. Raises
    Invalid if the name is wrong, and TooMany if too many wrong names were entered.
    """
    if not name.strip():
        raise Invalid([("name", gettext("Enter your name as you wrote it in the form"))])
    link = f"{application.id}.{application.link_number}"
    attempt = reserve([(FROM_ONE_ADDRESS, f"{link} {address}"), (FROM_ANYWHERE, link)], now)
    if comparable_name(name) != comparable_name(application.name):
        raise Invalid(
            [
                (
                    "name",
                    gettext(
                        "This is not the name in the application. Enter your name as you wrote it in the form"
                    ),
                )
            ]
        )
    attempt.give_back()


def comparable_name(name: str) -> str:
    """Return a name for comparison, without case, accents, spaces and punctuation.

    Phones and computers type different apostrophes and hyphens.
    """
    return "".join(words_in(name)) or name.strip()
