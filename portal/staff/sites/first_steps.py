"""The list of first steps for a new shelter, and of next steps after the first publishing."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from flask import g, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals.staff_list import has_animals
from adoption.platform_addresses import site_address
from adoption.projects.deploys import first_published_at
from adoption.projects.models import Project
from adoption.storage.database import reading
from adoption.translations import gettext
from portal.staff import staff

SHOWN_FOR = timedelta(days=7)
"""The time after the first publishing for which the next steps are shown."""


class FirstStep(NamedTuple):
    label: str
    address: str
    """The address of the page for the step. Empty if the step has a button instead."""
    is_done: bool = False


class FirstSteps(NamedTuple):
    """The steps that an owner sees until the site is published, and for a week after that."""

    steps: Sequence[FirstStep] = ()
    site: str = ""
    """The address of the published site. Empty before the first publishing."""
    can_publish: bool = True
    """Whether the site has an animal, so that publishing is worthwhile."""


@staff.context_processor
def steps_for_templates() -> dict[str, Callable[[], FirstSteps]]:
    return {"first_steps": first_steps}


def first_steps() -> FirstSteps:
    access: ProjectAccess = g.access
    project = access.project
    with reading() as session:
        published_at = first_published_at(session, project.id)
        has_animal = published_at is not None or has_animals(session, project.id)
    if published_at is None:
        return FirstSteps(steps_to_publishing(project, has_animal), can_publish=has_animal)
    if project.live_deploy and datetime.now(UTC) < published_at + SHOWN_FOR:
        return FirstSteps(next_steps(), site_address(project.slug))
    return FirstSteps()


def steps_to_publishing(project: Project, has_animal: bool) -> list[FirstStep]:
    return [
        FirstStep(gettext("Add your first animal, or import a spreadsheet"), url_for(".animals"), has_animal),
        FirstStep(
            gettext("Describe your shelter"), url_for(".general"), bool(project.about or project.place)
        ),
        FirstStep(gettext("Publish your site"), "" if has_animal else url_for(".general", _anchor="publish")),
    ]


def next_steps() -> list[FirstStep]:
    return [
        FirstStep(gettext("Check what your adoption form asks"), url_for(".adoption_form")),
        FirstStep(gettext("Import more animals from a spreadsheet"), url_for(".imports")),
        FirstStep(gettext("Invite your team"), url_for(".team")),
    ]
