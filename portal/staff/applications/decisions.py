"""The pages on which staff decide about an application.

Each page describes the effect of the decision and offers an email. The page's form also sends the state of
the application that the page showed.
"""

from typing import Any

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Conflict
from adoption.orders.application_audit import StaffMember
from adoption.orders.application_page_data import OTHERS_SHOWN, ApplicationOverview, load_overview
from adoption.orders.applications_with_orders import parse_ref
from adoption.orders.decisions import FROM, AlreadyApproved
from adoption.orders.rival_applications import OtherApplicantsChanged
from adoption.orders.suggested_texts import ANIMALS, load_text_to_others, suggest_text
from adoption.translations import gettext, ngettext
from portal.flash import notice
from portal.responses import see_other
from portal.sign_in.unsaved_forms import show_after_error
from portal.staff import may, staff
from portal.staff.applications.application_page import case_page
from portal.staff.applications.decision_forms import DecisionForm
from portal.staff.applications.decision_kinds import (
    APPROVAL,
    COMPLETION,
    REFUSAL,
    RETURN,
    UNDONE_APPROVAL,
    DecisionKind,
    animal_names,
    applicant_name,
)
from portal.staff.applications.filters import case_address, filter_parameters, sought_now
from portal.staff.applications.labels import promise_sentence, unconfirmed_in_words
from portal.staff.change_authors import staff_member_of

ASKING = (APPROVAL, UNDONE_APPROVAL)
"""Decisions whose page first lists the other approved applications for the animals."""


@staff.route("/applications/<ref>/approval", methods=["GET", "POST"])
@may("applications.decide")
def approve_application(access: ProjectAccess, ref: str) -> Response:
    return ask_or_decide(access, ref, APPROVAL)


@staff.route("/applications/<ref>/approval/removal", methods=["GET", "POST"])
@may("applications.decide")
def take_approval_back(access: ProjectAccess, ref: str) -> Response:
    return ask_or_decide(access, ref, UNDONE_APPROVAL)


@staff.route("/applications/<ref>/completion", methods=["GET", "POST"])
@may("applications.decide")
def complete_adoption(access: ProjectAccess, ref: str) -> Response:
    return ask_or_decide(access, ref, COMPLETION)


@staff.route("/applications/<ref>/return", methods=["GET", "POST"])
@may("applications.decide")
def take_animal_in(access: ProjectAccess, ref: str) -> Response:
    return ask_or_decide(access, ref, RETURN)


@staff.route("/applications/<ref>/refusal", methods=["GET", "POST"])
@may("applications.decide")
def decline_application(access: ProjectAccess, ref: str) -> Response:
    return ask_or_decide(access, ref, REFUSAL)


def ask_or_decide(access: ProjectAccess, ref: str, kind: DecisionKind) -> Response:
    """Show the page of a decision. If its form was sent, decide and redirect to the application."""
    file, staff = find_application(access, ref), staff_member_of(access)
    if request.method != "POST":
        if file.case.state not in FROM[kind.to]:
            return see_other(case_address(ref))
        return decision_page(file, ref, kind, suggested_decision_form(file, staff, kind))
    form = DecisionForm(request.form)
    if not form.validate():
        return decision_page(file, ref, kind, form, status=422)
    try:
        done = kind.decide(
            staff, parse_ref(ref), state_seen(), form.cleaned.get("words", ""), **seen_in(form, kind)
        )
    except (AlreadyApproved, OtherApplicantsChanged) as refusal:
        return decision_page(find_application(access, ref), ref, kind, form, refusal.sentence, 409)
    except Conflict as refusal:
        return decided_already(access, ref, kind, form, refusal.sentence)
    notice(kind.done(done), undo=undo_address(ref) if kind is REFUSAL and not done.emailed.number else None)
    return see_other(case_address(ref))


def decided_already(
    access: ProjectAccess, ref: str, kind: DecisionKind, form: DecisionForm, sentence: str
) -> Response:
    """Return the page of an application that a colleague has already decided.

    If the user has written an email, return a page from which the user can copy the email.
    """
    offered = (
        suggested_decision_form(find_application(access, ref), staff_member_of(access), kind).words.data or ""
    )
    if (form.words.data or "").split() not in ([], offered.split()):
        again = show_after_error(sentence, 409)
        if again is not None:
            return again
    return case_page(access, ref, refusal=sentence, status=409)


def suggested_decision_form(
    file: ApplicationOverview, staff: StaffMember, kind: DecisionKind
) -> DecisionForm:
    """Return the form with the suggested emails."""
    words = suggest_text(kind.to, file.case.names, file.shelter)
    form = DecisionForm(tell=kind.tells, words=words)
    if kind is COMPLETION and file.others.emailed:
        text = load_text_to_others(staff, file.case)
        form.tell_others.data, form.words_to_others.data = True, text
    return form


def seen_in(form: DecisionForm, kind: DecisionKind) -> dict[str, Any]:
    """Return the arguments of the decision that are about other applications.

    They are the other applications that the page showed, or the other applicants and the email to them."""
    if kind is COMPLETION:
        words = form.cleaned.get("words_to_others", "")
        return {"words_to_others": words, "others": form.others.data or ""}
    return {"known": (form.known.data or "").split()} if kind in ASKING else {}


def undo_address(ref: str) -> str:
    return url_for(".reopen_applications", ref=[ref], **filter_parameters(sought_now()))


def decision_page(
    file: ApplicationOverview,
    ref: str,
    kind: DecisionKind,
    form: DecisionForm,
    refusal: str = "",
    status: int = 200,
) -> Response:
    application = file.case.application
    promises = file.approved_rivals if kind in ASKING else []
    is_confirmed = application is not None and application.confirmed_at is not None
    words = {
        "action": case_address(ref, request.endpoint, seen=request.args.get("seen") or file.case.state),
        "back": case_address(ref),
        "kind": kind,
        "title": kind.title(file),
        "effect": kind.effect(file),
        "email": application.email if application else "",
        "unconfirmed": unconfirmed_in_words(int(not is_confirmed), 1),
        "form": form,
        "promises": [promise_sentence(each) for each in promises],
        "known": " ".join(str(each.ref) for each in promises),
        "question": gettext("Approve %(name)s too?", name=applicant_name(file))
        if promises and kind is APPROVAL
        else "",
        "refusal": refusal,
        **(other_applicants(file) if kind is COMPLETION else {}),
    }
    return make_response(render_template("staff/applications/decide.html", **words), status)


def other_applicants(file: ApplicationOverview) -> dict[str, Any]:
    found, emailed = len(file.others.found), len(file.others.emailed)
    unconfirmed = sum(not each.is_confirmed for each in file.others.emailed)
    return {
        "others": file.others if found else None,
        "others_title": ngettext(
            "%(num)s other applicant for %(animals)s",
            "%(num)s other applicants for %(animals)s",
            found,
            animals=animal_names(file),
        ),
        "others_unconfirmed": unconfirmed_in_words(unconfirmed, emailed),
        "others_recipient": ngettext("Email the other applicant", "Email %(num)s other applicants", emailed),
        "named_most": OTHERS_SHOWN,
        "placeholder": ANIMALS,
    }


def state_seen() -> str:
    return request.args.get("seen", "")


def find_application(access: ProjectAccess, ref: str) -> ApplicationOverview:
    return load_overview(access.account.id, access.project.id, parse_ref(ref))
