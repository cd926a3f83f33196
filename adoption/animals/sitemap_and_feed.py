"""Queries for sitemaps and feeds of the public catalogue."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, exists, func, literal, or_, select

from adoption.animals.models import SHOWN, Animal, AnimalCategory
from adoption.animals.validation import WAITING
from adoption.storage.database import reading

PART = 10_000
"""The most animals in one part of a sitemap.

The protocol allows five times as many (sitemaps.org/protocol.html), but other requests wait while a part is
generated.
"""


class Stop(NamedTuple):
    """An animal's page in a sitemap."""

    id: int
    name: str
    project_id: int
    changed: str
    """A time to the second, in RFC 3339 format."""


def parts_of_sitemap(project_id: int | None) -> list[int]:
    """Return the numbers, from 1, of the sitemap parts that have animals, of all projects or of one."""
    with reading() as session:
        if project_id is not None:
            count = select(func.count()).where(SHOWN, Animal.project_id == project_id)
            return list(range(1, -(-session.scalars(count).one() // PART) + 1))
        parts: list[int] = []
        # Across all projects, the id decides the part: nothing is counted, and no animal moves when others
        # are removed.
        shown = select(Animal.id).where(SHOWN).order_by(Animal.id).limit(1)
        while found := session.scalar(shown.where(Animal.id > (parts[-1] * PART if parts else 0))):
            parts.append((found - 1) // PART + 1)
    return parts


def stops(part: int, project_id: int | None) -> list[Stop]:
    """Return the animals of one part by id; empty if there is no such part."""
    skip = (part - 1) * PART
    columns = select(Animal.id, Animal.name, Animal.project_id, Animal.updated_at)
    shown = columns.where(SHOWN).order_by(Animal.id)
    if project_id is None:
        page = shown.where(Animal.id > skip, Animal.id <= skip + PART)
    else:
        page = shown.where(Animal.project_id == project_id).limit(PART).offset(literal(skip, BigInteger))
    with reading() as session:
        return [
            Stop(id_, name, owner, f"{changed:%Y-%m-%dT%H:%M:%SZ}")
            for id_, name, owner, changed in session.execute(page)
        ]


def categories_with_animals(project_id: int | None) -> Sequence[int]:
    """Return the ids of the categories with waiting animals, in all projects or in one."""
    waiting = (SHOWN, or_(*(Animal.status == status for status in WAITING)))
    if project_id is None:
        found = select(AnimalCategory.id).where(
            exists().where(Animal.category_id == AnimalCategory.id, *waiting)
        )
    else:
        found = select(Animal.category_id).where(*waiting, Animal.project_id == project_id).distinct()
    with reading() as session:
        return sorted(session.scalars(found))


class FeedDetails(NamedTuple):
    """What a feed shows of an animal besides its card."""

    description: str
    description_beginning: str | None
    created_at: datetime
    updated_at: datetime


def feed_details(animal_ids: Sequence[int]) -> dict[int, FeedDetails]:
    """Return the feed details of the public animals among these, by id."""
    columns = [getattr(Animal, name) for name in FeedDetails._fields]
    query = select(Animal.id, *columns).where(Animal.id.in_(animal_ids), SHOWN)
    with reading() as session:
        return {row[0]: FeedDetails(*row[1:]) for row in session.execute(query)}
