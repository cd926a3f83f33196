"""The picture that stands for a shelter: the cover photo of one of its animals."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select

from adoption.animals.models import SHOWN, Animal, Photo
from adoption.projects.models import Project
from adoption.storage.database import reading

LOOKED_AT = 40
"""Of a shelter's newest animals: one that takes no photos is not looked through."""


class Cover(NamedTuple):
    """A photo, as ``components/photo.html`` shows it."""

    digest: str
    width: int
    height: int
    blur: str


def covers_of(project_ids: Sequence[int]) -> dict[int, Cover]:
    """Return for each of these projects the cover photo of its newest waiting animal that has one."""
    newest = (
        select(Animal.id)
        .where(Animal.project_id == Project.id, SHOWN, Animal.status == "available")
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
    asked = (
        select(Project.id, *(getattr(Photo, name) for name in Cover._fields))
        .join(Photo, Photo.id == photo_id)
        .where(Project.id.in_(project_ids))
    )
    with reading() as session:
        return {row[0]: Cover(*row[1:]) for row in session.execute(asked)}
