"""Emails to applicants and shelters, except emails about decisions.

Each function returns a subject and a text.
"""

from datetime import datetime

from adoption.mail.mime import header_text
from adoption.mail.text_layout import join_lines, join_paragraphs, quote_lines
from adoption.orders.models import Application
from adoption.orders.outcome_texts import outcome_text
from adoption.orders.shelter_contacts import ShelterContact
from adoption.text_joining import join_names
from adoption.time_zones import UTC_NAME, date_in
from adoption.translations import gettext, message, ngettext

HOMES = {"own": message("owns it"), "rent": message("rents it")}
COMPANY = {
    "young": message("children under 8"),
    "older": message("children 8 and over"),
    "cats": message("cats"),
    "dogs": message("dogs"),
}


def application_confirmation(names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return the email that confirms the receipt of an application.

    The address may belong to a different person, so the email contains nothing that the applicant typed.
    """
    animals, outcome = join_names(names), outcome_text("placed", names, shelter.name)
    return outcome.title, join_paragraphs(
        gettext("Thank you for applying to adopt %(animals)s.", animals=animals) + f" {outcome.sentence}",
        gettext(
            "What happens next: %(shelter)s reads your answers and then writes to you at this address, or "
            "calls if you left a number. Several people may apply; the shelter chooses the home that suits "
            "%(animals)s best.",
            shelter=shelter.name,
            animals=animals,
        ),
        *follow_at(link),
        gettext(KEEP_LINK),
        *invite_questions(shelter),
        gettext(
            "If you did not apply, someone mistyped their address. Open the link and withdraw the "
            "application. Their answers are not shown to you."
        ),
    )


def already_applied(names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return the email to an address with an open application. Someone else may have typed the address."""
    animals = join_names(names)
    return gettext("You have already applied for %(animals)s", animals=animals), join_paragraphs(
        gettext(
            "Someone used your email address to apply for %(animals)s. You had applied "
            "already. Your application has not changed, but %(shelter)s can see the new "
            "answers next to your own.",
            animals=animals,
            shelter=shelter.name,
        ),
        *follow_at(link),
        gettext("If it was not you, you do not need to do anything."),
        *invite_questions(shelter),
    )


def new_link(names: list[str], shelter: ShelterContact, link: str) -> tuple[str, str]:
    """Return the email to an applicant whose private link was replaced."""
    animals = join_names(names)
    return gettext("A new link to your application for %(animals)s", animals=animals), join_paragraphs(
        gettext(
            "%(shelter)s has sent you a new private link to your application for %(animals)s. Earlier links "
            "no longer work.",
            shelter=shelter.name,
            animals=animals,
        ),
        *follow_at(link),
        gettext(KEEP_LINK),
        *invite_questions(shelter),
    )


def withdrawal_receipt(names: list[str], shelter: ShelterContact) -> tuple[str, str]:
    """Return the email to an applicant who has withdrawn the application."""
    outcome = outcome_text("withdrawn", names, shelter.name)
    return outcome.title, join_paragraphs(
        outcome.sentence,
        gettext("%(shelter)s has been informed.", shelter=shelter.name),
        gettext("If you did not withdraw it, someone else has your private link. You can apply again."),
        *invite_questions(shelter),
    )


def follow_at(link: str) -> list[str]:
    return [gettext("Follow your application, or withdraw it, at your private link:"), link] if link else []


KEEP_LINK = message("Keep the link to yourself: anyone with it can follow and withdraw your application.")


def invite_questions(shelter: ShelterContact) -> list[str]:
    if not shelter.contact_email:
        return []
    return [gettext("Questions? Reply to this email to reach %(shelter)s.", shelter=shelter.name)]


def application_received(application: Application, names: list[str], case: str) -> tuple[str, str]:
    """Return the email to the shelter about a new application.

    ``case`` is the URL of the application's staff page.
    """
    words = {"animals": join_names(names), "name": header_text(application.name)}
    return gettext("%(name)s has applied for %(animals)s", **words), join_paragraphs(
        gettext("%(name)s would like to adopt %(animals)s.", **words),
        gettext("Open the application to approve or decline it, or to add a note:"),
        case,
        join_lines(*short_answers(application)),
        gettext("Why %(animals)s would suit their home:", **words) if application.why else "",
        quote_lines(application.why) if application.why else "",
        *own_answers(application),
        gettext(
            "Reply to this email to contact %(name)s. To approve or decline the application, open it.",
            **words,
        ),
    )


def news_without_details(case: str) -> tuple[str, str]:
    """Return the email about a new application to an address that no member uses to sign in."""
    return gettext("A new application"), join_paragraphs(
        gettext("You have a new application. Open it to read the answers, and to approve or decline it:"),
        case,
        *why_without_details(),
    )


def why_without_details() -> list[str]:
    return [
        gettext("This email has no details, because no member of your team signs in with this address."),
        gettext(
            "If you do not work for an animal shelter, someone mistyped their address. You do not need to do "
            "anything."
        ),
    ]


def short_answers(application: Application) -> list[str]:
    missing = message("not given")
    household = [gettext(COMPANY[company]) for company in application.household.split()]
    company = ", ".join(household) or gettext("none of the choices ticked")
    standard = {
        "phone": gettext("Phone: %(number)s", number=application.phone or gettext(missing)),
        "home": gettext("Home: %(answer)s", answer=gettext(HOMES.get(application.home, missing))),
        "household": gettext("Lives with: %(company)s", company=company),
    }
    asked = [text for question, text in standard.items() if application.was_asked(question)]
    return [gettext("Email: %(address)s", address=application.email), *asked]


def own_answers(application: Application) -> list[str]:
    """Return the answers to the shelter's own questions, each after its question."""
    return [
        part
        for question, answer in application.own_answer_pairs
        for part in (question, quote_lines(answer or gettext("Not answered")))
    ]


def withdrawal(
    application: Application, names: list[str], case: str, time_zone: str = UTC_NAME
) -> tuple[str, str]:
    """Return the email to the shelter about a withdrawn application.

    The day is in ``time_zone``, the shelter's time zone.
    """
    words = {"animals": join_names(names), "name": header_text(application.name)}
    return gettext("%(name)s has withdrawn the application for %(animals)s", **words), join_paragraphs(
        gettext(
            "%(name)s no longer wants to adopt %(animals)s, and has withdrawn the application of %(day)s.",
            day=date_in(time_zone, application.created_at),
            **words,
        ),
        gettext("You do not need to do anything. Other applications have not changed."),
        gettext("The application:"),
        case,
    )


def withdrawal_without_details(case: str) -> tuple[str, str]:
    """Return the email about a withdrawn application to an address that no member uses to sign in."""
    return gettext("An application was withdrawn"), join_paragraphs(
        gettext(
            "An applicant has withdrawn an application. You do not need to do anything. The application:"
        ),
        case,
        *why_without_details(),
    )


def held_digest(count: int, link: str) -> tuple[str, str]:
    """Return the daily email to the shelter about held applications. The email quotes no application."""
    subject = ngettext(
        "%(num)s application is held as possible spam",
        "%(num)s applications are held as possible spam",
        count,
    )
    return subject, join_paragraphs(
        ngettext(
            "An application looks like spam, so it is not in your inbox. Real applications "
            "are sometimes held by mistake. Open it and choose whether to keep or delete it:",
            "%(num)s applications look like spam, so they are not in your inbox. Real "
            "applications are sometimes held by mistake. Open them and choose whether to keep "
            "or delete each:",
            count,
        ),
        link,
        gettext("Until you decide, the applicant only knows that we have to check the application."),
        gettext("We send this email at most once a day, and only when new applications are held."),
    )


def erasure_notice(count: int, on: datetime, link: str) -> tuple[str, str]:
    """Return the email to the shelter about undecided applications.

    The service erases ``count`` applications on the day ``on``.
    """
    day = date_in(UTC_NAME, on)
    subject = ngettext(
        "%(num)s undecided application will be erased on %(day)s",
        "%(num)s undecided applications will be erased on %(day)s",
        count,
        day=day,
    )
    return subject, join_paragraphs(
        ngettext(
            "An application has been waiting for a decision for a long time. On %(day)s we close it and "
            "erase the answers, names and contact details, because personal data may not be kept for longer "
            "than it is needed.",
            "%(num)s applications have been waiting for a decision for a long time. On %(day)s we close them "
            "and erase the answers, names and contact details, because personal data may not be kept for "
            "longer than it is needed.",
            count,
            day=day,
        ),
        ngettext(
            "To keep the application for longer, decide it before that day. Your oldest applications:",
            "To keep an application for longer, decide it before that day. Your oldest applications:",
            count,
        ),
        link,
        gettext("The status of the animals does not change."),
    )
