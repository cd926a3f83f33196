"""What is written to applicants and shelters. Each gives a subject and a text."""

import textwrap
from datetime import datetime
from typing import NamedTuple

from adoption.mail.messages import one_line
from adoption.mail.wording import letter, lines, wrapped
from adoption.orders.models import Application
from adoption.words import listed

HOMES = {"own": "owns it", "rent": "rents it"}
COMPANY = {"young": "children under 8", "older": "children 8 and over", "cats": "cats", "dogs": "dogs"}


class Places(NamedTuple):
    """Where letters lead to, on the host that the form was on."""

    animal: str
    """The whole address of the animal's page."""
    applications: str
    """That of applications, which a token completes."""


def confirmation(names: list[str], shelter: str, answered: bool, link: str) -> tuple[str, str]:
    """To the address that was given. It may be another person's, so nothing that was typed in stands here."""
    animals = listed(names)
    return f"Your application for {animals}", letter(
        f"Thank you for applying to adopt {animals}. {shelter} has your application.",
        f"What happens next: {shelter} reads your answers and then writes to you at this address, "
        "or calls if you left a number. Several people may apply; the shelter chooses the home that suits "
        f"{animals} best.",
        "Follow your application, or withdraw it, at your private link:",
        link,
        "Keep the link to yourself: whoever has it can see and withdraw your application.",
        f"Is anything unclear? Answer this mail, and it goes to {shelter}." if answered else "",
        "If you did not apply, somebody mistyped their address. Open the link and withdraw the application.",
    )


def homed(
    names: list[str], shelter: str, answered: bool, similar: list[tuple[str, str]], others: str
) -> tuple[str, str]:
    """To somebody else who had applied. ``similar`` are animals that wait, each with its page's address."""
    animals = listed(names)
    have = "has" if len(names) == 1 else "have"
    waiting = [f"{name}\n    {address}" for name, address in similar]
    return f"{animals} {have} found a home", letter(
        f"You applied to adopt {animals}. {animals} {have} now found a home with somebody else, "
        "so your application is closed and you need do nothing more.",
        f"Thank you for offering a home. {shelter} had to choose one of several, and that says nothing "
        "against yours.",
        "These are still waiting, and you may apply for any of them:" if waiting else "",
        *waiting,
        f"All who wait at {shelter}:",
        others,
        *asking(shelter, answered),
    )


def again(names: list[str], shelter: str, answered: bool, link: str) -> tuple[str, str]:
    """To an address that has applied already. Somebody else may have typed it, and learns nothing."""
    animals = listed(names)
    return f"You have already applied for {animals}", letter(
        f"Somebody has just applied for {animals} with your email address. You had applied already, and "
        f"that application stands. {shelter} sees what was sent now beside it.",
        "Follow your application, or withdraw it, at your private link:" if link else "",
        link,
        "If it was not you, you need do nothing.",
        *asking(shelter, answered),
    )


def asking(shelter: str, answered: bool) -> list[str]:
    return [f"Is anything unclear? Answer this mail, and it goes to {shelter}."] if answered else []


def news(application: Application, names: list[str], case: str, animal: str) -> tuple[str, str]:
    """Return the email to the shelter about a new application. ``case`` is its staff page's address."""
    animals, name = listed(names), one_line(application.name)
    return f"{name} has applied for {animals}", letter(
        f"{name} would like to adopt {animals}.",
        "Open the application to approve or decline it, or to add a note:",
        case,
        lines(*short_answers(application)),
        f"Why {animals} would suit their home:" if application.why else "",
        textwrap.indent(wrapped(application.why), "    "),
        *own_answers(application),
        f"The page of {names[0]}:",
        animal,
        f"Reply to this email to contact {name}. To decide, open the application: a reply does not do that.",
    )


def short_answers(application: Application) -> list[str]:
    household = [COMPANY[each] for each in application.household.split()]
    standard = {
        "phone": f"Phone      {application.phone or 'not given'}",
        "home": f"Home       {HOMES.get(application.home, 'not given')}",
        "household": f"Lives with {', '.join(household) or 'no children, cats or dogs'}",
    }
    asked = [text for question, text in standard.items() if application.was_asked(question)]
    return [f"Email      {application.email}", *asked]


def own_answers(application: Application) -> list[str]:
    """The answers to the shelter's own questions, each below its question."""
    return [
        part
        for question, answer in application.own_answer_pairs
        for part in (wrapped(question), textwrap.indent(wrapped(answer or "Not answered"), "    "))
    ]


def withdrawal(application: Application, names: list[str], case: str, animal: str) -> tuple[str, str]:
    """Return the email to the shelter about a withdrawn application."""
    animals, name = listed(names), one_line(application.name)
    sent = f"{application.created_at:%d %B %Y}".lstrip("0")
    return f"{name} has withdrawn the application for {animals}", letter(
        f"{name} no longer wants to adopt {animals}, and has withdrawn the application of {sent}.",
        "You need do nothing. Other applications have not changed.",
        "The application:",
        case,
        f"The page of {names[0]}:",
        animal,
    )


def held_digest(count: int, link: str) -> tuple[str, str]:
    """Return the daily email to the shelter about held applications. Nothing from them is in it."""
    one = count == 1
    return f"{count} application{' is' if one else 's are'} held as possible spam", letter(
        f"{'An application looks' if one else f'{count} applications look'} like spam, so "
        f"{'it is' if one else 'they are'} not in your inbox. Real applicants are held by mistake now and "
        f"then. Open {'it' if one else 'them'} and choose whether to keep or delete "
        f"{'it' if one else 'each'}:",
        link,
        "Until then the applicant only knows that the application has to be checked.",
        "We send this email at most once a day, and only when new applications are held.",
    )


def erasure_notice(count: int, on: datetime, link: str) -> tuple[str, str]:
    """Return the email to the shelter about undecided applications that are erased on a day."""
    one, day = count == 1, f"{on:%d %B %Y}".lstrip("0")
    return f"{count} undecided application{'' if one else 's'} will be erased on {day}", letter(
        f"{'An application has' if one else f'{count} applications have'} been waiting for a decision for a "
        f"long time. On {day} we close {'it' if one else 'them'} and erase the answers, names and "
        "contact details, because personal data may not be kept for longer than it is needed.",
        f"To keep {'it' if one else 'an application'} for longer, decide it first. Your oldest applications:",
        link,
        "The status of the animals does not change.",
    )
