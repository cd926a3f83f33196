"""Texts about an application for its applicant."""

from datetime import datetime
from typing import NamedTuple

from adoption.orders.models import Application
from adoption.orders.outcomes import OutcomeText, outcome_text
from adoption.orders.queries import ApplicantView
from adoption.text_joining import listed
from portal.animals.application_form import COMPANY_LABELS
from portal.dates import day_of

NOT_ANSWERED = "Not answered"
HOMES = {"own": "I own my home", "rent": "I rent my home"}

JUST_SENT = "Thank you. Your application for {animals} has been sent"
DECIDED = {
    "placed": "The shelter decides",
    "held": "The shelter decides",
    "approved": "Approved",
    "completed": "Adopted",
    "returned": "Back at the shelter",
    "homed": "Another home was chosen",
    "declined": "Declined",
    "withdrawn": "Withdrawn by you",
}


class TimelineStep(NamedTuple):
    title: str
    sentence: str
    state: str
    """``done``, ``current``, ``closed`` or ``open``."""


def headline_of(followed: ApplicantView, just_sent: bool) -> OutcomeText:
    """Return the title and the sentence of the private page, which are the same as in emails."""
    words = outcome_text(followed.state, followed.names, followed.shelter.name)
    if not just_sent:
        return words
    return words._replace(title=JUST_SENT.format(animals=listed(followed.names)))


def timeline_steps(followed: ApplicantView, now: datetime | None = None) -> list[TimelineStep]:
    """Return the steps sent, read and decided, with their days."""
    sent = day_of(followed.application.created_at, now)
    decided = followed.decided_at and day_of(followed.decided_at, now)
    waits = followed.state in ("placed", "held")
    steps = [TimelineStep("Sent", sent, "done")]
    # Nobody may have read an application that was closed because its animal found another home.
    if followed.state not in ("withdrawn", "homed"):
        steps.append(reading_step(followed))
    ended = followed.state in ("withdrawn", "declined", "homed", "returned")
    state = "open" if waits else "closed" if ended else "done"
    return [*steps, TimelineStep(DECIDED[followed.state], decided or "", state)]


def reading_step(followed: ApplicantView) -> TimelineStep:
    shelter = followed.shelter.name
    if followed.state == "held":
        return TimelineStep("Being checked", f"It is not in the inbox of {shelter} yet.", "current")
    if followed.state == "placed":
        return TimelineStep(f"{shelter} reads it", "They get in touch if they have questions.", "current")
    return TimelineStep(f"{shelter} has read it", "", "done")


def sent_answers(application: Application) -> list[tuple[str, str]]:
    """Return the answers by question."""
    company = [COMPANY_LABELS[key] for key in application.household.split()]
    standard = {
        "phone": ("Phone", application.phone or NOT_ANSWERED),
        "home": ("Home", HOMES.get(application.home, NOT_ANSWERED)),
        "household": ("Who lives there", ", ".join(company) or "None of the choices ticked"),
        "why": ("Why", application.why),
    }
    return [
        ("Name", application.name),
        ("Email", application.email),
        *(pair for question, pair in standard.items() if application.was_asked(question)),
        *((question, answer or NOT_ANSWERED) for question, answer in application.own_answer_pairs),
    ]
