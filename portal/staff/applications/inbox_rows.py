"""The rows of the inbox: each shows the applicant, the animals, the state and an excerpt."""

from datetime import datetime
from typing import Any, NamedTuple

from adoption.orders.inbox import InboxAnimal, InboxEntry
from adoption.orders.models import Application
from adoption.text_joining import join_names
from adoption.translations import gettext, ngettext
from portal.animal_labels import SPECIES_BY_ID
from portal.animals.photos import small_file_of
from portal.dates import ago, local
from portal.staff.applications.labels import Mark, applicant_label, state_mark

WHY_SHOWN = 160
"""How many characters of an answer a row shows."""


LATE_DAYS = 7
"""The days without a decision after which an application is marked as late."""


class Thumb(NamedTuple):
    name: str
    status: str
    photo: str
    """The name of a small photo file. Empty if the animal has no photo."""
    placeholder: str
    id: int


class InboxRow(NamedTuple):
    """An application in the inbox."""

    ref: str
    who: str
    soft: bool
    """Whether ``who`` is a label instead of a name, because no name is known."""
    animals: str
    thumb: Thumb | None
    more: int
    """How many more animals the application is for, besides the animal of the thumbnail."""
    mark: Mark
    when: Any
    why: str
    others: int
    """How many other people have applied for the same animals."""
    waits: str
    """How long the application has waited for a decision. Empty on the first day and after a decision."""
    late: bool
    """Whether the application has waited for ``LATE_DAYS`` or longer."""
    assignee: str
    value: str
    """What the form sends if the row is ticked: the application and the state that the row shows."""


def inbox_row(entry: InboxEntry, now: datetime) -> InboxRow:
    application = entry.application
    return InboxRow(
        str(entry.ref),
        applicant_label(application),
        not (application and application.name),
        join_names([pet.name for pet in entry.pets]) if entry.pets else gettext("A removed animal"),
        thumb_of(entry.pets[0]) if entry.pets else None,
        max(0, len(entry.pets) - 1),
        state_mark(entry.state),
        ago(entry.at, now),
        excerpt_of(application) if application else "",
        entry.others,
        days_waiting_in_words(days := days_waiting(entry, now)),
        days >= LATE_DAYS,
        entry.assignee,
        f"{entry.ref}:{entry.state}",
    )


def days_waiting(entry: InboxEntry, now: datetime) -> int:
    """Return how many days an application has waited for a decision.

    Days are counted in the project's time zone, as in the time that the row shows.
    """
    return (local(now).date() - local(entry.at).date()).days if entry.state == "placed" else 0


def days_waiting_in_words(days: int) -> str:
    return ngettext("Waiting %(num)s day", "Waiting %(num)s days", days) if days else ""


def thumb_of(pet: InboxAnimal) -> Thumb:
    photo = small_file_of(pet.digest, pet.width) if pet.digest else ""
    return Thumb(pet.name, pet.status, photo, SPECIES_BY_ID[pet.category_id].placeholder, pet.id)


def shorten_answer(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= WHY_SHOWN else f"{words[:WHY_SHOWN].rsplit(' ', 1)[0]}…"


def excerpt_of(application: Application) -> str:
    """Return the start of the answer to "why", or of the first answered question of the shelter."""
    own = (answer for _, answer in application.own_answer_pairs if answer)
    return shorten_answer(application.why or next(own, ""))
