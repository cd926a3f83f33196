"""The question before staff mark an animal with open applications as adopted."""

from collections.abc import Collection
from typing import NamedTuple

from flask import request

from adoption.accounts.project_access import ProjectAccess
from adoption.animals.staff_edits import OpenedAnimal
from adoption.orders.manual_adoptions import (
    ManualAdoption,
    OpenApplicant,
    list_open_applicants,
    suggested_text_to_applicants,
)
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext, ngettext
from portal.staff.animals.animal_form import AnimalForm
from portal.staff.animals.bulk_change_notices import NAMES_MOST
from portal.staff.applications.decision_forms import EmailToOthersForm
from portal.staff.applications.labels import later_readers_in_words, unconfirmed_in_words
from portal.staff.change_authors import staff_member_of

SHOWN_MOST = 12
"""The maximum of applicants whom the question names. Further applicants are only counted."""


class ClosingQuestion(NamedTuple):
    """The question whether to email the applicants and close their applications."""

    title: str
    people: list[OpenApplicant]
    more: int
    """The number of applicants who are not in ``people``."""
    approved: list[OpenApplicant]
    """The applicants with approved applications, which stay open."""
    waiting: int
    """The number of applications that would be closed: all open applications that are not approved."""
    emailed: int
    """The number of applicants who would get an email."""
    unconfirmed: str
    """A sentence about applicants who have not confirmed their email address yet: what happens to the
    text."""

    @property
    def recipients(self) -> str:
        return ngettext("Email the applicant", "Email %(num)s applicants", self.emailed)


def question_for(access: ProjectAccess, animal_ids: Collection[int]) -> ClosingQuestion | None:
    """Return the question about these animals; None if no one has an open application for them."""
    with reading() as session:
        people = list_open_applicants(session, access.project.id, animal_ids)
    if not people:
        return None
    names = list(dict.fromkeys(name for each in people for name in each.animals))
    animals = names_in_question(names)
    approved = [each for each in people if each.is_approved]
    waiting = len(people) - len(approved)
    shown = people[:SHOWN_MOST]
    title = ngettext(
        "%(num)s person has applied for %(animals)s.",
        "%(num)s people have applied for %(animals)s.",
        len(people),
        animals=animals,
    )
    if waiting:
        title += f" {email_question(people, names)}"
    emailed = [each for each in people if each.has_email and not each.is_approved]
    unconfirmed = unconfirmed_in_words(sum(not each.is_confirmed for each in emailed), len(emailed))
    return ClosingQuestion(
        title, shown, len(people) - len(shown), approved, waiting, len(emailed), unconfirmed
    )


def names_in_question(names: list[str]) -> str:
    if len(names) <= NAMES_MOST:
        return join_names(names)
    return ngettext("%(num)s of these animals", "%(num)s of these animals", len(names))


def email_question(people: list[OpenApplicant], names: list[str]) -> str:
    """Return the question whether to email the applicants.

    If there is only one applicant, the question contains the applicant's name.
    """
    number, animals = len(names), names_in_question(names)
    if len(people) == 1 and people[0].name:
        return ngettext(
            "Tell %(applicant)s that %(animals)s has found a home?",
            "Tell %(applicant)s that %(animals)s have found a home?",
            number,
            applicant=people[0].name,
            animals=animals,
        )
    return ngettext(
        "Tell them that %(animals)s has found a home?",
        "Tell them that %(animals)s have found a home?",
        number,
        animals=animals,
    )


def suggested_closing_form(access: ProjectAccess, animal_ids: Collection[int]) -> EmailToOthersForm:
    """Return the form with the suggested email to the applicants."""
    text = suggested_text_to_applicants(staff_member_of(access), animal_ids)
    return EmailToOthersForm(tell_others=True, words_to_others=text)


def sent_email() -> EmailToOthersForm | None:
    """Return the email fields of the current request; None if the request contains no email."""
    return EmailToOthersForm(request.form) if "words_to_others" in request.form else None


def adoption_question(
    access: ProjectAccess, form: AnimalForm, opened: OpenedAnimal, email: EmailToOthersForm | None
) -> ClosingQuestion | None:
    """Return the question to ask before the edit is saved; None if there is no question to ask.

    There is no question if the edit does not mark the animal as adopted, or if the user has already answered.
    If the user's ``email`` contains errors, the question is asked again.
    """
    is_right = email is not None and email.validate()
    becomes_adopted = form.texts["status"] == "sold" and opened.values["status"] != "sold"
    if not becomes_adopted or form.tell == "no" or is_right:
        return None
    return question_for(access, [opened.id])


def closing_result(adopted: ManualAdoption, waiting: int) -> str:
    """Return sentences about the number of closed applications and of sent emails.

    The text also warns that an undo of the status does not open the applications again.
    """
    if not waiting:
        return ""
    closed = ngettext(
        "%(num)s application was closed.",
        "%(num)s applications were closed.",
        waiting,
    )
    emailed = adopted.emailed.number
    sent = ngettext("%(num)s email was sent.", "%(num)s emails were sent.", emailed)
    emails = (sent if emailed else gettext("No email was sent.")) + later_readers_in_words(adopted.emailed)
    return " ".join([closed, emails, gettext("Undo changes only the status.")])
