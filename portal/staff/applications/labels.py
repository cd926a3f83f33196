"""Applications in words for the staff."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from adoption.orders.email_templates import COMPANY
from adoption.orders.history import OrderStep
from adoption.orders.inbox import InboxAnimal, InboxEntry
from adoption.orders.models import APPLICANT, HOMEWARD, Application
from adoption.orders.rival_applications import RivalCase
from adoption.orders.staff_written_emails import Emailed
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext
from portal.animal_labels import SPECIES_BY_ID
from portal.animals.photos import small_file_of
from portal.capital_letters import capitalise
from portal.dates import ago, day_and_time, local
from portal.translated_labels import Labels

WHY_SHOWN = 160
"""Characters of the answer that an entry of the inbox shows."""

LATE_DAYS = 7
"""Days to review after which an application is marked."""

HOMES = Labels({"own": message("Owns their home"), "rent": message("Rents their home")})
NO_FORM, ERASED = message("No application form"), message("Data deleted")


class Mark(NamedTuple):
    """A state as a tag shows it."""

    label: str
    icon: str
    tone: str


MARKS = {
    "placed": Mark(message("To review"), "inbox", "brand"),
    "approved": Mark(message("Approved"), "check", "good"),
    "completed": Mark(message("Adopted"), "circle-check", "good"),
    "declined": Mark(message("Declined"), "minus", ""),
    "withdrawn": Mark(message("Withdrawn"), "arrow-left", ""),
    "returned": Mark(message("Returned"), "refresh-cw", "warn"),
    "held": Mark(message("Held as spam"), "triangle-alert", "warn"),
}


def state_mark(state: str) -> Mark:
    """Return the mark of a state with its label in the language."""
    mark = MARKS[state]
    return mark._replace(label=gettext(mark.label))


BOXES = {
    "waiting": (message("To review"), "inbox"),
    "approved": (message("Approved"), "check"),
    "held": ("Held as spam", "triangle-alert"),
    "decided": (message("Decided"), "archive"),
    "all": (message("All"), "menu"),
}

EMPTY = {
    "waiting": (
        message("No applications to review"),
        message("New applications appear here, and we'll email you when one arrives."),
    ),
    "approved": (
        message("No approved applications"),
        message("Approved applications stay here until the adoption is complete."),
    ),
    "held": (
        message("No applications held as spam"),
        message("Applications that look like spam are kept here for you to check."),
    ),
    "decided": (
        message("No decided applications yet"),
        message("Adopted, declined and withdrawn applications stay here."),
    ),
    "all": (
        message("No applications yet"),
        message("They come from your animals' pages. Share a page, and check that your site is published."),
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
        join_names([pet.name for pet in entry.pets]) if entry.pets else gettext("A removed animal"),
        thumb_of(entry.pets[0]) if entry.pets else None,
        max(0, len(entry.pets) - 1),
        state_mark(entry.state),
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
    return ngettext("Waiting %(num)s day", "Waiting %(num)s days", days) if days else ""


def species_label(category_id: int) -> str:
    return SPECIES_BY_ID[category_id].one.capitalize()


def who(application: Application | None) -> str:
    if application is None:
        return gettext(NO_FORM)
    return gettext(ERASED) if application.forgotten_at else application.name


def promised(promise: RivalCase) -> str:
    """Return the sentence that warns of another approved application."""
    return f"{promise}."


def unconfirmed_in_words(unconfirmed: int, emailed: int) -> str:
    """Return what happens to the staff's text if some applicants have not confirmed their address yet."""
    if not unconfirmed:
        return ""
    if emailed == 1:
        return gettext(
            "The applicant has not confirmed their email address yet. If you change this text, we email them "
            "the decision in a standard sentence, and they read your text when they open the link in that "
            "email and confirm."
        )
    return ngettext(
        "%(num)s of these %(emailed)s applicants has not confirmed their email address yet. If you change "
        "this text, their email has the decision in a standard sentence, and they read your text when they "
        "open the link in that email and confirm.",
        "%(num)s of these %(emailed)s applicants have not confirmed their email address yet. If you change "
        "this text, their email has the decision in a standard sentence, and they read your text when they "
        "open the link in that email and confirm.",
        unconfirmed,
        emailed=f"{emailed:,}",
    )


def later_readers_in_words(emailed: Emailed) -> str:
    """Return how many of the emailed applicants have to confirm first; empty for none."""
    if not emailed.waiting:
        return ""
    if emailed.number == 1:
        sentence = gettext("They can read your text once they open the link in that email and confirm.")
    else:
        sentence = gettext(
            "%(number)s of them can read your text once they open the link in that email and confirm.",
            number=f"{emailed.waiting:,}",
        )
    return f" {sentence}"


def thumb_of(pet: InboxAnimal) -> Thumb:
    photo = small_file_of(pet.digest, pet.width) if pet.digest else ""
    return Thumb(pet.name, pet.status, photo, SPECIES_BY_ID[pet.category_id].placeholder, pet.id)


def shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= WHY_SHOWN else f"{words[:WHY_SHOWN].rsplit(' ', 1)[0]}…"


def answers_for_staff(application: Application) -> list[tuple[str, str]]:
    unanswered = gettext("Not answered")
    household = [gettext(COMPANY[company]) for company in application.household.split()]
    company = join_names(household or [gettext("none of the choices ticked")])
    standard = {
        "home": (gettext("Home"), HOMES.get(application.home, unanswered)),
        "household": (gettext("Lives with"), capitalise(company)),
    }
    return [
        *(pair for question, pair in standard.items() if application.was_asked(question)),
        *((question, answer or unanswered) for question, answer in application.own_answer_pairs),
    ]


def excerpt_of(application: Application) -> str:
    """The answer that tells most: why, or the first that was given to a question of the shelter's own."""
    own = (answer for _, answer in application.own_answer_pairs if answer)
    return shortened(application.why or next(own, ""))


STEPS = {
    "placed": (message("Applied"), "done"),
    "approved": (message("Approved"), "done"),
    "completed": (message("Adopted"), "done"),
    "declined": (message("Declined"), "closed"),
    "withdrawn": (message("Withdrawn"), "closed"),
    "returned": (message("Returned"), "closed"),
    "assigned": (message("Assigned"), "done"),
}


class ShownEvent(NamedTuple):
    """A step of the history, as the timeline shows it."""

    title: str
    by: str
    when: Any
    state: str


def shown_history(steps: list[OrderStep], names: Mapping[str, str], now: datetime) -> list[ShownEvent]:
    shown, before = [], ""
    for step in steps:
        title, state = event_title(step, before, names), STEPS[step.event][1]
        shown.append(
            ShownEvent(title, by_whom(step.actor, names), day_and_time(step.at, now, capitalised=True), state)
        )
        before = before if step.event == "assigned" else step.event
    return shown


def by_whom(actor: str, names: Mapping[str, str]) -> str:
    if actor in ("", HOMEWARD):
        return ""
    if actor == APPLICANT:
        return gettext("by the applicant")
    return gettext("by %(name)s", name=names[actor])


def event_title(step: OrderStep, before: str, names: Mapping[str, str]) -> str:
    """Return what a step is called after the decision ``before`` it."""
    if step.event == "assigned":
        if not step.detail:
            return gettext("Assigned to no one")
        return gettext("Assigned to %(name)s", name=names[step.detail])
    if before == "declined" and step.event in ("placed", "approved"):
        return gettext("Decline undone")
    if step.event == "placed" and before:
        return gettext("Approval undone")
    if step.event == "placed" and step.actor not in ("", APPLICANT):
        return gettext("Marked as not spam")
    if step.event == "withdrawn" and step.actor == HOMEWARD:
        return gettext("Closed, since it was not decided in time")
    if step.event == "declined" and step.actor == HOMEWARD:
        return gettext("Declined because another home was chosen")
    return gettext(STEPS[step.event][0])
