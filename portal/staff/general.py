"""General settings: the texts and looks of the site, its address, and unpublished changes."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.access import Place
from adoption.accounts.names import names_of_actors
from adoption.database import reading
from adoption.errors import Conflict, Invalid
from adoption.projects import actions
from adoption.projects.fields import CURRENCIES
from adoption.projects.models import SITE_TEXTS, Deploy, Project
from adoption.projects.queries import deploys_of, differences, live_deploy_of, mark_of
from adoption.time_zones import time_zone_choices
from portal import fragments
from portal.access import actor
from portal.answers import onward
from portal.notices import notice
from portal.prose import prose
from portal.sites import site_address
from portal.staff import may, publishing, staff
from portal.staff.samples import samples_of

LABELS = {
    "name": "Name",
    "about": "About us",
    "place": "Place",
    "contact_email": "Contact email",
    "contact_phone": "Contact phone",
    "colour": "Colour",
    "currency": "Currency",
}
DEPLOYS_SHOWN = 10


class Field(NamedTuple):
    """A text of the form as it was typed, with its errors."""

    name: str
    data: str
    errors: tuple[str, ...] = ()


class Form(NamedTuple):
    fields: dict[str, Field]
    seen: str
    """Mark of the stored texts when the form was opened."""
    overtaken: bool = False
    """Whether someone else saved other texts since then."""

    @property
    def failed(self) -> bool:
        return self.overtaken or any(field.errors for field in self.fields.values())

    @property
    def summary(self) -> list[tuple[str, str]]:
        return [(field.name, field.errors[0]) for field in self.fields.values() if field.errors]


class Change(NamedTuple):
    label: str
    live: str
    draft: str


@staff.get("/settings")
@may("project.see")
def general(place: Place) -> Response:
    return page(place, form_of(texts_of(place.project), mark_of(place.project)))


@staff.post("/settings")
@may("project.edit")
def save_texts(place: Place) -> Response:
    given = {text: request.form.get(text, "") for text in SITE_TEXTS}
    try:
        changed = actions.edit_texts(place.project.id, given, request.form.get("seen", ""), actor())
    except Invalid as refusal:
        return page(place, form_of(given, request.form.get("seen", ""), refusal.violations), 422)
    except Conflict:
        return page(place, form_of(given, mark_of(place.project))._replace(overtaken=True), 422)
    notice("Saved. Visitors see it once you publish." if changed else "There were no changes to save.")
    return onward(url_for(".general"))


@staff.post("/settings/time-zone")
@may("project.edit")
def save_time_zone(place: Place) -> Response:
    zone = request.form.get("time_zone", "")
    try:
        changed = actions.set_time_zone(place.project.id, zone, actor())
    except Invalid as refusal:
        error = tuple(reason for _, reason in refusal.violations)
        texts = form_of(texts_of(place.project), mark_of(place.project))
        return page(place, texts, 422, Field("time_zone", zone, error))
    notice("Time zone saved." if changed else "There were no changes to save.")
    return onward(url_for(".general"))


@staff.get("/settings/colour")
@may("project.edit", in_background=True)
def colour_sample(place: Place) -> Response:
    """Samples of a colour while it is being chosen."""
    samples = samples_of(request.args.get("colour", ""))
    return fragments.fragment(render_template("staff/general/_samples.html", samples=samples))


def page(place: Place, form: Form, status: int = 200, time_zone: Field | None = None) -> Response:
    with reading() as session:
        live = live_deploy_of(session, place.project)
        deploys = deploys_of(session, place.project.id, None, DEPLOYS_SHOWN + 1)
        publishers = {deploy.published_by for deploy in [*deploys, *([live] if live else [])]}
        names = names_of_actors(session, place.account.id, publishers)
    now = datetime.now(UTC)
    words = {
        "form": form,
        "time_zone": time_zone or Field("time_zone", place.project.time_zone),
        "time_zones": time_zone_choices() if place.may("project.edit") else {},
        "about_read": prose(place.project.about),
        "samples": samples_of(form.fields["colour"].data),
        "currencies": CURRENCIES,
        "address": site_address(place.project.slug),
        "live": live and publishing.shown(live, place.project, names, now),
        "changes": changes_of(place.project, live),
        "deploys": [publishing.shown(each, place.project, names, now) for each in deploys[:DEPLOYS_SHOWN]],
        "more": len(deploys) > DEPLOYS_SHOWN,
    }
    return make_response(render_template("staff/general/index.html", **words), status)


def form_of(texts: Mapping[str, str], seen: str, violations: list[tuple[str, str]] | None = None) -> Form:
    wrong = dict(violations or ())
    fields = {text: Field(text, texts[text], (wrong[text],) if text in wrong else ()) for text in SITE_TEXTS}
    return Form(fields, seen)


def texts_of(project: Project) -> dict[str, str]:
    return {text: getattr(project, text) for text in SITE_TEXTS}


def changes_of(project: Project, live: Deploy | None) -> list[Change]:
    """Return the saved changes that are not live; none if the site is not published."""
    if live is None:
        return []
    return [Change(LABELS[text], was, is_) for text, was, is_ in differences(project, live)]
