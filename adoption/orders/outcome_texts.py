"""Texts for applicants about each outcome, for emails and the private page."""

from collections.abc import Mapping
from typing import NamedTuple

from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext


class OutcomeText(NamedTuple):
    title: str
    """The title of the outcome, which is also the subject of the email."""
    sentence: str


OUTCOME_TEXTS = {
    "placed": OutcomeText(
        message("Your application for %(animals)s"),
        message("%(shelter)s has your application and has not decided yet."),
    ),
    "held": OutcomeText(
        message("Your application for %(animals)s"),
        message(
            "We received your application. It looks unusual, so it has to be checked before %(shelter)s sees "
            "it in its inbox. We email the shelter about it within a day."
        ),
    ),
    "approved": OutcomeText(
        message("Your application for %(animals)s is approved"),
        message("Good news: %(shelter)s has approved your application for %(animals)s."),
    ),
    "completed": OutcomeText(
        "",
        message("The adoption of %(animals)s is complete. Thank you for giving %(animals)s a home."),
    ),
    "returned": OutcomeText(
        "",
        message(
            "The adoption did not work out, and %(shelter)s looks after %(animals)s again. "
            "Thank you for trying to give them a home."
        ),
    ),
    "homed": OutcomeText(
        "",
        message(
            "%(animals)s found a home with someone else, so we have closed your application. %(shelter)s had "
            "to choose one of several homes. This is no reflection on you or your home. Thank you for "
            "offering one."
        ),
    ),
    "declined": OutcomeText(
        message("Your application for %(animals)s was declined"),
        message(
            "%(shelter)s will not be taking your application for %(animals)s further. This is no reflection "
            "on you or your home. Shelters look for the home that suits each animal best, and often several "
            "good homes apply for the same one."
        ),
    ),
    "withdrawn": OutcomeText(message("You have withdrawn your application for %(animals)s"), ""),
}
"""The texts by state.

Texts that depend on the number of animals are empty, and are in the functions below.
"""


def outcome_text(state: str, names: list[str], shelter: str) -> OutcomeText:
    """Return the texts for a state of ``private_page.ApplicantView``."""
    number, words = len(names), {"animals": join_names(names), "shelter": shelter}
    title, sentence = OUTCOME_TEXTS[state]
    return OutcomeText(
        gettext(title, **words) if title else counted_title(state, number, words),
        gettext(sentence, **words) if sentence else closed_by_applicant(number, words),
    )


def counted_title(state: str, number: int, words: Mapping[str, str]) -> str:
    if state == "completed":
        return ngettext(
            "%(animals)s has come home with you", "%(animals)s have come home with you", number, **words
        )
    if state == "returned":
        return ngettext(
            "%(animals)s has come back to %(shelter)s",
            "%(animals)s have come back to %(shelter)s",
            number,
            **words,
        )
    return ngettext("%(animals)s has found a home", "%(animals)s have found a home", number, **words)


def closed_by_applicant(number: int, words: Mapping[str, str]) -> str:
    return ngettext(
        "Your application for %(animals)s is closed, and there is nothing more to do. You can apply again "
        "while %(animals)s has no home yet.",
        "Your application for %(animals)s is closed, and there is nothing more to do. You can apply again "
        "while %(animals)s have no home yet.",
        number,
        **words,
    )
