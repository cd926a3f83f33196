"""What is written to applicants and shelters. Each gives a subject and a text."""

import textwrap
from typing import NamedTuple

from adoption.mail.messages import one_line
from adoption.orders.models import Application

HOMES = {"own": "owns it", "rent": "rents it"}
COMPANY = {"young": "children under 8", "older": "children 8 and over", "cats": "cats", "dogs": "dogs"}
WIDTH = 72


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


def news(application: Application, names: list[str], animal: str) -> tuple[str, str]:
    """To the shelter: who applied, and with which words."""
    animals, name = listed(names), one_line(application.name)
    household = [COMPANY[each] for each in application.household.split()]
    return f"{name} has applied for {animals}", letter(
        f"{name} would like to adopt {animals}.",
        lines(
            f"Email      {application.email}",
            f"Phone      {application.phone or 'not given'}",
            f"Home       {HOMES[application.home]}",
            f"Lives with {', '.join(household) or 'nobody that was ticked'}",
        ),
        f"Why {animals} would suit their home:",
        textwrap.indent(wrapped(application.why), "    "),
        f"The page of {names[0]}:",
        animal,
        f"Answer this mail and it goes to {name}.",
    )


def withdrawal(application: Application, names: list[str], animal: str) -> tuple[str, str]:
    """To the shelter."""
    animals, name = listed(names), one_line(application.name)
    sent = f"{application.created_at:%d %B %Y}".lstrip("0")
    return f"{name} has withdrawn the application for {animals}", letter(
        f"{name} no longer wishes to adopt {animals}, and has withdrawn the application of {sent}.",
        "You need do nothing. Other applications stand as they were.",
        f"The page of {names[0]}:",
        animal,
    )


def letter(*parts: str) -> str:
    return "\n\n".join(part if "\n" in part else wrapped(part) for part in parts if part) + "\n"


def lines(*told: str) -> str:
    return "\n".join(told)


def wrapped(text: str) -> str:
    """Each line of the text in lines of a mail's width; words, and so links, stay whole."""
    return "\n".join(
        textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )


def listed(names: list[str]) -> str:
    """Such as "Biscuit, Crumble and Juno"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
