"""The first steps of a new shelter, shown until its site is published for the first time."""

from collections.abc import Callable
from typing import NamedTuple

from flask import g, url_for

from adoption.accounts.access import Place
from adoption.animals.staff_list import has_animals
from adoption.database import reading
from adoption.projects.queries import has_been_published
from portal.staff import staff


class Step(NamedTuple):
    label: str
    address: str
    """Empty for the step that has a button of its own."""
    is_done: bool


@staff.context_processor
def steps_for_templates() -> dict[str, Callable[[], list[Step]]]:
    return {"first_steps": first_steps}


def first_steps() -> list[Step]:
    """Return the steps up to the first publishing; none after it."""
    place: Place = g.place
    project = place.project
    if project.live_deploy:
        return []
    with reading() as session:
        if has_been_published(session, project.id):
            return []
        has_animal = has_animals(session, project.id)
    return [
        Step("Add your first animal, or import a spreadsheet", url_for(".animals"), has_animal),
        Step("Describe your shelter", url_for(".general"), bool(project.about or project.place)),
        Step("Publish your site", "", False),
    ]
