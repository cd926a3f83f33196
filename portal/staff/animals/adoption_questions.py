"""The question before an animal with open applications is marked as adopted by hand."""

from collections.abc import Collection
from typing import NamedTuple

from flask import request

from adoption.accounts.access import ProjectAccess
from adoption.animals.editing import OpenedAnimal
from adoption.orders.manual_adoptions import (
    ManualAdoption,
    OpenApplicant,
    list_open_applicants,
    suggested_text_to_applicants,
)
from adoption.storage.database import reading
from adoption.text_joining import listed
from portal.labels import counted
from portal.staff.animals.forms import AnimalForm
from portal.staff.applications.decision_forms import EmailToOthersForm
from portal.staff.applications.labels import later_readers_in_words, unconfirmed_in_words
from portal.staff.applications.pages import desk_of

SHOWN_MOST = 12
"""Applicants that are listed by name; more are counted."""


class ClosingQuestion(NamedTuple):
    """What staff are asked: whether to write to the applicants and close their applications."""

    title: str
    people: list[OpenApplicant]
    more: int
    """Applicants that are not listed."""
    approved: list[OpenApplicant]
    waiting: int
    """How many applications would be closed."""
    emailed: int
    """To how many of them the email can be sent."""
    unconfirmed: str
    """What happens to the staff's words if some of them have not opened an email from us yet."""

    @property
    def recipients(self) -> str:
        return "the applicant" if self.emailed == 1 else counted(self.emailed, "applicant")


def question_for(access: ProjectAccess, animal_ids: Collection[int]) -> ClosingQuestion | None:
    """None where nobody has an open application for these animals."""
    with reading() as session:
        people = list_open_applicants(session, access.project.id, animal_ids)
    if not people:
        return None
    names = list(dict.fromkeys(name for each in people for name in each.animals))
    animals = listed(names) if len(names) <= 3 else f"{len(names):,} of these animals"
    number = counted(len(people), "person has", "people have")
    verb = "have" if len(names) > 1 else "has"
    approved = [each for each in people if each.is_approved]
    waiting = len(people) - len(approved)
    tell = "them" if len(people) > 1 else people[0].name or "them"
    ending = f" Tell {tell} that {animals} {verb} found a home?" if waiting else ""
    shown = people[:SHOWN_MOST]
    title = f"{number} applied for {animals}.{ending}"
    emailed = [each for each in people if each.has_email and not each.is_approved]
    unconfirmed = unconfirmed_in_words(sum(not each.is_confirmed for each in emailed), len(emailed))
    return ClosingQuestion(
        title, shown, len(people) - len(shown), approved, waiting, len(emailed), unconfirmed
    )


def suggested_closing_form(access: ProjectAccess, animal_ids: Collection[int]) -> EmailToOthersForm:
    """Return the email that the question offers."""
    text = suggested_text_to_applicants(desk_of(access), animal_ids)
    return EmailToOthersForm(tell_others=True, words_to_others=text)


def sent_email() -> EmailToOthersForm | None:
    """Return the email that was sent with the form; None where the form had none."""
    return EmailToOthersForm(request.form) if "words_to_others" in request.form else None


def adoption_question(
    access: ProjectAccess, form: AnimalForm, opened: OpenedAnimal, email: EmailToOthersForm | None
) -> ClosingQuestion | None:
    """Return what to ask before the animal is marked as adopted; None if there is nothing to ask.

    It is asked again if the ``email`` that came with the answer has to be corrected.
    """
    is_right = email is not None and email.validate()
    becomes_adopted = form.texts["status"] == "sold" and opened.values["status"] != "sold"
    if not becomes_adopted or form.tell == "no" or is_right:
        return None
    return question_for(access, [opened.id])


def told_in_words(adopted: ManualAdoption, waiting: int) -> str:
    """What was done with the applications, and that undoing the status does not undo it."""
    if not waiting:
        return ""
    one = waiting == 1
    closed = f"{counted(waiting, 'application')} {'was' if one else 'were'} closed and "
    told = adopted.emailed.number
    number = counted(told, "email") if told else "no email"
    mails = f"{number} {'were' if told > 1 else 'was'} sent.{later_readers_in_words(adopted.emailed)}"
    return f"{closed}{mails} Undo changes only the status."
