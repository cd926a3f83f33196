"""The question before an animal with open applications is marked as adopted by hand."""

from collections.abc import Collection
from typing import NamedTuple

from adoption.accounts.access import Place
from adoption.database import reading
from adoption.orders.homing import Adopted, Applicant, applicants_of
from adoption.words import listed
from portal.words import counted

SHOWN_MOST = 12
"""Applicants that are listed by name; more are counted."""


class Question(NamedTuple):
    """What staff are asked: whether to write to the applicants and close their applications."""

    title: str
    people: list[Applicant]
    more: int
    """Applicants that are not listed."""
    approved: list[Applicant]
    waiting: int
    """How many applications would be closed."""


def question_for(place: Place, animal_ids: Collection[int]) -> Question | None:
    """None where nobody has an open application for these animals."""
    with reading() as session:
        people = applicants_of(session, place.project.id, animal_ids)
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
    return Question(title, shown, len(people) - len(shown), approved, waiting)


def told_in_words(adopted: Adopted, waiting: int) -> str:
    """What was done with the applications, and that undoing the status does not undo it."""
    if not waiting:
        return ""
    one = waiting == 1
    closed = f"{counted(waiting, 'application')} {'was' if one else 'were'} closed and "
    mails = f"{counted(adopted.told, 'email')} {'was' if adopted.told == 1 else 'were'} sent"
    return f"{closed}{mails}; Undo changes only the status."
