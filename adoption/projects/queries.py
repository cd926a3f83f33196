from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.errors import NotFound
from adoption.projects.models import Project


def project_named(session: Session, slug: str) -> Project:
    """The project with this slug. Raises NotFound."""
    project = session.scalar(select(Project).where(Project.slug == slug))
    if project is None:
        raise NotFound(f"There is no project called {slug!r}.")
    return project


def all_projects(session: Session) -> Sequence[Project]:
    return session.scalars(select(Project).order_by(Project.slug)).all()
