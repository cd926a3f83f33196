"""Emails to an applicant about a decision. Staff can edit each text before it is sent."""

from collections.abc import Callable
from typing import NamedTuple

from adoption.mail.text_layout import join_lines, join_paragraphs
from adoption.orders.decision_audit import Roots
from adoption.orders.email_templates import asking
from adoption.orders.outcomes import outcome_text
from adoption.orders.queries import ShelterContact
from adoption.text_joining import listed


class Sender(NamedTuple):
    """The shelter as an email to an applicant names it."""

    name: str
    takes_replies: bool
    animals: str
    """The whole address of its animals' page; empty while its site is offline."""


ANIMALS = "[animals]"
"""In the text of an email to many: replaced by the names of the animals that each applied for."""


def decision_sender(shelter: ShelterContact, roots: Roots) -> Sender:
    return Sender(shelter.name, bool(shelter.contact_email), roots.shelter)


SUBJECTS = {
    "approved": "Your application for {} is approved",
    "placed": "Your application for {} is being reviewed again",
    "completed": "The adoption of {} is complete",
    "declined": "Your application for {}",
    "returned": "The return of {}",
}
"""By the state that the application comes to. ``homed`` has the title of its outcome."""


def suggested_text(to: str, names: list[str], sender: Sender) -> str:
    """Return the text that staff are offered for an application that comes to state ``to``."""
    return compose_text(PARAGRAPHS[to](listed(names), len(names) == 1, sender), sender)


def compose_text(paragraphs: list[str], sender: Sender) -> str:
    questions = ["Questions? Reply to this email."] if sender.takes_replies else []
    return "\n\n".join(("Hello,", *paragraphs, *questions, f"With kind regards,\n{sender.name}"))


def suggested_text_to_others(similar: list[tuple[str, str]], sender: Sender) -> str:
    """Return the text that staff are offered for applicants whose animals someone else has adopted.

    ``similar`` are available animals, each with its page's address.
    """
    return compose_text(
        [
            outcome_text("homed", [ANIMALS], sender.name).sentence,
            *(["These animals still need a home, and you can apply for any of them:"] if similar else []),
            *(join_lines(name, address) for name, address in similar),
            *link_to_all(sender),
        ],
        sender,
    )


def link_to_all(sender: Sender) -> list[str]:
    if not sender.animals:
        return []
    return ["You are welcome to apply for any of our other animals:", sender.animals]


def fill_in(words: str, names: list[str]) -> str:
    """Return an email to many as it is sent to an applicant for these animals."""
    return words.replace(ANIMALS, listed(names))


def approval_paragraphs(animals: str, one: bool, sender: Sender) -> list[str]:
    return [
        f"Good news: {sender.name} has approved your application for {animals}.",
        f"We will be in touch to arrange a meeting and the day on which {animals} can come home with you. "
        f"Until then {'the page' if one else 'the pages'} of {animals} will say that an adoption is pending.",
    ]


def second_review_paragraphs(animals: str, _one: bool, _sender: Sender) -> list[str]:
    return [
        f"We told you that your application for {animals} was approved. We are sorry to say that we have "
        "to review it again, so it is not approved at the moment.",
        "You do not need to do anything. We will write to you when we have decided.",
    ]


def completion_paragraphs(animals: str, _one: bool, _sender: Sender) -> list[str]:
    return [
        f"The adoption of {animals} is complete. Thank you for giving {animals} a home.",
        "Give it time: most animals need a few days to settle, and a few weeks to feel at home.",
        "If anything worries you, please contact us early. We are happy to help.",
    ]


def decline_paragraphs(animals: str, _one: bool, sender: Sender) -> list[str]:
    return [
        f"Thank you for applying to adopt {animals}, and for telling us about your home.",
        "We have considered it carefully, and we won't be taking your application further. This is no "
        "reflection on you or your home: we look for the place that suits each animal best, and often "
        "several good homes apply for the same one.",
        *link_to_all(sender),
    ]


def return_paragraphs(animals: str, one: bool, _sender: Sender) -> list[str]:
    return [
        f"{animals} {'is' if one else 'are'} back with us, and we have recorded the return.",
        "Thank you for trying, and for telling us. You are welcome to apply for another animal.",
    ]


PARAGRAPHS: dict[str, Callable[[str, bool, Sender], list[str]]] = {
    "approved": approval_paragraphs,
    "placed": second_review_paragraphs,
    "completed": completion_paragraphs,
    "declined": decline_paragraphs,
    "returned": return_paragraphs,
}


def fixed_email(to: str, names: list[str], shelter: str, answered: bool, link: str) -> tuple[str, str]:
    """Return the email about a decision to an applicant who reads the staff's words at their private link."""
    return decision_subject(to, names), join_paragraphs(
        "Hello,",
        outcome_text(to, names, shelter).sentence,
        f"{shelter} has written you a message about this. Read it at your private link:",
        link,
        "Keep the link to yourself: anyone with it can follow your application.",
        *asking(shelter, answered),
        "If you did not apply, someone mistyped their address. You do not need to do anything.",
    )


def decision_subject(to: str, names: list[str]) -> str:
    return outcome_text("homed", names, "").title if to == "homed" else SUBJECTS[to].format(listed(names))


def decision_email(to: str, names: list[str], words: str, link: str) -> tuple[str, str]:
    """Return the subject and text of the email with the staff's words.

    ``link`` is the applicant's private page. It is added where the application stays open; staff do not see
    it.
    """
    is_open = to in ("approved", "placed") and link
    return decision_subject(to, names), join_paragraphs(
        words,
        "Follow your application, or withdraw it, at your private link:" if is_open else "",
        link if is_open else "",
    )
