import time
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Engine, and_, bindparam, select
from sqlalchemy.orm import Session

from adoption.errors import NotFound
from adoption.projects.models import SITE_TEXTS, Deploy, Project, SiteTexts, VisibilityChange
from adoption.storage.database import db, reading
from adoption.storage.prepared_statements import Prepared


class Site(NamedTuple):
    """A published project as visitors see it, with the texts of its live deploy."""

    project_id: int
    slug: str
    name: str
    about: str
    place: str
    contact_email: str
    contact_phone: str
    colour: str
    currency: str
    website: str
    adoption_policy: str
    time_zone: str


LIVE = and_(Deploy.project_id == Project.id, Deploy.number == Project.live_deploy)
"""The condition that joins a project with its live deploy. Unpublished projects have no live deploy."""

OF_SITE = (
    Project.id,
    Project.slug,
    *(getattr(Deploy, text) for text in Site._fields[2:-1]),
    Project.time_zone,
)
"""The columns of a ``Site``, in the order of its fields."""

_sites = select(*OF_SITE).join(Deploy, LIVE)
SITE = Prepared(_sites.where(Project.slug == bindparam("slug")))


def find_published_site(slug: str) -> Site | None:
    """Return the published site with this slug, or None."""
    row = SITE.first(slug=slug)
    return None if row is None else Site._make(row)


def has_colour(colour: str) -> bool:
    """Return whether a published site, or a draft with a preview, has this colour."""
    draft = select(Project.id).where(Project.colour == colour).limit(1)
    site = select(Project.id).join(Deploy, LIVE).where(Deploy.colour == colour).limit(1)
    with reading() as session:
        return session.scalar(draft) is not None or session.scalar(site) is not None


class ShelterChoice(NamedTuple):
    """A published project in a list of choices."""

    project_id: int
    slug: str
    name: str
    place: str


CHOICES_MOST = 60
"""The maximum number of shelters in a list of choices. A longer list would be hard to use."""
_shelters = select(Project.id, Project.slug, Deploy.name, Deploy.place).join(Deploy, LIVE)
SOME_SHELTERS = Prepared(_shelters.limit(bindparam("limit")))
CACHED_SECONDS = 10
"""The time for which the result of ``has_too_many_shelters`` is cached, in seconds."""


def list_shelter_choices() -> tuple[ShelterChoice, ...]:
    """Return all published shelters, sorted by name; none if there are more than ``CHOICES_MOST``."""
    if has_too_many_shelters(db.engine, int(time.monotonic() / CACHED_SECONDS)):
        return ()
    return tuple(sort_by_name(SOME_SHELTERS.rows(limit=CHOICES_MOST)))


@lru_cache(maxsize=10)
def has_too_many_shelters(_engine: Engine, _tick: int) -> bool:
    return len(SOME_SHELTERS.rows(limit=CHOICES_MOST + 1)) > CHOICES_MOST


def sort_by_name(rows: list[tuple[Any, ...]]) -> list[ShelterChoice]:
    return sorted(map(ShelterChoice._make, rows), key=lambda shelter: (shelter.name.casefold(), shelter.slug))


def find_project_by_slug(session: Session, slug: str) -> Project:
    """Return the project with this slug. Raises NotFound if there is no such project."""
    project = session.scalar(select(Project).where(Project.slug == slug))
    if project is None:
        raise NotFound(f"There is no project called {slug!r}.")
    return project


def slug_of_petfinder_id(session: Session, petfinder_id: str) -> str | None:
    """Return the slug of the project with this id at Petfinder; None if no project has it."""
    return session.scalar(select(Project.slug).where(Project.petfinder_id == petfinder_id))


NUMBER_LARGEST = 2**31 - 1
"""The largest number that the column ``Deploy.number`` can contain."""


class TextDifference(NamedTuple):
    """A text of the site whose draft differs from the live text."""

    text: str
    """The name of the text, from ``SITE_TEXTS``."""
    live: str
    draft: str


def find_live_deploy(session: Session, project: Project) -> Deploy | None:
    """Return the deploy that visitors see; None if the site is not published."""
    number = project.live_deploy
    return None if number is None else find_successful_deploy(session, project.id, number)


def find_successful_deploy(session: Session, project_id: int, number: int) -> Deploy:
    """Return a successful deploy of this project. Raises NotFound if the deploy failed or does not exist."""
    deploy = select(Deploy).where(Deploy.project_id == project_id, Deploy.number == number, Deploy.succeeded)
    found = session.scalar(deploy) if number <= NUMBER_LARGEST else None
    if found is None:
        raise NotFound("There is no such deploy.")
    return found


def list_deploys(session: Session, project_id: int, before: int | None, limit: int) -> Sequence[Deploy]:
    """Return the deploys of a project, newest first; with ``before``, only deploys with lower numbers."""
    found = select(Deploy).where(Deploy.project_id == project_id)
    if before is not None and before <= NUMBER_LARGEST:
        found = found.where(Deploy.number < before)
    return session.scalars(found.order_by(Deploy.number.desc()).limit(limit)).all()


def first_published_at(session: Session, project_id: int) -> datetime | None:
    """Return the time when the project was first published; None if the project was never published."""
    succeeded = select(Deploy.created_at).where(Deploy.project_id == project_id, Deploy.succeeded)
    return session.scalar(succeeded.order_by(Deploy.number).limit(1))


def compare_texts(draft: SiteTexts, live: SiteTexts) -> list[TextDifference]:
    """Return the texts that visitors would see changed if the draft were published now."""
    both = [(text, getattr(live, text), getattr(draft, text)) for text in SITE_TEXTS]
    return [TextDifference(*each) for each in both if each[1] != each[2]]


def all_projects(session: Session) -> Sequence[Project]:
    return session.scalars(select(Project).order_by(Project.slug)).all()


def is_visibility_changing(project_id: int) -> bool:
    """Return whether the animals of a large project are still being published or hidden."""
    with reading() as session:
        return session.get(VisibilityChange, project_id) is not None
