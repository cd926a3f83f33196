"""Declining several applications at once, and undoing the declines, which opens the applications again."""

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import NotFound
from adoption.orders import bulk_declines
from adoption.orders.application_states import OPEN
from adoption.orders.applications_with_orders import Case, Ref, load_case, parse_ref
from adoption.orders.bulk_declines import BulkDeclineResult, SkippedApplication
from adoption.orders.shelter_contacts import load_shelter_contact
from adoption.orders.staff_written_emails import Emailed
from adoption.orders.suggested_texts import ANIMALS, suggest_text
from adoption.text_joining import join_names
from adoption.translations import gettext, ngettext
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.applications.decision_forms import DecisionEmailForm
from portal.staff.applications.filters import back_to_inbox, filter_parameters, list_address, sought_now
from portal.staff.applications.labels import applicant_label, later_readers_in_words, unconfirmed_in_words
from portal.staff.applications.ticked_applications import NONE_CHOSEN, ticked_applications
from portal.staff.change_authors import staff_member_of

NAMED_MOST = 3
"""The maximum of skipped applications that a notice names."""


@staff.route("/applications/refusals", methods=["GET", "POST"])
@may("applications.decide")
def decline_applications(access: ProjectAccess) -> Response:
    """Ask whether to decline the ticked applications. If the user has confirmed, decline them.

    The question has an address of its own, so that users can reload the page and come back to it.
    """
    chosen = ticked_applications()
    if not chosen:
        notice(gettext(NONE_CHOSEN), "warn")
        return back_to_inbox()
    if request.method == "GET":
        return refusals_page(access, chosen, DecisionEmailForm(tell=True, words=suggested(access)))
    if "decided" not in request.form:
        cases = [f"{ref}:{state}" for ref, state in chosen]
        return see_other(url_for(".decline_applications", case=cases, **filter_parameters(sought_now())))
    form = DecisionEmailForm(request.form)
    if not form.validate():
        return refusals_page(access, chosen, form, 422)
    done = bulk_declines.decline_all(staff_member_of(access), chosen, form.cleaned.get("words", ""))
    notice(*result_of(done))
    return back_to_inbox()


def suggested(access: ProjectAccess) -> str:
    shelter = load_shelter_contact(access.project.id)
    return suggest_text("declined", [ANIMALS], shelter)


def result_of(done: BulkDeclineResult) -> tuple[str, str, str | None]:
    """Return the notice: its text, its tone and the address of the undo.

    The address is None if the declines cannot be undone.
    """
    number, emailed = len(done.refs), done.emailed.number
    sentences = [declined_sentence(number, done.emailed), *skipped_sentences(done.skipped)]
    undo = None
    if number and not emailed:
        undo = url_for(
            ".reopen_applications", ref=[str(ref) for ref in done.refs], **filter_parameters(sought_now())
        )
    return " ".join(sentences), "warn" if done.skipped else "good", undo


def declined_sentence(number: int, emailed: Emailed) -> str:
    if not number:
        return gettext("Nothing was declined.")
    sentence = ngettext("%(num)s application declined.", "%(num)s applications declined.", number)
    if emailed.number:
        sentence += " " + ngettext(
            "%(num)s email sent, so this cannot be undone.",
            "%(num)s emails sent, so this cannot be undone.",
            emailed.number,
        )
    return sentence + later_readers_in_words(emailed)


def skipped_sentences(found: list[SkippedApplication]) -> list[str]:
    """Return sentences that name a few applications and count the rest.

    A cookie carries the notice, and browsers drop a cookie that is too long.
    """
    named = [
        gettext("%(name)s was skipped: it %(reason)s.", name=name_of(each), reason=each.reason)
        for each in found[:NAMED_MOST]
    ]
    rest = len(found) - NAMED_MOST
    if rest <= 0:
        return named
    return [*named, ngettext("%(num)s more was skipped.", "%(num)s more were skipped.", rest)]


def not_reopened(found: list[SkippedApplication]) -> list[str]:
    named = [
        gettext("%(name)s stays as it is: it %(reason)s.", name=name_of(each), reason=each.reason)
        for each in found[:NAMED_MOST]
    ]
    rest = len(found) - NAMED_MOST
    if rest <= 0:
        return named
    return [*named, ngettext("%(num)s more stays as it is.", "%(num)s more stay as they are.", rest)]


def name_of(application: SkippedApplication) -> str:
    return application.who or gettext("One application")


def refusals_page(
    access: ProjectAccess, chosen: list[tuple[Ref, str]], form: DecisionEmailForm, status: int = 200
) -> Response:
    found = [(f"{ref}:{state}", case_if_any(access, ref)) for ref, state in chosen]
    still_open = {text: case for text, case in found if case and case.state in OPEN}
    if not still_open:
        notice(gettext("Nothing was declined: these applications are closed already."), "warn")
        return back_to_inbox()
    cases = still_open.values()
    with_email = [case.application for case in cases if case.application and case.application.email]
    number = len(cases)
    words = {
        "action": url_for(".decline_applications", **filter_parameters(sought_now())),
        "back": list_address(sought_now()),
        "people": [(applicant_label(case.application), join_names(case.names)) for case in cases],
        "chosen": list(still_open),
        "title": ngettext("Decline %(num)s application?", "Decline %(num)s applications?", number),
        "label": ngettext("Decline %(num)s application", "Decline %(num)s applications", number),
        "has_email": bool(with_email),
        "unconfirmed": unconfirmed_in_words(
            sum(each.confirmed_at is None for each in with_email), len(with_email)
        ),
        "placeholder": ANIMALS,
        "form": form,
    }
    return make_response(render_template("staff/applications/decline_many.html", **words), status)


def case_if_any(access: ProjectAccess, ref: Ref) -> Case | None:
    try:
        return load_case(access.project.id, ref)
    except NotFound:
        return None


@staff.post("/applications/reopening")
@may("applications.decide")
def reopen_applications(access: ProjectAccess) -> Response:
    refs = [parse_ref(text) for text in request.args.getlist("ref")]
    done = bulk_declines.reopen_all(staff_member_of(access), refs)
    number, promises = len(done.refs), done.promises
    sentences = [
        reopened_sentence(number),
        *(f"{each}." for each in promises[:NAMED_MOST]),
        *not_reopened(done.skipped),
    ]
    notice(" ".join(sentences), "warn" if done.skipped or promises else "good")
    return back_to_inbox()


def reopened_sentence(number: int) -> str:
    if not number:
        return gettext("Nothing was undone.")
    return ngettext(
        "Undone: %(num)s application changed back.", "Undone: %(num)s applications changed back.", number
    )
