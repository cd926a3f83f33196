"""Emails to an applicant about a decision. Staff can edit each text before it is sent."""

from adoption.mail.text_layout import join_paragraphs
from adoption.orders.email_templates import KEEP_LINK, follow_at, invite_questions
from adoption.orders.outcome_texts import outcome_text
from adoption.orders.shelter_contacts import ShelterContact
from adoption.text_joining import join_names
from adoption.translations import gettext, message

SUBJECTS = {
    "approved": message("Your application for %(animals)s is approved"),
    "placed": message("Your application for %(animals)s is being reviewed again"),
    "completed": message("The adoption of %(animals)s is complete"),
    "declined": message("Your application for %(animals)s"),
    "returned": message("The return of %(animals)s"),
}
"""The subjects of emails, by the application's new state.

For the state ``homed``, the subject is the title of the outcome.
"""


def fixed_email(to: str, names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return an email with fixed sentences about a decision.

    The staff's text is on the applicant's private page.
    """
    return decision_subject(to, names), join_paragraphs(
        gettext("Hello,"),
        outcome_text(to, names, shelter.name).sentence,
        gettext(
            "%(shelter)s has written you a message about this. Read it at your private link:",
            shelter=shelter.name,
        ),
        link,
        gettext(KEEP_LINK),
        *invite_questions(shelter),
        gettext("If you did not apply, someone mistyped their address. You do not need to do anything."),
    )


def decision_subject(to: str, names: list[str]) -> str:
    if to == "homed":
        return outcome_text("homed", names, "").title
    return gettext(SUBJECTS[to], animals=join_names(names))


def decision_email(to: str, names: list[str], text: str, link: str) -> tuple[str, str]:
    """Return the email with the staff's text.

    If the application is open, ``link`` to the applicant's private page is added. Staff do not see the link.
    """
    is_open = to in ("approved", "placed")
    return decision_subject(to, names), join_paragraphs(text, *(follow_at(link) if is_open else []))
