"""Lookup of projects, published or not."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.errors import NotFound
from adoption.projects.models import Project, VisibilityChange
from adoption.storage.database import reading


def find_project_by_slug(session: Session, slug: str) -> Project:
    """Return the project with this slug. Raises NotFound if there is no such project."""
    project = session.scalar(select(Project).where(Project.slug == slug))
    if project is None:
        raise NotFound(f"There is no project called {slug!r}.")
    return project


def slug_of_petfinder_id(session: Session, petfinder_id: str) -> str | None:
    """Return the slug of the project with this id at Petfinder; None if no project has it."""
    return session.scalar(select(Project.slug).where(Project.petfinder_id == petfinder_id))


def all_projects(session: Session) -> Sequence[Project]:
    return session.scalars(select(Project).order_by(Project.slug)).all()


def is_visibility_changing(project_id: int) -> bool:
    """Return whether the animals of a large project are still being published or hidden."""
    with reading() as session:
        return session.get(VisibilityChange, project_id) is not None
