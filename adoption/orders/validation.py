"""Validation of the answers in an application. Each ValueError says how to fix the answer."""

from typing import NamedTuple

from adoption import validation
from adoption.projects.adoption_forms import STANDARD_LABELS, AdoptionQuestion
from adoption.translations import gettext

NAME_LONGEST = 200
WHY_LONGEST = 5_000
MAIL_LONGEST = 5_000

HOMES = ("own", "rent")
COMPANY = ("young", "older", "cats", "dogs")
"""The choices for the household: children under 8, children of 8 and over, cats, dogs."""


class Answers(NamedTuple):
    """The answers in an application, validated by the functions below."""

    name: str
    email: str
    phone: str
    home: str
    household: tuple[str, ...]
    why: str
    asked: tuple[str, ...] = tuple(STANDARD_LABELS)
    """The standard questions on the form. The answers to other standard questions are empty."""
    own_answers: tuple[tuple[str, str], ...] = ()
    """The shelter's own questions as they were asked, with the answers."""


def check_applicant_name(text: str) -> str:
    name = validation.validate_line(text, NAME_LONGEST, gettext("your name"))
    if not name:
        raise ValueError(gettext("Enter your name, so that the shelter knows who is writing"))
    return name


def check_applicant_email(text: str) -> str:
    if not text.strip():
        raise ValueError(gettext("Enter your email address, so that the shelter can reply"))
    return validation.validate_email_address(text)


def check_home(text: str) -> str:
    if text not in HOMES:
        raise ValueError(gettext("Choose whether you own or rent your home"))
    return text


def check_why(text: str, animal: str) -> str:
    this = gettext("this")
    plain = validation.several_lines(validation.strip_bounded(WHY_LONGEST, text, this))
    words = validation.require_length(WHY_LONGEST, plain, this)
    if not words:
        raise ValueError(gettext("Tell us why you would like to adopt %(animal)s", animal=animal))
    return validation.refuse_controls(words, gettext("your answer"))


OWN_ANSWER_LONGEST = 2_000
YES_NO = {"yes": "Yes", "no": "No"}


def check_own_answer(text: str, question: AdoptionQuestion) -> str:
    """Return the answer to one of the shelter's own questions, in words; empty if there is no answer."""
    answer = validation.validate_lines(text, OWN_ANSWER_LONGEST, gettext("your answer"))
    if not answer:
        if not question.is_required:
            return ""
        if question.kind == "text":
            raise ValueError(gettext("Answer “%(question)s”", question=question.label))
        raise ValueError(gettext("Choose an answer to “%(question)s”", question=question.label))
    if question.kind == "yes_no":
        if answer not in YES_NO:
            raise ValueError(gettext("Choose Yes or No for “%(question)s”", question=question.label))
        return YES_NO[answer]
    if question.kind == "choice" and answer not in question.options:
        raise ValueError(gettext("Choose one of the options for “%(question)s”", question=question.label))
    return answer


def check_email_text(text: str) -> str:
    """Return the cleaned text of an email to an applicant."""
    words = validation.validate_lines(text, MAIL_LONGEST, gettext("the email"))
    if not words:
        raise ValueError(gettext("Write the email, or untick the box above"))
    return words
