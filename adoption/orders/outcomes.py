"""Texts for applicants about each outcome, for emails and the private page."""

from typing import NamedTuple

from adoption.text_joining import listed


class OutcomeText(NamedTuple):
    title: str
    """Also the subject of the email."""
    sentence: str


NO_REFLECTION = "This is no reflection on you or your home."

OUTCOME_TEXTS = {
    "placed": OutcomeText(
        "Your application for {animals}", "{shelter} has your application and has not decided yet."
    ),
    "held": OutcomeText(
        "Your application for {animals}",
        "We received your application. It looks unusual, so it has to be checked before {shelter} sees it "
        "in its inbox. We email the shelter about it within a day.",
    ),
    "approved": OutcomeText(
        "Your application for {animals} is approved",
        "Good news: {shelter} has approved your application for {animals}.",
    ),
    "completed": OutcomeText(
        "{animals} {have} come home with you",
        "The adoption of {animals} is complete. Thank you for giving {animals} a home.",
    ),
    "returned": OutcomeText(
        "{animals} {have} come back to {shelter}",
        "The adoption did not work out, and {shelter} looks after {animals} again. "
        "Thank you for trying to give them a home.",
    ),
    "homed": OutcomeText(
        "{animals} {have} found a home",
        "{animals} found a home with someone else, so we have closed your application. "
        f"{{shelter}} had to choose one of several homes. {NO_REFLECTION} Thank you for offering one.",
    ),
    "declined": OutcomeText(
        "Your application for {animals} was declined",
        f"{{shelter}} will not be taking your application for {{animals}} further. {NO_REFLECTION} "
        "Shelters look for the home that suits each animal best, and often several good homes apply for the "
        "same one.",
    ),
    "withdrawn": OutcomeText(
        "You have withdrawn your application for {animals}",
        "Your application for {animals} is closed, and there is nothing more to do. You can apply again "
        "while {animals} {have} no home yet.",
    ),
}


def outcome_text(state: str, names: list[str], shelter: str) -> OutcomeText:
    """Return the words for a state of ``queries.ApplicantView``."""
    words = {"animals": listed(names), "have": "has" if len(names) == 1 else "have", "shelter": shelter}
    title, sentence = OUTCOME_TEXTS[state]
    return OutcomeText(title.format_map(words), sentence.format_map(words))
