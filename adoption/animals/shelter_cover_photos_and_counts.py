"""The cover photo and the number of waiting animals of each shelter."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from adoption.animals.allowed_values import WAITING
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.animals.photo_models import Photo
from adoption.projects.models import Project
from adoption.storage.database import reading

LOOKED_AT = 40
"""Number of a shelter's newest animals in which a photo is searched for."""


class Cover(NamedTuple):
    """A photo for ``components/photo.html``."""

    digest: str
    width: int
    height: int
    blur: str


def covers_of(project_ids: Sequence[int]) -> dict[int, Cover]:
    """Return each project's cover photo, from its newest waiting animal with a photo."""
    newest = (
        select(Animal.id)
        .where(Animal.project_id == Project.id, SHOWN_CLAUSE, Animal.status == "available")
        .order_by(Animal.id.desc())
        .limit(LOOKED_AT)
        .correlate(Project)
    )
    photo_id = (
        select(Photo.id)
        .where(Photo.position == 0, Photo.animal_id.in_(newest))
        .order_by(Photo.animal_id.desc())
        .limit(1)
        .correlate(Project)
        .scalar_subquery()
    )
    query = (
        select(Project.id, *(getattr(Photo, name) for name in Cover._fields))
        .join(Photo, Photo.id == photo_id)
        .where(Project.id.in_(project_ids))
    )
    with reading() as session:
        return {row[0]: Cover(*row[1:]) for row in session.execute(query)}


def count_waiting_animals(project_ids: Sequence[int]) -> dict[int, int]:
    """Return how many listed animals of each project can still be adopted."""
    query = (
        select(Animal.project_id, func.count())
        .where(Animal.project_id.in_(project_ids), Animal.listed, Animal.status.in_(WAITING))
        .group_by(Animal.project_id)
    )
    with reading() as session:
        return {row[0]: row[1] for row in session.execute(query)}
