"""Proof that a visitor of a private page is the applicant: they know the name in the application.

An email to a mistyped address gives a stranger the private link. The link and the emails contain nothing
that was typed, so the name is what the applicant knows and the stranger does not.
"""

from adoption.accounts.counting import counter_of
from adoption.errors import Invalid, TooMany
from adoption.orders.models import Application
from adoption.search_words import words_in

DAY = 86_400
FROM_ONE_ADDRESS, FROM_ANYWHERE = 10, 100
"""Wrong names a day for one link: from one network address, and from all. So a stranger cannot guess
the name, and needs many addresses to lock the applicant out."""
NEW_LINK = "Try again tomorrow, or ask the shelter to send you a new link, which works at once."


def check_name(application: Application, name: str, address: str, now: float) -> None:
    """Check a name against the one in the application, forgiving case, accents, spaces and punctuation.

    ``address`` is the visitor's network address. Raises Invalid, and TooMany after too many wrong names.
    """
    if not name.strip():
        raise Invalid([("name", "Enter your name as you wrote it in the form")])
    wrong, link = counter_of("applicants' names", DAY), f"{application.id}.{application.link_number}"
    if wrong.counted("address", f"{link} {address}", now) >= FROM_ONE_ADDRESS:
        raise TooMany(f"Too many wrong names were entered from your network today. {NEW_LINK}")
    if wrong.counted("link", link, now) >= FROM_ANYWHERE:
        raise TooMany(f"Too many wrong names were entered for this link today. {NEW_LINK}")
    if plain(name) != plain(application.name):
        wrong.count("address", f"{link} {address}", now)
        wrong.count("link", link, now)
        raise Invalid([("name", "This is not the name in the application. Enter it as you wrote it then")])


def plain(name: str) -> str:
    """Return the letters alone: phones type another apostrophe or hyphen than computers do."""
    return "".join(words_in(name)) or name.strip()
