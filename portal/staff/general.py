"""General: what the site says, how it looks, where it is, and what is not published yet."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.access import Place, demand
from adoption.accounts.keyring import has_keys
from adoption.animals.staff_list import has_animals
from adoption.database import reading
from adoption.errors import Conflict, Invalid
from adoption.projects import actions
from adoption.projects.fields import CURRENCIES
from adoption.projects.models import SITE_TEXTS, Deploy, Project
from adoption.projects.queries import deploys_of, differences, live_deploy_of, mark_of
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
    """A text of the form: what was typed, and what is wrong with it."""

    name: str
    data: str
    errors: tuple[str, ...] = ()


class Form(NamedTuple):
    fields: dict[str, Field]
    seen: str
    """The mark of the texts that were there when it was opened."""
    overtaken: bool = False
    """Whether somebody else has saved other texts since."""

    @property
    def failed(self) -> bool:
        return self.overtaken or any(field.errors for field in self.fields.values())

    @property
    def summary(self) -> list[tuple[str, str]]:
        return [(field.name, field.errors[0]) for field in self.fields.values() if field.errors]


class Step(NamedTuple):
    """What a fresh shelter does first."""

    label: str
    address: str
    done: bool


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
    if "publish" in request.form:
        demand(place, "project.publish")
        return publishing.publish(place)
    notice("Saved. Visitors see it once you publish." if changed else "Nothing was changed.")
    return onward(url_for(".general"))


@staff.get("/settings/colour")
@may("project.edit")
def colour_sample(place: Place) -> Response:
    """How the site looks in a colour, while one is still choosing it."""
    samples = samples_of(request.args.get("colour", ""))
    return fragments.fragment(render_template("staff/general/_samples.html", samples=samples))


def page(place: Place, form: Form, status: int = 200) -> Response:
    with reading() as session:
        live = live_deploy_of(session, place.project)
        deploys = deploys_of(session, place.project.id, None, DEPLOYS_SHOWN + 1)
        has_animal = has_animals(session, place.project.id)
        has_key = has_keys(session, place.project.id)
    now = datetime.now(UTC)
    words = {
        "form": form,
        "about_read": prose(place.project.about),
        "samples": samples_of(form.fields["colour"].data),
        "currencies": CURRENCIES,
        "address": site_address(place.project.slug),
        "steps": steps_of(live, deploys, has_animal, has_key),
        "live": live and publishing.shown(live, place.project, now),
        "changes": changes_of(place.project, live),
        "deploys": [publishing.shown(each, place.project, now) for each in deploys[:DEPLOYS_SHOWN]],
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
    """What visitors do not see yet of what was saved; nothing where they see nothing at all."""
    if live is None:
        return []
    return [Change(LABELS[text], was, is_) for text, was, is_ in differences(project, live)]


def steps_of(live: Deploy | None, deploys: Any, has_animal: bool, has_key: bool) -> list[Step]:
    """The first steps; none where all are done."""
    steps = [
        Step("Add your first animal", url_for(".animals"), has_animal),
        Step("Publish your site", url_for(".general", _anchor="publish"), bool(live or deploys)),
        Step("Make an API key, if other software is to read your animals", url_for(".keys"), has_key),
    ]
    return [] if all(step.done for step in steps) else steps
