"""What each answer in an application may hold. A ValueError tells what is wrong, and the mend."""

from typing import NamedTuple

from adoption import fields

NAME_LONGEST = 200
WHY_LONGEST = 5_000
MAIL_LONGEST = 5_000

HOMES = ("own", "rent")
COMPANY = ("young", "older", "cats", "dogs")
"""Who may live with the applicant: children under 8, children of 8 and over, cats, dogs."""


class Answers(NamedTuple):
    """An application as it was filled in; its values have passed the functions below."""

    name: str
    email: str
    phone: str
    home: str
    household: tuple[str, ...]
    why: str


def applicant(text: str) -> str:
    name = fields.line(text, NAME_LONGEST, "your name")
    if not name:
        raise ValueError("Enter your name, so that the shelter knows who is writing")
    return name


def email(text: str) -> str:
    if not text.strip():
        raise ValueError("Enter your email address, so that the shelter can answer")
    return fields.email(text)


def home(text: str) -> str:
    if text not in HOMES:
        raise ValueError("Choose whether you own or rent your home")
    return text


def why(text: str, animal: str) -> str:
    words = fields.no_longer_than(WHY_LONGEST, fields.several_lines(text), "this")
    if not words:
        raise ValueError(f"Tell us why you would like to adopt {animal}")
    return fields.refusing_controls(words, "your answer")


def mail(text: str) -> str:
    """What staff write to an applicant, in their own words."""
    words = fields.lines(text, MAIL_LONGEST, "the mail")
    if not words:
        raise ValueError("Write the mail, or untick that it is sent")
    return words
