"""Emails to applicants and shelters. Each function returns a subject and a text."""

from datetime import datetime

from adoption.mail.mime import header_text
from adoption.mail.text_layout import join_lines, join_paragraphs, quote_lines
from adoption.orders.models import Application
from adoption.orders.outcomes import outcome_text
from adoption.orders.queries import ShelterContact
from adoption.text_joining import listed
from adoption.time_zones import UTC_NAME, date_in

HOMES = {"own": "owns it", "rent": "rents it"}
COMPANY = {"young": "children under 8", "older": "children 8 and over", "cats": "cats", "dogs": "dogs"}


def application_confirmation(names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return the email that confirms an application.

    Its address may be another person's, so it contains nothing that was typed.
    """
    animals, outcome = listed(names), outcome_text("placed", names, shelter.name)
    return outcome.title, join_paragraphs(
        f"Thank you for applying to adopt {animals}. {outcome.sentence}",
        f"What happens next: {shelter.name} reads your answers and then writes to you at this address, "
        "or calls if you left a number. Several people may apply; the shelter chooses the home that suits "
        f"{animals} best.",
        *follow_at(link),
        KEEP_LINK,
        *invite_questions(shelter),
        "If you did not apply, someone mistyped their address. Open the link and withdraw the application. "
        "Their answers are not shown to you.",
    )


def already_applied(names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return the email to an address that has applied already. Someone else may have typed it."""
    animals = listed(names)
    return f"You have already applied for {animals}", join_paragraphs(
        f"Someone used your email address to apply for {animals}. You had applied already, and that "
        f"application has not changed. {shelter.name} can see the new answers next to it.",
        *follow_at(link),
        "If it was not you, you do not need to do anything.",
        *invite_questions(shelter),
    )


def new_link(names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return the email to an applicant whose private link was replaced."""
    animals = listed(names)
    return f"A new link to your application for {animals}", join_paragraphs(
        f"{shelter.name} has sent you a new private link to your application for {animals}. Earlier links no "
        "longer work.",
        *follow_at(link),
        KEEP_LINK,
        *invite_questions(shelter),
    )


def withdrawal_receipt(names: list[str], shelter: ShelterContact) -> tuple[str, str]:
    """Return the email to an applicant who has withdrawn."""
    outcome = outcome_text("withdrawn", names, shelter.name)
    return outcome.title, join_paragraphs(
        outcome.sentence,
        f"{shelter.name} has been informed.",
        "If you did not withdraw it, someone else has your private link. You can apply again.",
        *invite_questions(shelter),
    )


def follow_at(link: str) -> list[str]:
    return ["Follow your application, or withdraw it, at your private link:", link] if link else []


KEEP_LINK = "Keep the link to yourself: anyone with it can follow and withdraw your application."


def invite_questions(shelter: ShelterContact) -> list[str]:
    return [f"Questions? Reply to this email to reach {shelter.name}."] if shelter.contact_email else []


def application_received(application: Application, names: list[str], case: str) -> tuple[str, str]:
    """Return the email to the shelter about a new application. ``case`` is its staff page's address."""
    animals, name = listed(names), header_text(application.name)
    return f"{name} has applied for {animals}", join_paragraphs(
        f"{name} would like to adopt {animals}.",
        "Open the application to approve or decline it, or to add a note:",
        case,
        join_lines(*short_answers(application)),
        f"Why {animals} would suit their home:" if application.why else "",
        quote_lines(application.why) if application.why else "",
        *own_answers(application),
        f"Reply to this email to contact {name}. To approve or decline the application, open it.",
    )


def news_without_details(case: str) -> tuple[str, str]:
    """Return the email about a new application to a shelter's address that no member signs in with."""
    return "A new application", join_paragraphs(
        "You have a new application. Open it to read the answers, and to approve or decline it:",
        case,
        *why_without_details(),
    )


def why_without_details() -> list[str]:
    return [
        "This email has no details, because no member of your team signs in with this address.",
        "If you do not work for an animal shelter, someone mistyped their address. You do not need to do "
        "anything.",
    ]


def short_answers(application: Application) -> list[str]:
    household = [COMPANY[each] for each in application.household.split()]
    standard = {
        "phone": f"Phone: {application.phone or 'not given'}",
        "home": f"Home: {HOMES.get(application.home, 'not given')}",
        "household": f"Lives with: {', '.join(household) or 'none of the choices ticked'}",
    }
    asked = [text for question, text in standard.items() if application.was_asked(question)]
    return [f"Email: {application.email}", *asked]


def own_answers(application: Application) -> list[str]:
    """Return the answers to the shelter's own questions, each below its question."""
    return [
        part
        for question, answer in application.own_answer_pairs
        for part in (question, quote_lines(answer or "Not answered"))
    ]


def withdrawal(
    application: Application, names: list[str], case: str, time_zone: str = UTC_NAME
) -> tuple[str, str]:
    """Return the email to the shelter, whose ``time_zone`` it is, about a withdrawn application."""
    animals, name = listed(names), header_text(application.name)
    sent = date_in(time_zone, application.created_at)
    return f"{name} has withdrawn the application for {animals}", join_paragraphs(
        f"{name} no longer wants to adopt {animals}, and has withdrawn the application of {sent}.",
        "You do not need to do anything. Other applications have not changed.",
        "The application:",
        case,
    )


def withdrawal_without_details(case: str) -> tuple[str, str]:
    """Return the email about a withdrawn application to an address that no member signs in with."""
    return "An application was withdrawn", join_paragraphs(
        "An applicant has withdrawn an application. You do not need to do anything. The application:",
        case,
        *why_without_details(),
    )


def held_digest(count: int, link: str) -> tuple[str, str]:
    """Return the daily email to the shelter about held applications. Nothing from them is in it."""
    one = count == 1
    return f"{count} application{' is' if one else 's are'} held as possible spam", join_paragraphs(
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
    return f"{count} undecided application{'' if one else 's'} will be erased on {day}", join_paragraphs(
        f"{'An application has' if one else f'{count} applications have'} been waiting for a decision for a "
        f"long time. On {day} we close {'it' if one else 'them'} and erase the answers, names and "
        "contact details, because personal data may not be kept for longer than it is needed.",
        f"To keep {'it' if one else 'an application'} for longer, decide it first. Your oldest applications:",
        link,
        "The status of the animals does not change.",
    )
