"""How an application stands, in words for the one who made it."""

from datetime import UTC, date, datetime
from typing import NamedTuple

from adoption.orders.models import Application
from adoption.orders.queries import Followed
from adoption.words import listed
from portal.application_forms import COMPANY_LABELS
from portal.instants import day_in_words

HOMES = {"own": "I own my home", "rent": "I rent my home"}

# By state: the title and the sentence of the page, of {animals} at {shelter}.
HEADLINES = {
    "placed": (
        "Your application for {animals}",
        "{shelter} has it, and has not decided yet. This page shows when that changes.",
    ),
    "approved": (
        "Your application for {animals} is approved",
        "{shelter} would like to see {animals} come home with you, and arranges the rest with you.",
    ),
    "completed": (
        "{animals} came home with you",
        "The adoption is complete. We wish you a long and happy time together.",
    ),
    "returned": (
        "{animals} came back to {shelter}",
        "The adoption did not work out, and {shelter} looks after {animals} again. "
        "Thank you for having given a home a try.",
    ),
    "declined": (
        "Your application for {animals} was not chosen",
        "{shelter} has decided not to go on with it, which can have many reasons. "
        "Thank you for offering a home. Other animals are waiting to meet you.",
    ),
    "withdrawn": (
        "You have withdrawn your application for {animals}",
        "It no longer counts, and you need do nothing more. You may apply again whenever you like.",
    ),
}
JUST_SENT = (
    "Thank you. Your application for {animals} has been sent",
    "{shelter} has it now.",
)
DECIDED = {
    "placed": "The shelter decides",
    "approved": "Approved",
    "completed": "Adopted",
    "returned": "Came back to the shelter",
    "declined": "Not chosen",
    "withdrawn": "Withdrawn by you",
}


class Headline(NamedTuple):
    title: str
    sentence: str


class Step(NamedTuple):
    title: str
    sentence: str
    state: str
    """``done``, ``current``, ``closed`` or ``open``."""


def headline_of(followed: Followed, just_sent: bool) -> Headline:
    words = {"animals": listed(followed.names), "shelter": followed.shelter.name}
    told = JUST_SENT if just_sent else HEADLINES[followed.state]
    return Headline(*(text.format_map(words) for text in told))


def steps_of(followed: Followed, today: date | None = None) -> list[Step]:
    """Sent, looked at, decided: each with its day where it has come."""
    today = today or datetime.now(UTC).date()
    sent = day_in_words(followed.application.created_at.date(), today)
    decided = followed.decided_at and day_in_words(followed.decided_at.date(), today)
    waits, withdrawn = followed.state == "placed", followed.state == "withdrawn"
    reading = "They get in touch if they have questions." if waits else ""
    steps = [Step("Sent", sent, "done")]
    if not withdrawn:
        title = f"{followed.shelter.name} reads it" if waits else f"{followed.shelter.name} has read it"
        steps.append(Step(title, reading, "current" if waits else "done"))
    ended = followed.state in ("withdrawn", "declined", "returned")
    state = "open" if waits else "closed" if ended else "done"
    return [*steps, Step(DECIDED[followed.state], decided or "", state)]


def answers_of(application: Application) -> list[tuple[str, str]]:
    """What was sent, by the questions."""
    company = [COMPANY_LABELS[each] for each in application.household.split()]
    return [
        ("Name", application.name),
        ("Email", application.email),
        ("Phone", application.phone or "Not given"),
        ("Home", HOMES[application.home]),
        ("Who lives there", ", ".join(company) or "No children, cats or dogs"),
        ("Why", application.why),
    ]
