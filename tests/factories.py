"""Rows that tests insert directly."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select, update

from adoption.accounts.account_creation import create_account
from adoption.animals.models import Animal, Bond
from adoption.animals.photo_models import Photo
from adoption.animals.removals import removal, restoration, update_project_animals
from adoption.projects.models import Project
from adoption.projects.publication import publish_site
from adoption.storage.database import reading, transaction

NOW = datetime(2026, 11, 28, tzinfo=UTC)


def project(
    name: str = "Elm Road Rescue",
    *,
    published: bool = True,
    plan: str = "free",
    owner: str = "owner@example.org",
    password: str | None = None,
    **texts: Any,
) -> Project:
    """Add a shelter's project with these texts. If a password is set, the owner can sign in."""
    _, made = create_account(name, owner, plan, password=password)
    if texts:
        with transaction() as session:
            session.execute(update(Project).where(Project.id == made.id).values(**texts))
    if published:
        publish_site(made.slug)
    return made


def animal(of: Project, name: str = "Biscuit", photos: int = 0, **rest: Any) -> int:
    """Add an available dog. Return its id. ``rest`` has values of other columns."""
    known = {"category_id": 1, "status": "available", "created_at": NOW, "updated_at": NOW, **rest}
    with transaction() as session:
        made = Animal(project_id=of.id, name=name, **known)
        session.add(made)
        session.flush()
        for position in range(photos):
            session.add(photo(made.id, position))
        return made.id


def photo(animal_id: int, position: int, **rest: Any) -> Photo:
    given = {"digest": f"{animal_id:032}{position:032}", "width": 1200, "height": 900, "created_at": NOW}
    return Photo(animal_id=animal_id, position=position, **given | rest)


def bond(of: Project) -> int:
    with transaction() as session:
        made = Bond(project_id=of.id)
        session.add(made)
        session.flush()
        return made.id


def remove_animals(project_id: int, ids: Iterable[int], now: datetime | None = None) -> list[int]:
    """Remove animals of a project. Return the ids of animals that were not already removed."""
    with transaction() as session:
        return update_project_animals(session, project_id, ids, *removal(now or datetime.now(UTC)))


def restore_animals(project_id: int, ids: Iterable[int], now: datetime | None = None) -> list[int]:
    """Restore removed animals of a project. Return the ids of the restored animals."""
    with transaction() as session:
        return update_project_animals(session, project_id, ids, *restoration(now or datetime.now(UTC)))


def count_animals() -> int:
    with reading() as session:
        return session.scalar(select(func.count()).select_from(Animal)) or 0
