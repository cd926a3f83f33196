"""The page of general settings: the site's texts, time zone and listing in the directory, and its unpublished
changes."""

from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.display_names import names_of_actors
from adoption.accounts.project_access import ProjectAccess
from adoption.platform_addresses import site_address
from adoption.projects.countries_and_languages import country_names, language_names
from adoption.projects.currencies import CURRENCIES
from adoption.projects.deploys import compare_texts, find_live_deploy, list_deploys
from adoption.projects.models import Deploy, Project
from adoption.projects.queries import is_visibility_changing
from adoption.projects.site_edits import (
    DIRECTORY,
    TEXTS,
    TIME_ZONE,
    SavedSite,
    SiteEdit,
    save_directory_listing,
    save_fields,
)
from adoption.storage.database import reading
from adoption.translations import gettext
from portal import htmx
from portal.current_user import actor
from portal.flash import notice
from portal.markdown import html_of_markdown
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.sites import publishing
from portal.staff.sites.colour_preview import colour_samples
from portal.staff.sites.general_settings_form import (
    LABELS,
    Form,
    changed_meanwhile,
    field_in_words,
    refused_form,
    sent_edit,
    stored_form,
    time_zone_labels,
)

DEPLOYS_SHOWN = 10


class UnpublishedChange(NamedTuple):
    label: str
    live: str
    draft: str


@staff.get("/settings")
@may("project.see")
def general(access: ProjectAccess) -> Response:
    return render_general_page(access)


@staff.post("/settings")
@may("project.edit")
def save_texts(access: ProjectAccess) -> Response:
    edit = sent_edit(TEXTS)
    saved = save_fields(access.project.id, TEXTS, edit, actor())
    if saved.failed:
        return render_general_page(access, texts=refused_form(access, edit, saved))
    return report_saved(access, edit, saved, gettext("Saved. Visitors see it once you publish."))


@staff.post("/settings/time-zone")
@may("project.edit")
def save_time_zone(access: ProjectAccess) -> Response:
    edit = sent_edit(TIME_ZONE)
    saved = save_fields(access.project.id, TIME_ZONE, edit, actor())
    if saved.failed:
        return render_general_page(access, time_zone=refused_form(access, edit, saved))
    return report_saved(access, edit, saved, gettext("Time zone saved."))


@staff.post("/settings/directory")
@may("project.edit")
def save_directory(access: ProjectAccess) -> Response:
    edit = sent_edit(DIRECTORY)
    saved = save_directory_listing(access.project.id, edit, actor())
    if saved.failed:
        return render_general_page(access, directory=refused_form(access, edit, saved))
    return report_saved(access, edit, saved, gettext("Directory settings saved."))


def report_saved(access: ProjectAccess, edit: SiteEdit, saved: SavedSite, sentence: str) -> Response:
    """Redirect to the page. A notice says what was saved, and what other people have changed."""
    meanwhile = changed_meanwhile(access, edit, saved)
    sentences = [sentence if saved.changed else gettext("There were no changes to save.")]
    if meanwhile:
        sentences += [meanwhile, gettext("These changes are kept.")]
    notice(" ".join(sentences))
    return see_other(url_for(".general"))


@staff.get("/settings/colour")
@may("project.edit", in_background=True)
def colour_sample(access: ProjectAccess) -> Response:
    """Return samples of a colour that the user is choosing."""
    samples = colour_samples(request.args.get("colour", ""))
    return htmx.fragment(render_template("staff/sites/_samples.html", samples=samples))


def render_general_page(
    access: ProjectAccess,
    texts: Form | None = None,
    time_zone: Form | None = None,
    directory: Form | None = None,
) -> Response:
    """Return the page. The forms are those that could not be saved."""
    forms = {
        "form": texts or stored_form(access.project, TEXTS),
        "time_zone_form": time_zone or stored_form(access.project, TIME_ZONE),
        "directory_form": directory or stored_form(access.project, DIRECTORY),
    }
    with reading() as session:
        live = find_live_deploy(session, access.project)
        deploys = list_deploys(session, access.project.id, None, DEPLOYS_SHOWN + 1)
        publishers = {deploy.published_by for deploy in [*deploys, *([live] if live else [])]}
        names = names_of_actors(session, access.account.id, publishers)
    now = datetime.now(UTC)
    words = {
        **forms,
        **choices_of(access),
        "about_read": html_of_markdown(access.project.about),
        "samples": colour_samples(forms["form"].fields["colour"].data),
        "address": site_address(access.project.slug),
        "live": live and publishing.version_row(live, access.project, names, now),
        "changes": unpublished_changes(access.project, live),
        "is_listing": live is not None and is_visibility_changing(access.project.id),
        "deploys": [
            publishing.version_row(each, access.project, names, now) for each in deploys[:DEPLOYS_SHOWN]
        ],
        "more": len(deploys) > DEPLOYS_SHOWN,
    }
    is_wrong, is_clashing = (
        any(getattr(each, why) for each in forms.values()) for why in ("summary", "clashes")
    )
    status = 422 if is_wrong else 409 if is_clashing else 200
    return make_response(render_template("staff/sites/general.html", **words), status)


def choices_of(access: ProjectAccess) -> dict[str, dict[str, str]]:
    """Return the choices of the forms' lists. Users who may not edit the site have no forms."""
    if not access.may("project.edit"):
        return {}
    return {
        "currencies": CURRENCIES,
        "countries": country_names(),
        "languages": language_names(),
        "time_zones": time_zone_labels(),
    }


def unpublished_changes(project: Project, live: Deploy | None) -> list[UnpublishedChange]:
    """Return the saved texts that differ from the published texts. Empty if the site is not published."""
    if live is None:
        return []
    return [
        UnpublishedChange(gettext(LABELS[text]), field_in_words(text, published), field_in_words(text, draft))
        for text, published, draft in compare_texts(project, live)
    ]
