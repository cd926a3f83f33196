"""The page of general settings: the site's texts, colour and time zone, and its unpublished changes."""

from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.display_names import names_of_actors
from adoption.accounts.project_access import ProjectAccess
from adoption.projects.currencies import CURRENCIES
from adoption.projects.models import Deploy, Project
from adoption.projects.queries import (
    compare_texts,
    find_live_deploy,
    is_visibility_changing,
    list_deploys,
)
from adoption.projects.site_edits import TEXTS, TIME_ZONE, SavedSite, SiteEdit, save_fields
from adoption.storage.database import reading
from adoption.translations import gettext
from portal import htmx
from portal.current_user import actor
from portal.flash import notice
from portal.markdown import html_of_markdown
from portal.responses import see_other
from portal.sites.hosts import site_address
from portal.staff import may, staff
from portal.staff.sites import publishing
from portal.staff.sites.colour_preview import colour_samples
from portal.staff.sites.general_settings_form import (
    LABELS,
    Form,
    changed_meanwhile,
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


def report_saved(access: ProjectAccess, edit: SiteEdit, saved: SavedSite, sentence: str) -> Response:
    """Redirect to the page, with a notice about what was saved and what someone else has changed."""
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
    access: ProjectAccess, texts: Form | None = None, time_zone: Form | None = None
) -> Response:
    """Return the page. ``texts`` and ``time_zone`` are forms that could not be saved."""
    form, zone = (
        texts or stored_form(access.project, TEXTS),
        time_zone or stored_form(access.project, TIME_ZONE),
    )
    with reading() as session:
        live = find_live_deploy(session, access.project)
        deploys = list_deploys(session, access.project.id, None, DEPLOYS_SHOWN + 1)
        publishers = {deploy.published_by for deploy in [*deploys, *([live] if live else [])]}
        names = names_of_actors(session, access.account.id, publishers)
    now = datetime.now(UTC)
    words = {
        "form": form,
        "time_zone_form": zone,
        "time_zones": time_zone_labels() if access.may("project.edit") else {},
        "about_read": html_of_markdown(access.project.about),
        "samples": colour_samples(form.fields["colour"].data),
        "currencies": CURRENCIES,
        "address": site_address(access.project.slug),
        "live": live and publishing.version_row(live, access.project, names, now),
        "changes": unpublished_changes(access.project, live),
        "is_listing": live is not None and is_visibility_changing(access.project.id),
        "deploys": [
            publishing.version_row(each, access.project, names, now) for each in deploys[:DEPLOYS_SHOWN]
        ],
        "more": len(deploys) > DEPLOYS_SHOWN,
    }
    status = 422 if form.summary or zone.summary else 409 if form.clashes or zone.clashes else 200
    return make_response(render_template("staff/sites/general.html", **words), status)


def unpublished_changes(project: Project, live: Deploy | None) -> list[UnpublishedChange]:
    """Return the saved texts that differ from the published ones. Empty if the site is not published."""
    if live is None:
        return []
    return [
        UnpublishedChange(gettext(LABELS[text]), published, draft)
        for text, published, draft in compare_texts(project, live)
    ]
