"""Suggested texts for emails about decisions. Staff can edit the texts."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.mail.text_layout import join_lines
from adoption.orders.application_audit import StaffMember
from adoption.orders.applications_with_orders import Case
from adoption.orders.outcome_texts import outcome_text
from adoption.orders.shelter_contacts import ShelterContact, shelter_contact
from adoption.platform_addresses import platform_link
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext

ANIMALS = "[animals]"
"""A placeholder in an email to several applicants, for the names of each applicant's animals."""

SIMILAR_MOST = 3

SUGGESTED = {
    "approved": (message("Good news: %(shelter)s has approved your application for %(animals)s."),),
    "placed": (
        message(
            "Your application for %(animals)s was approved. We are sorry to say that we have to review it "
            "again, so it is not approved at the moment."
        ),
        message("You do not need to do anything. We will write to you when we have decided."),
    ),
    "completed": (
        message("The adoption of %(animals)s is complete. Thank you for giving %(animals)s a home."),
        message("Give it time: most animals need a few days to settle, and a few weeks to feel at home."),
        message("If anything worries you, please contact us early. We are happy to help."),
    ),
    "declined": (
        message("Thank you for applying to adopt %(animals)s, and for telling us about your home."),
        message(
            "We have considered it carefully, and we won't be taking your application further. This is no "
            "reflection on you or your home: we look for the home that suits each animal best, and often "
            "several good homes apply for the same one."
        ),
    ),
    "returned": (
        message("Thank you for trying, and for telling us. You are welcome to apply for another animal."),
    ),
}
"""The suggested paragraphs, by the application's new state. The functions below add the paragraphs that
depend on the number of animals."""


def suggest_text(to: str, names: list[str], shelter: ShelterContact) -> str:
    """Return the suggested text for an application that changes to state ``to``."""
    number, words = len(names), {"animals": join_names(names), "shelter": shelter.name}
    paragraphs = [gettext(paragraph, **words) for paragraph in SUGGESTED[to]]
    if to == "approved":
        paragraphs.append(next_after_approval(number, words))
    if to == "returned":
        paragraphs.insert(0, return_recorded(number, words))
    return compose_text([*paragraphs, *(link_to_all(shelter) if to == "declined" else [])], shelter)


def next_after_approval(number: int, words: Mapping[str, str]) -> str:
    return ngettext(
        "We will be in touch to arrange a meeting and the day on which %(animals)s can come home with you. "
        "Until then the page of %(animals)s will say that an adoption is pending.",
        "We will be in touch to arrange a meeting and the day on which %(animals)s can come home with you. "
        "Until then the pages of %(animals)s will say that an adoption is pending.",
        number,
        **words,
    )


def return_recorded(number: int, words: Mapping[str, str]) -> str:
    return ngettext(
        "%(animals)s is back with us, and we have recorded the return.",
        "%(animals)s are back with us, and we have recorded the return.",
        number,
        **words,
    )


def compose_text(paragraphs: list[str], shelter: ShelterContact) -> str:
    questions = [gettext("Questions? Reply to this email.")] if shelter.contact_email else []
    regards = join_lines(gettext("With kind regards,"), shelter.name)
    return "\n\n".join((gettext("Hello,"), *paragraphs, *questions, regards))


def link_to_all(shelter: ShelterContact) -> list[str]:
    link = shelter.animals_link
    return [gettext("You are welcome to apply for any of our other animals:"), link] if link else []


def load_text_to_others(staff: StaffMember, case: Case) -> str:
    """Return the suggested text to the other applicants when an adoption is completed."""
    with reading() as session:
        return suggest_text_to_others(session, staff, case)


def suggest_text_to_others(session: Session, staff: StaffMember, case: Case) -> str:
    """Return the suggested text to the other applicants for adopted animals."""
    shelter = shelter_contact(session, staff.project_id)
    return compose_text_to_others(similar_animals(session, case), shelter)


def compose_text_to_others(similar: list[tuple[str, str]], shelter: ShelterContact) -> str:
    """Return the suggested text to applicants whose animals someone else has adopted.

    ``similar`` are available animals, each with the URL of its page.
    """
    return compose_text(
        [
            outcome_text("homed", [ANIMALS], shelter.name).sentence,
            *(
                [gettext("These animals still need a home, and you can apply for any of them:")]
                if similar
                else []
            ),
            *(join_lines(name, address) for name, address in similar),
            *link_to_all(shelter),
        ],
        shelter,
    )


def similar_animals(session: Session, case: Case) -> list[tuple[str, str]]:
    """Return the shelter's newest available animals of the same species, each with the URL of its page."""
    first = case.animals[0]
    rows = session.execute(
        select(Animal.name, Animal.id)
        .where(SHOWN_CLAUSE, Animal.project_id == first.project_id, Animal.category_id == first.category_id)
        .where(Animal.status == "available", Animal.id.not_in([animal.id for animal in case.animals]))
        .order_by(Animal.id.desc())
        .limit(SIMILAR_MOST)
    )
    return [(name, platform_link(f"animals/{id_}")) for name, id_ in rows]


def fill_in_animals(text: str, names: list[str]) -> str:
    """Return a text to several applicants, with the names of one applicant's animals filled in."""
    return text.replace(ANIMALS, join_names(names))
