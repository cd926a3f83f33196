"""Labels and sentences about applications for the staff: states, answers and empty lists."""

from typing import NamedTuple

from adoption.orders.email_templates import COMPANY
from adoption.orders.models import Application
from adoption.orders.rival_applications import RivalCase
from adoption.orders.staff_written_emails import Emailed
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext
from portal.animal_labels import SPECIES_BY_ID
from portal.capitalization import capitalise
from portal.translated_labels import Labels

HOMES = Labels({"own": message("Owns their home"), "rent": message("Rents their home")})
NO_FORM, ERASED = message("No application form"), message("Data deleted")


class Mark(NamedTuple):
    """A tag that shows the state of an application."""

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
    """Return the tag of a state, with a translated label."""
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


def species_label(category_id: int) -> str:
    return SPECIES_BY_ID[category_id].one.capitalize()


def applicant_label(application: Application | None) -> str:
    if application is None:
        return gettext(NO_FORM)
    return gettext(ERASED) if application.forgotten_at else application.name


def promise_sentence(promise: RivalCase) -> str:
    """Return a sentence that warns about another approved application."""
    return f"{promise}."


def unconfirmed_in_words(unconfirmed: int, emailed: int) -> str:
    """Return what happens to the staff's text for applicants who have not confirmed their address.

    Empty if all applicants have confirmed their email address.
    """
    if not unconfirmed:
        return ""
    if emailed == 1:
        return gettext(
            "The applicant has not confirmed their email address yet. If you change this text, our email has "
            "only a standard sentence about the decision. They can read your text once they open the link in "
            "that email and confirm."
        )
    return ngettext(
        "%(num)s of these %(emailed)s applicants has not confirmed their email address yet. If you change "
        "this text, their email has only a standard sentence about the decision. They can read your text "
        "once they open the link in that email and confirm.",
        "%(num)s of these %(emailed)s applicants have not confirmed their email address yet. If you change "
        "this text, their email has only a standard sentence about the decision. They can read your text "
        "once they open the link in that email and confirm.",
        unconfirmed,
        emailed=f"{emailed:,}",
    )


def later_readers_in_words(emailed: Emailed) -> str:
    """Return a sentence about applicants who must confirm their address before they can read the text.

    Empty if all emailed applicants can read the text now.
    """
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
