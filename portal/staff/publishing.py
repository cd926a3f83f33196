"""Publishing: numbered deploys, going back to an earlier one, and taking the site offline."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.access import Place
from adoption.database import reading
from adoption.errors import Conflict
from adoption.projects import actions
from adoption.projects.models import Deploy, Project
from adoption.projects.queries import deploys_of, good_deploy
from portal.access import actor
from portal.answers import onward
from portal.instants import ago, stamp
from portal.notices import notice
from portal.numbers import id_in
from portal.sites import site_address
from portal.staff import may, staff
from portal.staff.confirmations import confirm

PAGE = 50
"""Deploys on a page of the history."""


class Shown(NamedTuple):
    """A deploy in the history."""

    number: int
    when: Any
    by: str
    what: str
    """"Published", or what else it was."""
    reason: str
    live: bool
    can_come_back: bool


def shown(deploy: Deploy, project: Project, now: datetime) -> Shown:
    live = deploy.number == project.live_deploy
    brought = "Published" if deploy.restores is None else f"Brought back deploy {deploy.restores}"
    return Shown(
        deploy.number,
        stamp(deploy.created_at, ago(deploy.created_at, now)),
        deploy.published_by,
        brought if deploy.succeeded else "Failed",
        deploy.reason,
        live,
        deploy.succeeded and not live,
    )


@staff.post("/settings/deploys")
@may("project.publish")
def publish_site(place: Place) -> Response:
    return publish(place)


def publish(place: Place) -> Response:
    told(actions.publish(place.project.slug, actor()), place)
    return onward(url_for(".general"))


def told(deploy: Deploy, place: Place) -> None:
    if deploy.succeeded:
        notice(f"Deploy {deploy.number} is live. Visitors see it now.")
    elif place.project.live_deploy is None:
        notice(f"Deploy {deploy.number} failed, and your site is still not published. {deploy.reason}", "bad")
    else:
        notice(
            f"Deploy {deploy.number} failed, and visitors see what they saw before. {deploy.reason}", "bad"
        )


@staff.get("/settings/deploys")
@may("project.see")
def deploys(place: Place) -> Response:
    """The whole history, a page at a time."""
    with reading() as session:
        found = deploys_of(session, place.project.id, id_in(request.args.get("before", "")), PAGE + 1)
    now = datetime.now(UTC)
    words = {
        "deploys": [shown(each, place.project, now) for each in found[:PAGE]],
        "older": found[PAGE - 1].number if len(found) > PAGE else None,
    }
    return make_response(render_template("staff/general/deploys.html", **words))


@staff.get("/settings/deploys/<int64:number>/return")
@may("project.publish")
def rollback(place: Place, number: int) -> Response:
    with reading() as session:
        earlier = good_deploy(session, place.project.id, number)
    when = ago(earlier.created_at, datetime.now(UTC))
    return confirm(
        f"Roll back to deploy {number}?",
        f"Visitors will see the name, texts, contact and colour that were published {when}. Your animals, "
        "and the texts that you are working on, stay as they are. You can publish those again at any time.",
        url_for(".roll_back", number=number),
        f"Roll back to deploy {number}",
        "Keep what is live" if place.project.live_deploy else "Stay offline",
        url_for(".general", _anchor="history"),
    )


@staff.post("/settings/deploys/<int64:number>/return")
@may("project.publish")
def roll_back(place: Place, number: int) -> Response:
    try:
        told(actions.roll_back(place.project.id, number, actor()), place)
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return onward(url_for(".general"))


@staff.get("/settings/offline")
@may("project.publish")
def offline(place: Place) -> Response:
    host = site_address(place.project.slug).partition("://")[2].rstrip("/")
    return confirm(
        f"Take {place.project.name} offline?",
        f"{host} will show that nobody lives there, and your animals leave the catalogue, the feeds and the "
        "frames on other websites. Nothing is deleted, API keys go on working, and you can publish again at "
        "any time.",
        url_for(".take_offline"),
        "Take site offline",
        "Keep site online",
        url_for(".general"),
    )


@staff.post("/settings/offline")
@may("project.publish")
def take_offline(place: Place) -> Response:
    try:
        actions.unpublish(place.project.id, actor())
        notice("Your site is offline. Nobody but your team sees your animals.")
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return onward(url_for(".general"))
