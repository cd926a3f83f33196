"""Sending an application from an animal's page."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import Response, make_response, redirect, request, url_for
from flask import render_template as render

from adoption.animals.page_paths import animal_path
from adoption.animals.public_profiles import Profile
from adoption.errors import Conflict, Gone, NotFound, Refusal, TooMany
from adoption.orders import submissions
from adoption.orders.outcome_texts import outcome_text
from adoption.orders.spam_detection import SpamSigns
from adoption.orders.submissions import SubmittedApplication
from adoption.platform_addresses import platform_link
from adoption.request_context import current_request
from adoption.text_joining import join_names
from adoption.translations import gettext
from portal import htmx, portal_blueprint
from portal.animals.animal_page import find_shown_animal, project_of_site, render_profile
from portal.animals.application_form import ApplicationForm, application_form
from portal.error_pages import RETRY_AFTER, error_status, log_error
from portal.responses import private
from portal.sites.hosts import current_site, origin

KEPT = "private, no-cache"
"""The cache header of a page with a sent form.

The browser can show the page again after "back".
"""

NOT_TYPED = {"form", "subject", "home", "household"}
"""Names of fields that a visitor does not type: the fields are hidden, or have choices."""


class PagePart(NamedTuple):
    """The part of the page that replaces the form, sent as a fragment for htmx, otherwise as a whole page."""

    template: str
    title: str
    words: Mapping[str, object]


@portal_blueprint.route("/animals/<address>/applications", methods=["GET", "POST"])
def apply(address: str) -> Response:
    try:
        profile = find_shown_animal(address)
    except (Gone, NotFound) as refusal:
        if htmx.target_id() is None and request.method != "POST":
            raise
        return show_closed(gettext("That animal is no longer here"), refusal)
    if request.method == "POST":
        return submit(profile)
    return make_response(redirect(f"{animal_path(profile.id, profile.name)}#apply"))


def submit(profile: Profile) -> Response:
    form = application_form(profile, request.form)
    answers = form.answers()
    if answers is None and profile.is_open:
        return show_errors(profile, form)
    if answers is None:
        return show_closed(closed_for(profile), submissions.already_adopted(profile.name))
    signs = SpamSigns(form.subject.data or "", form.seconds, current_request().client_address)
    try:
        applied = submissions.submit_application(
            profile.id, answers, form.opened.form, signs, project_of_site()
        )
    except (Conflict, NotFound) as refusal:
        return show_closed(closed_for(profile), refusal)
    except TooMany as refusal:
        form.saved, form.refusal = False, refusal.sentence
        return show_errors(profile, form, 429)
    except Exception as error:
        if error_status(error) != 503:
            raise
        log_error(error, 503)
        return show_unsaved(form)
    link = private_link(applied.token)
    return redirect_or_fragment(
        thanks(profile, applied, answers.email, link), f"{link}?sent{'=emailed' if applied.emailed else ''}"
    )


def show_errors(profile: Profile, form: ApplicationForm, status: int = 422) -> Response:
    if htmx.target_id() is None:
        page = render_profile(profile, form, status)
        page.headers["Cache-Control"] = KEPT
        return page
    part = PagePart("applications/_form.html", title_of_errors(form), {"animal": profile, "form": form})
    return part_of_page(part, 422)


def show_unsaved(form: ApplicationForm) -> Response:
    """Return the form with its values, so that the visitor can send it again.

    The database may have failed, so this function does not read it.
    """
    form.saved = False
    words = {"animal": form.animal, "form": form}
    part = PagePart("applications/_form.html", title_of_errors(form), words)
    # With htmx the browser still has the form, and shows its own notice above it.
    response = part_of_page(part, 503) if htmx.target_id() is not None else respond_with_part(part, 503)
    response.headers.update({"Cache-Control": KEPT, "Retry-After": str(RETRY_AFTER)})
    return response


def title_of_errors(form: ApplicationForm) -> str:
    return gettext("Error: Apply to adopt %(animals)s", animals=form.animals)


def redirect_or_fragment(part: PagePart, address: str) -> Response:
    """Return the part of the page for htmx; otherwise a redirect to ``address``.

    The redirect prevents a reload from sending the form again. With the part, htmx shows ``address`` in the
    address bar. Browsers allow htmx to do so only for the same host, so a shelter's own site always
    redirects.
    """
    if htmx.target_id() is None:
        return make_response(redirect(address, 303))
    path = address.removeprefix(origin())
    return part_of_page(part, address=path) if path.startswith("/") else htmx.client_redirect(address)


def thanks(profile: Profile, applied: SubmittedApplication, email: str, link: str) -> PagePart:
    names, shelter = join_names(applied.names), profile.shelter.name
    outcome = outcome_text("held" if applied.held else "placed", applied.names, shelter)
    words = {
        "shelter": shelter,
        "animals": names,
        "link": link,
        "sentence": outcome.sentence,
        "held": applied.held,
        "emailed": email if applied.emailed else "",
    }
    return PagePart("applications/_thanks.html", gettext("Application for %(animals)s", animals=names), words)


def closed_for(profile: Profile) -> str:
    return gettext("Applications for %(name)s are closed", name=profile.name)


def show_closed(title: str, refusal: Refusal) -> Response:
    """Return a page that says why applications are closed, and repeats the texts that the visitor typed."""
    fields = request.form.items(multi=True)
    typed = [text for name, text in fields if name not in NOT_TYPED and text.strip()]
    words = {"sentence": refusal.sentence, "typed": typed}
    return respond_with_part(PagePart("applications/_closed.html", title, words), error_status(refusal))


def respond_with_part(part: PagePart, status: int = 200) -> Response:
    if htmx.target_id() is not None:
        return part_of_page(part, 422 if status >= 400 else status)  # the status that htmx shows
    page = render("applications/page.html", title=part.title, part=part.template, **part.words)
    return private(make_response(page, status))


def part_of_page(part: PagePart, status: int = 200, address: str | None = None) -> Response:
    text = render("applications/_part.html", title=part.title, part=part.template, **part.words)
    return private(htmx.fragment(text, address, status))


def private_link(token: str) -> str:
    """Return the address of the application's private page, which is on the platform's host."""
    path = url_for(".application", token=token)
    return path if current_site() is None else platform_link(path.removeprefix("/"))
