"""The private page on which an applicant follows an application: headline, answers and withdrawal."""

import time
from collections.abc import Sequence

from flask import Response, make_response, redirect, request, url_for
from flask import render_template as render
from wtforms import Form, StringField

from adoption.errors import Invalid, NotFound, TooMany
from adoption.orders import email_confirmations, withdrawals
from adoption.orders.applicant_name_verification import verify_applicant_name
from adoption.orders.models import Application
from adoption.orders.outcome_texts import OutcomeText, outcome_text
from adoption.orders.private_page import ApplicantView, find_application_by_token
from adoption.request_context import current_request
from adoption.text_joining import join_names
from adoption.translations import gettext, message
from portal import portal_blueprint
from portal.animals.animal_page import similar_cards
from portal.animals.application_form import COMPANY_LABELS
from portal.applications.timeline import timeline_steps
from portal.dates import current_date, day_of, show_times_in
from portal.responses import private
from portal.translated_labels import Labels

NOT_ANSWERED = message("Not answered")
HOMES = Labels({"own": message("I own my home"), "rent": message("I rent my home")})


class ApplicantNameForm(Form):
    """The question that the private page asks before it shows the answers."""

    name = StringField()


@portal_blueprint.route("/applications/<token>", methods=["GET", "POST"])
def application(token: str) -> Response:
    try:
        found = find_application_by_token(token)
    except NotFound:
        return private(make_response(render("applications/unknown.html"), 404))
    if found.application.forgotten_at:
        words = {"animals": join_names(found.names), "shelter": found.shelter.name, "contact": found.shelter}
        return private(make_response(render("applications/erased.html", **words), 410))
    show_times_in(found.shelter.time_zone)
    if request.method == "POST":
        return show_answers(token, found)
    return private_page(token, found)


@portal_blueprint.route("/applications/<token>/<mark>", methods=["GET", "POST"])
def open_emailed_link(token: str, mark: str) -> Response:
    """Show a button that confirms the applicant's email address.

    The link alone confirms nothing, because mail scanners open links.
    """
    try:
        found = find_application_by_token(token)
        email_confirmations.check_email_mark(found.application, mark)
    except NotFound:
        return private(make_response(render("applications/unknown.html"), 404))
    if request.method == "POST":
        email_confirmations.confirm_applicant(found.application.id)
    elif not found.application.confirmed_at and not found.application.forgotten_at:
        words = {"animals": join_names(found.names), "shelter": found.shelter.name, "is_open": found.is_open}
        return private(make_response(render("applications/confirmation.html", token=token, **words)))
    return private(make_response(redirect(url_for(".application", token=token), 303)))


def show_answers(token: str, found: ApplicantView) -> Response:
    """Return the private page with the answers, if the visitor knows the applicant's name."""
    form = ApplicantNameForm(request.form)
    try:
        verify_applicant_name(
            found.application, form.name.data or "", current_request().client_address, time.time()
        )
    except Invalid as refusal:
        form.name.errors = [sentence for _, sentence in refusal.violations]
        return private_page(token, found, form, status=422)
    except TooMany as refusal:
        form.name.errors = [refusal.sentence]
        return private_page(token, found, form, status=429)
    return private_page(token, found, form, sent_answers(found.application))


def private_page(
    token: str,
    found: ApplicantView,
    form: ApplicantNameForm | None = None,
    answers: Sequence[tuple[str, str]] = (),
    status: int = 200,
) -> Response:
    just_sent = "sent" in request.args and found.state in ("placed", "held")
    page = render(
        "applications/show.html",
        token=token,
        application=found.application,
        shelter=found.shelter.name,
        contact=found.shelter,
        animals=join_names(found.names),
        headline=headline_of(found, just_sent),
        steps=timeline_steps(found),
        form=form or ApplicantNameForm(),
        answers=answers,
        cards=similar_cards(found.listings, current_date(found.shelter.time_zone)),
        messages=[(message, day_of(message.created_at)) for message in found.messages],
        has_unread=found.has_unread,
        sent=just_sent,
        held=found.state == "held",
        emailed=just_sent and found.state == "placed" and request.args["sent"] == "emailed",
        is_open=found.is_open,
    )
    return private(make_response(page, status))


@portal_blueprint.route("/applications/<token>/withdrawal", methods=["GET", "POST"])
def withdraw(token: str) -> Response:
    try:
        found = find_application_by_token(token)
        if request.method == "POST":
            withdrawals.withdraw_application(token)
    except NotFound:
        return private(make_response(render("applications/unknown.html"), 404))
    back = url_for(".application", token=token)
    if request.method == "POST" or not found.is_open:
        return private(make_response(redirect(back, 303)))
    words = {"animals": join_names(found.names), "number": len(found.names), "shelter": found.shelter.name}
    return private(make_response(render("applications/withdrawal.html", token=token, **words)))


def headline_of(followed: ApplicantView, just_sent: bool) -> OutcomeText:
    """Return the title and the sentence of the private page. Emails have the same texts."""
    words = outcome_text(followed.state, followed.names, followed.shelter.name)
    if not just_sent:
        return words
    return words._replace(
        title=gettext(
            "Thank you. Your application for %(animals)s has been sent", animals=join_names(followed.names)
        )
    )


def sent_answers(application: Application) -> list[tuple[str, str]]:
    """Return the answers that were sent, by question."""
    unanswered = gettext(NOT_ANSWERED)
    company = [COMPANY_LABELS[key] for key in application.household.split()]
    standard = {
        "phone": (gettext("Phone"), application.phone or unanswered),
        "home": (gettext("Home"), HOMES.get(application.home, unanswered)),
        "household": (
            gettext("Who lives there"),
            ", ".join(company) or gettext("None of the choices ticked"),
        ),
        "why": (gettext("Why"), application.why),
    }
    return [
        (gettext("Name"), application.name),
        (gettext("Email"), application.email),
        *(pair for question, pair in standard.items() if application.was_asked(question)),
        *((question, answer or unanswered) for question, answer in application.own_answer_pairs),
    ]
