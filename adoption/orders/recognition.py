"""Proof that a visitor of a private page is the applicant: they know the name in the application.

An email to a mistyped address gives a stranger the private link. The link and the emails contain nothing
that was typed, so the name is what the applicant knows and the stranger does not.
"""

from adoption.accounts.counting import counter_of
from adoption.errors import Invalid, TooMany
from adoption.orders.models import Application
from adoption.search_words import words_in

TRIES, PERIOD = 10, 86_400
"""Names that can be tried for one application, and in how many seconds."""


def check_name(application: Application, name: str, now: float) -> None:
    """Check a name against the one in the application, forgiving case, accents, spaces and punctuation.

    Raises Invalid, and TooMany after ten names in a day.
    """
    if not name.strip():
        raise Invalid([("name", "Enter your name as you wrote it in the form")])
    counter = counter_of("applicants' names", PERIOD)
    if counter.too_many("application", str(application.id), TRIES, now):
        raise TooMany("Too many names were tried. Try again tomorrow, or ask the shelter.")
    if plain(name) != plain(application.name):
        raise Invalid([("name", "This is not the name in the application. Enter it as you wrote it then")])


def plain(name: str) -> str:
    """Return the letters alone: phones type another apostrophe or hyphen than computers do."""
    return "".join(words_in(name)) or name.strip()
