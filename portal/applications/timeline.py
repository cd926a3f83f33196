"""The steps of an application that its applicant sees: sent, read and decided."""

from datetime import datetime
from typing import NamedTuple

from adoption.orders.private_page import ApplicantView
from adoption.translations import gettext, message
from portal.dates import day_of
from portal.translated_labels import Labels

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
            gettext("Your application is not in the inbox of %(shelter)s yet.", shelter=shelter),
            "current",
        )
    if followed.state == "placed":
        return TimelineStep(
            gettext("%(shelter)s reads it", shelter=shelter),
            gettext("They get in touch if they have questions."),
            "current",
        )
    return TimelineStep(gettext("%(shelter)s has read it", shelter=shelter), "", "done")
