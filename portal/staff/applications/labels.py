"""Applications in words for the staff."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from adoption.orders.application_cases import RivalCase
from adoption.orders.email_templates import COMPANY
from adoption.orders.history import OrderStep
from adoption.orders.inbox import InboxAnimal, InboxEntry
from adoption.orders.models import APPLICANT, HOMEWARD, Application
from adoption.orders.staff_texts import Emailed
from adoption.text_joining import listed
from portal.animals.photos import small_file_of
from portal.dates import ago, day_and_time, local
from portal.labels import SPECIES_BY_ID, capitalise, counted

WHY_SHOWN = 160
"""Letters of the answer that an entry of the inbox shows."""

LATE_DAYS = 7
"""Days to review after which an application is marked."""

HOMES = {"own": "Owns their home", "rent": "Rents their home"}
NOT_ANSWERED = "Not answered"
NOBODY, ERASED = "No application form", "Data deleted"


class Mark(NamedTuple):
    """A state as a tag shows it."""

    label: str
    icon: str
    tone: str


MARKS = {
    "placed": Mark("To review", "inbox", "brand"),
    "approved": Mark("Approved", "check", "good"),
    "completed": Mark("Adopted", "circle-check", "good"),
    "declined": Mark("Declined", "minus", ""),
    "withdrawn": Mark("Withdrawn", "arrow-left", ""),
    "returned": Mark("Returned", "refresh-cw", "warn"),
    "held": Mark("Held as spam", "triangle-alert", "warn"),
}

BOXES = {
    "waiting": ("To review", "inbox"),
    "approved": ("Approved", "check"),
    "held": ("Held as spam", "triangle-alert"),
    "decided": ("Decided", "archive"),
    "all": ("All", "menu"),
}

EMPTY = {
    "waiting": (
        "No applications to review",
        "New applications appear here, and we'll email you when one arrives.",
    ),
    "approved": (
        "No approved applications",
        "Approved applications stay here until the adoption is complete.",
    ),
    "held": (
        "No applications held as spam",
        "Applications that look like spam are kept here for you to check.",
    ),
    "decided": ("No decided applications yet", "Adopted, declined and withdrawn applications stay here."),
    "all": (
        "No applications yet",
        "They come from your animals' pages. Share a page, and check that your site is published.",
    ),
}


class Thumb(NamedTuple):
    name: str
    status: str
    photo: str
    """Name of a small file, which staff may always see; empty without a photo."""
    placeholder: str
    id: int


class InboxRow(NamedTuple):
    """An entry of the inbox, as it is shown."""

    ref: str
    who: str
    soft: bool
    """Whether ``who`` is no name."""
    animals: str
    thumb: Thumb | None
    more: int
    """Animals beside the one of the thumbnail."""
    mark: Mark
    when: Any
    why: str
    others: int
    waits: str
    """How long it has been to review, from its second day on."""
    late: bool
    """Whether that is long."""
    assignee: str
    value: str
    """The application with the state that is shown, as a form sends it."""


def inbox_row(entry: InboxEntry, now: datetime) -> InboxRow:
    application = entry.application
    return InboxRow(
        str(entry.ref),
        who(application),
        not (application and application.name),
        listed([pet.name for pet in entry.pets]) if entry.pets else "A removed animal",
        thumb_of(entry.pets[0]) if entry.pets else None,
        max(0, len(entry.pets) - 1),
        MARKS[entry.state],
        ago(entry.at, now),
        excerpt_of(application) if application else "",
        entry.others,
        waits(days := days_waiting(entry, now)),
        days >= LATE_DAYS,
        entry.assignee,
        f"{entry.ref}:{entry.state}",
    )


def days_waiting(entry: InboxEntry, now: datetime) -> int:
    """Return for how many days an application has been to review, counted as the time beside it is."""
    return (local(now).date() - local(entry.at).date()).days if entry.state == "placed" else 0


def waits(days: int) -> str:
    return f"Waiting {counted(days, 'day')}" if days else ""


def species_label(category_id: int) -> str:
    return SPECIES_BY_ID[category_id].one.capitalize()


def who(application: Application | None) -> str:
    if application is None:
        return NOBODY
    return ERASED if application.forgotten_at else application.name


def promised(promise: RivalCase) -> str:
    """Return the sentence that warns of another approved application."""
    return f"{promise}."


def unconfirmed_in_words(unconfirmed: int, emailed: int) -> str:
    """Return what happens to the staff's text if some applicants have not confirmed their address yet."""
    if not unconfirmed:
        return ""
    if emailed == 1:
        return (
            "The applicant has not confirmed their email address yet. If you change this text, we email them "
            "the decision in a standard sentence, and they read your text when they open the link in that "
            "email and confirm."
        )
    have = "has" if unconfirmed == 1 else "have"
    return (
        f"{unconfirmed:,} of these {emailed:,} applicants {have} not confirmed their email address yet. If "
        "you change this text, their email has the decision in a standard sentence, and they read your text "
        "when they open the link in that email and confirm."
    )


def later_readers_in_words(emailed: Emailed) -> str:
    """Return how many of the emailed applicants have to confirm first; empty for none."""
    if not emailed.waiting:
        return ""
    people = "They" if emailed.number == 1 else f"{emailed.waiting:,} of them"
    return f" {people} can read your text once they open the link in that email and confirm."


def thumb_of(pet: InboxAnimal) -> Thumb:
    photo = small_file_of(pet.digest, pet.width) if pet.digest else ""
    return Thumb(pet.name, pet.status, photo, SPECIES_BY_ID[pet.category_id].placeholder, pet.id)


def shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= WHY_SHOWN else f"{words[:WHY_SHOWN].rsplit(' ', 1)[0]}…"


def answers_for_staff(application: Application) -> list[tuple[str, str]]:
    company = listed(
        [COMPANY[each] for each in application.household.split()] or ["none of the choices ticked"]
    )
    standard = {
        "home": ("Home", HOMES.get(application.home, NOT_ANSWERED)),
        "household": ("Lives with", capitalise(company)),
    }
    return [
        *(pair for question, pair in standard.items() if application.was_asked(question)),
        *((question, answer or NOT_ANSWERED) for question, answer in application.own_answer_pairs),
    ]


def excerpt_of(application: Application) -> str:
    """The answer that tells most: why, or the first that was given to a question of the shelter's own."""
    own = (answer for _, answer in application.own_answer_pairs if answer)
    return shortened(application.why or next(own, ""))


STEPS = {
    "placed": ("Applied", "done"),
    "approved": ("Approved", "done"),
    "completed": ("Adopted", "done"),
    "declined": ("Declined", "closed"),
    "withdrawn": ("Withdrawn", "closed"),
    "returned": ("Returned", "closed"),
    "assigned": ("Assigned", "done"),
}


class ShownEvent(NamedTuple):
    """A step of the history, as the timeline shows it."""

    title: str
    by: str
    when: Any
    state: str


def history_told(steps: list[OrderStep], names: Mapping[str, str], now: datetime) -> list[ShownEvent]:
    told, before = [], ""
    for step in steps:
        title, state = event_title(step, before, names), STEPS[step.event][1]
        by = "" if step.actor in ("", HOMEWARD) else f"by {names[step.actor]}"
        told.append(ShownEvent(title, by, day_and_time(step.at, now, capitalised=True), state))
        before = before if step.event == "assigned" else step.event
    return told


def event_title(step: OrderStep, before: str, names: Mapping[str, str]) -> str:
    """Return what a step is called after the decision ``before`` it."""
    if step.event == "assigned":
        return f"Assigned to {names[step.detail]}" if step.detail else "Assigned to no one"
    if before == "declined" and step.event in ("placed", "approved"):
        return "Decline undone"
    if step.event == "placed" and before:
        return "Approval undone"
    if step.event == "placed" and step.actor not in ("", APPLICANT):
        return "Marked as not spam"
    if step.event == "withdrawn" and step.actor == HOMEWARD:
        return "Closed, since it was not decided in time"
    if step.event == "declined" and step.actor == HOMEWARD:
        return "Declined because another home was chosen"
    return STEPS[step.event][0]
