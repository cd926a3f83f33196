"""Texts about an application for its applicant."""

from datetime import datetime
from typing import NamedTuple

from adoption.orders.models import Application
from adoption.orders.outcome_texts import OutcomeText, outcome_text
from adoption.orders.queries import ApplicantView
from adoption.text_joining import join_names
from adoption.translations import gettext, message
from portal.animal_labels import Labels
from portal.animals.application_form import COMPANY_LABELS
from portal.dates import day_of

NOT_ANSWERED = message("Not answered")
HOMES = Labels({"own": message("I own my home"), "rent": message("I rent my home")})

DECIDED = Labels(
    {
        "placed": message("The shelter decides"),
        "held": message("The shelter decides"),
        "approved": message("Approved"),
        "completed": message("Adopted"),
        "returned": message("Back at the shelter"),
        "homed": message("Another home was chosen"),
        "declined": message("Declined"),
        "withdrawn": message("Withdrawn by you"),
    }
)


class TimelineStep(NamedTuple):
    title: str
    sentence: str
    state: str
    """``done``, ``current``, ``closed`` or ``open``."""


def headline_of(followed: ApplicantView, just_sent: bool) -> OutcomeText:
    """Return the title and the sentence of the private page. Emails have the same texts."""
    words = outcome_text(followed.state, followed.names, followed.shelter.name)
    if not just_sent:
        return words
    return words._replace(
        title=gettext(
            "Thank you. Your application for %(animals)s has been sent", animals=join_names(followed.names)
        )
    )


def timeline_steps(followed: ApplicantView, now: datetime | None = None) -> list[TimelineStep]:
    """Return the steps "sent", "read" and "decided", each with its day."""
    sent = day_of(followed.application.created_at, now)
    decided = followed.decided_at and day_of(followed.decided_at, now)
    waits = followed.state in ("placed", "held")
    steps = [TimelineStep(gettext("Sent"), sent, "done")]
    # If the animal was adopted by someone else, the application may have been closed unread.
    if followed.state not in ("withdrawn", "homed"):
        steps.append(reading_step(followed))
    ended = followed.state in ("withdrawn", "declined", "homed", "returned")
    state = "open" if waits else "closed" if ended else "done"
    return [*steps, TimelineStep(DECIDED[followed.state], decided or "", state)]


def reading_step(followed: ApplicantView) -> TimelineStep:
    shelter = followed.shelter.name
    if followed.state == "held":
        return TimelineStep(
            gettext("Being checked"),
            gettext("It is not in the inbox of %(shelter)s yet.", shelter=shelter),
            "current",
        )
    if followed.state == "placed":
        return TimelineStep(
            gettext("%(shelter)s reads it", shelter=shelter),
            gettext("They get in touch if they have questions."),
            "current",
        )
    return TimelineStep(gettext("%(shelter)s has read it", shelter=shelter), "", "done")


def sent_answers(application: Application) -> list[tuple[str, str]]:
    """Return the answers that were sent, by question."""
    unanswered = gettext(NOT_ANSWERED)
    company = [COMPANY_LABELS[key] for key in application.household.split()]
    standard = {
        "phone": (gettext("Phone"), application.phone or unanswered),
        "home": (gettext("Home"), HOMES.get(application.home, unanswered)),
        "household": (
            gettext("Who lives there"),
            ", ".join(company) or gettext("None of the choices ticked"),
        ),
        "why": (gettext("Why"), application.why),
    }
    return [
        (gettext("Name"), application.name),
        (gettext("Email"), application.email),
        *(pair for question, pair in standard.items() if application.was_asked(question)),
        *((question, answer or unanswered) for question, answer in application.own_answer_pairs),
    ]
