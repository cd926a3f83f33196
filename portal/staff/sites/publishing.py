"""Publishing a site, the history of published versions (deploys), rollback, and taking the site offline."""

from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for
from markupsafe import Markup

from adoption.accounts.display_names import ActorNames, names_of_actors
from adoption.accounts.project_access import ProjectAccess
from adoption.animals import visibility_job
from adoption.errors import Conflict
from adoption.platform_addresses import site_address
from adoption.projects import publication
from adoption.projects.deploys import find_successful_deploy, list_deploys
from adoption.projects.models import Deploy, Project
from adoption.projects.queries import is_visibility_changing
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.dates import ago
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.url_converters import parse_id

PAGE = 50
"""The number of versions on a page of the history."""


class VersionRow(NamedTuple):
    """A version in the publishing history."""

    number: int
    when: Markup
    by: str
    """The name of the person who published the version. Empty if it was published automatically."""
    what: str
    """A sentence about what happened to the version, such as "Published yesterday by Ann"."""
    reason: str
    live: bool
    can_come_back: bool


def version_row(deploy: Deploy, project: Project, names: ActorNames, now: datetime) -> VersionRow:
    live = deploy.number == project.live_deploy
    when, who = ago(deploy.created_at, now), names[deploy.published_by]
    return VersionRow(
        deploy.number,
        when,
        who,
        what_happened(deploy, when, who),
        deploy.reason,
        live,
        deploy.succeeded and not live,
    )


def what_happened(deploy: Deploy, when: Markup, who: str) -> str:
    """Return a sentence about what happened to a version, when, and who did it, as HTML."""
    if not deploy.succeeded or deploy.reason:
        text = message("Tried %(when)s by %(who)s") if who else message("Tried %(when)s")
    elif deploy.restores is not None:
        by_person = message("Restored version %(number)s %(when)s by %(who)s")
        text = by_person if who else message("Restored version %(number)s %(when)s")
    else:
        text = message("Published %(when)s by %(who)s") if who else message("Published %(when)s")
    person = Markup("<bdi>{}</bdi>").format(who)
    return gettext(text, when=when, who=person, number=deploy.restores)


@staff.post("/settings/deploys")
@may("project.publish")
def publish_site(access: ProjectAccess) -> Response:
    visibility_job.take_change(access.account.id)
    made = publication.publish_site(access.project.slug, actor())
    report_deploy(made, access, gettext("Published. Visitors see it now."))
    from_animals = made.succeeded and request.form.get("back") == "animals"
    return see_other(url_for(".animals" if from_animals else ".general"))


def report_deploy(deploy: Deploy, access: ProjectAccess, success: str) -> None:
    if deploy.succeeded:
        if is_visibility_changing(access.project.id):
            wait = gettext("You have many animals: it can take a few minutes until they are listed.")
            success = f"{success} {wait}"
        notice(success)
    elif access.project.live_deploy is None:
        notice(gettext("Your site was not published. %(reason)s", reason=deploy.reason), "bad")
    else:
        still = gettext(
            "Nothing was published. %(reason)s Visitors still see version %(number)s.",
            reason=deploy.reason,
            number=access.project.live_deploy,
        )
        notice(still, "bad")


@staff.get("/settings/deploys")
@may("project.see")
def deploys(access: ProjectAccess) -> Response:
    """Show a page of the publishing history."""
    with reading() as session:
        found = list_deploys(session, access.project.id, parse_id(request.args.get("before", "")), PAGE + 1)
        names = names_of_actors(session, access.account.id, {deploy.published_by for deploy in found})
    now = datetime.now(UTC)
    words = {
        "deploys": [version_row(each, access.project, names, now) for each in found[:PAGE]],
        "older": found[PAGE - 1].number if len(found) > PAGE else None,
    }
    return make_response(render_template("staff/sites/deploys.html", **words))


@staff.get("/settings/deploys/<int64:number>/return")
@may("project.publish")
def rollback(access: ProjectAccess, number: int) -> Response:
    with reading() as session:
        earlier = find_successful_deploy(session, access.project.id, number)
    return ask_to_confirm(
        gettext("Restore version %(number)s?", number=number),
        gettext(
            "Visitors will see the name, texts, contact details and colour that were published %(when)s. "
            "Your animals and your draft do not change. You can publish the draft again at any time.",
            when=ago(earlier.created_at),
        ),
        url_for(".roll_back", number=number),
        gettext("Restore version %(number)s", number=number),
        gettext("Keep what is live") if access.project.live_deploy else gettext("Stay offline"),
        url_for(".general", _anchor="history"),
    )


@staff.post("/settings/deploys/<int64:number>/return")
@may("project.publish")
def roll_back(access: ProjectAccess, number: int) -> Response:
    visibility_job.take_change(access.account.id)
    try:
        made = publication.roll_back_site(access.project.id, number, actor())
        restored = gettext("Version %(number)s restored. Visitors see it now.", number=number)
        report_deploy(made, access, restored)
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return see_other(url_for(".general"))


@staff.get("/settings/offline")
@may("project.publish")
def offline(access: ProjectAccess) -> Response:
    host = site_address(access.project.slug).partition("://")[2].rstrip("/")
    return ask_to_confirm(
        gettext("Take %(name)s offline?", name=access.project.name),
        gettext(
            "%(host)s will show a “not found” page, and your animals disappear from the catalogue, feeds and "
            "embeds. Nothing is deleted, API keys keep working, and you can publish again at any time.",
            host=host,
        ),
        url_for(".take_offline"),
        gettext("Take site offline"),
        gettext("Keep site online"),
        url_for(".general"),
    )


@staff.post("/settings/offline")
@may("project.publish")
def take_offline(access: ProjectAccess) -> Response:
    visibility_job.take_change(access.account.id)
    try:
        publication.unpublish_site(access.project.id, actor())
        notice(gettext("Your site is offline. Only your team can see your animals."))
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return see_other(url_for(".general"))
