"""Applications in words for the staff."""

from datetime import datetime
from typing import Any, NamedTuple

from adoption.orders.history import Step
from adoption.orders.inbox import Entry, Pet
from adoption.orders.letters import COMPANY
from adoption.orders.models import APPLICANT, HOMEWARD, Application
from adoption.words import listed
from portal.instants import ago, stamp, with_hour
from portal.staff.animals import small_file_of
from portal.words import SPECIES_BY_ID, capital

WHY_SHOWN = 160
"""Letters of the answer that an entry of the inbox shows."""

HOMES = {"own": "Owns their home", "rent": "Rents their home"}
NOT_ANSWERED = "Not answered"
NOBODY, ERASED = "No application form", "Erased"


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
    "returned": Mark("Came back", "refresh-cw", "warn"),
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
        "Nothing waits for you",
        "New applications appear here as soon as somebody sends one, and a mail tells you.",
    ),
    "approved": (
        "Nobody is approved at the moment",
        "Whoever you approve stays here until the adoption is complete.",
    ),
    "held": (
        "Nothing is held as spam",
        "What looks like spam waits here for you, instead of being thrown away.",
    ),
    "decided": ("Nothing is decided yet", "Adopted, declined and withdrawn applications stay here."),
    "all": (
        "No applications yet",
        "They come from the pages of your animals. Share an animal's page, and see that it is published.",
    ),
}


class Thumb(NamedTuple):
    name: str
    status: str
    photo: str
    """Name of a small file, which the staff see whoever else does; empty without a photo."""
    placeholder: str
    id: int


class Row(NamedTuple):
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


def row_of(entry: Entry, now: datetime) -> Row:
    application = entry.application
    return Row(
        str(entry.ref),
        who(application),
        not (application and application.name),
        listed([pet.name for pet in entry.pets]) if entry.pets else "An animal that is gone",
        thumb_of(entry.pets[0]) if entry.pets else None,
        max(0, len(entry.pets) - 1),
        MARKS[entry.state],
        stamp(entry.at, ago(entry.at, now)),
        excerpt_of(application) if application else "",
        entry.others,
    )


def who(application: Application | None) -> str:
    if application is None:
        return NOBODY
    return ERASED if application.forgotten_at else application.name


def thumb_of(pet: Pet) -> Thumb:
    photo = small_file_of(pet.digest, pet.width) if pet.digest else ""
    return Thumb(pet.name, pet.status, photo, SPECIES_BY_ID[pet.category_id].placeholder, pet.id)


def shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= WHY_SHOWN else f"{words[:WHY_SHOWN].rsplit(' ', 1)[0]}…"


def answers_of(application: Application) -> list[tuple[str, str]]:
    company = listed(
        [COMPANY[each] for each in application.household.split()] or ["no children, cats or dogs"]
    )
    standard = {
        "home": ("Home", HOMES.get(application.home, NOT_ANSWERED)),
        "household": ("Lives with", capital(company)),
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
    "returned": ("Came back", "closed"),
}


class Told(NamedTuple):
    """A step of the history, as the timeline shows it."""

    title: str
    by: str
    when: Any
    state: str


def history_told(steps: list[Step], now: datetime) -> list[Told]:
    told = []
    for number, step in enumerate(steps):
        title, state = STEPS[step.event]
        if step.event == "placed" and number:
            title = "Approval taken back"
        elif step.event == "placed" and step.actor not in ("", APPLICANT):
            title = "Let through"
        elif step.event == "declined" and step.actor == HOMEWARD:
            title = "Declined, since another home was chosen"
        by = "" if step.actor in ("", HOMEWARD) else f"by {step.actor}"
        told.append(Told(title, by, stamp(step.at, with_hour(step.at, now)), state))
    return told
