"""Emails to an applicant about a decision. Staff can edit each text before it is sent."""

from adoption.mail.text_layout import join_lines, join_paragraphs
from adoption.orders.email_templates import KEEP_LINK, follow_at, invite_questions
from adoption.orders.outcomes import outcome_text
from adoption.orders.queries import ShelterContact
from adoption.text_joining import listed

ANIMALS = "[animals]"
"""In the text of an email to many: replaced by the names of the animals that each applied for."""


SUBJECTS = {
    "approved": "Your application for {} is approved",
    "placed": "Your application for {} is being reviewed again",
    "completed": "The adoption of {} is complete",
    "declined": "Your application for {}",
    "returned": "The return of {}",
}
"""By the new state of the application. The title of the outcome ``homed`` is the subject of its email."""

SUGGESTED = {
    "approved": """\
Good news: {shelter} has approved your application for {animals}.

We will be in touch to arrange a meeting and the day on which {animals} can come home with you. Until then \
{page} of {animals} will say that an adoption is pending.""",
    "placed": """\
Your application for {animals} was approved. We are sorry to say that we have to review it again, so it is \
not approved at the moment.

You do not need to do anything. We will write to you when we have decided.""",
    "completed": """\
The adoption of {animals} is complete. Thank you for giving {animals} a home.

Give it time: most animals need a few days to settle, and a few weeks to feel at home.

If anything worries you, please contact us early. We are happy to help.""",
    "declined": """\
Thank you for applying to adopt {animals}, and for telling us about your home.

We have considered it carefully, and we won't be taking your application further. This is no reflection on \
you or your home: we look for the home that suits each animal best, and often several good homes apply for \
the same one.""",
    "returned": """\
{animals} {is_or_are} back with us, and we have recorded the return.

Thank you for trying, and for telling us. You are welcome to apply for another animal.""",
}
"""By the new state of the application."""


def suggested_text(to: str, names: list[str], shelter: ShelterContact) -> str:
    """Return the text that staff are offered for an application that changes to state ``to``."""
    one = len(names) == 1
    values = {"page": "the page" if one else "the pages", "is_or_are": "is" if one else "are"}
    text = SUGGESTED[to].format_map(values | {"animals": listed(names), "shelter": shelter.name})
    return compose_text([text, *(link_to_all(shelter) if to == "declined" else [])], shelter)


def compose_text(paragraphs: list[str], shelter: ShelterContact) -> str:
    questions = ["Questions? Reply to this email."] if shelter.contact_email else []
    return "\n\n".join(("Hello,", *paragraphs, *questions, f"With kind regards,\n{shelter.name}"))


def suggested_text_to_others(similar: list[tuple[str, str]], shelter: ShelterContact) -> str:
    """Return the text that staff are offered for applicants whose animals someone else has adopted.

    ``similar`` are available animals, each with its page's address.
    """
    return compose_text(
        [
            outcome_text("homed", [ANIMALS], shelter.name).sentence,
            *(["These animals still need a home, and you can apply for any of them:"] if similar else []),
            *(join_lines(name, address) for name, address in similar),
            *link_to_all(shelter),
        ],
        shelter,
    )


def link_to_all(shelter: ShelterContact) -> list[str]:
    link = shelter.animals_link
    return ["You are welcome to apply for any of our other animals:", link] if link else []


def fill_in(text: str, names: list[str]) -> str:
    """Return an email to many as it is sent to an applicant for these animals."""
    return text.replace(ANIMALS, listed(names))


def fixed_email(to: str, names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return the email about a decision to an applicant whose private page has the staff's text."""
    return decision_subject(to, names), join_paragraphs(
        "Hello,",
        outcome_text(to, names, shelter.name).sentence,
        f"{shelter.name} has written you a message about this. Read it at your private link:",
        link,
        KEEP_LINK,
        *invite_questions(shelter),
        "If you did not apply, someone mistyped their address. You do not need to do anything.",
    )


def decision_subject(to: str, names: list[str]) -> str:
    return outcome_text("homed", names, "").title if to == "homed" else SUBJECTS[to].format(listed(names))


def decision_email(to: str, names: list[str], text: str, link: str) -> tuple[str, str]:
    """Return the email with the staff's text.

    ``link`` is the applicant's private page, which staff do not see. It is added while the application is
    open.
    """
    is_open = to in ("approved", "placed")
    return decision_subject(to, names), join_paragraphs(text, *(follow_at(link) if is_open else []))
