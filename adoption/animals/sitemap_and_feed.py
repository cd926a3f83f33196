"""Queries for sitemaps and feeds of the public catalogue."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, bindparam, exists, func, or_, select

from adoption.animals.allowed_values import WAITING
from adoption.animals.models import SHOWN_CLAUSE, Animal, AnimalCategory
from adoption.storage.database import reading
from adoption.storage.prepared_statements import Prepared

PART = 10_000
"""Limit of animals in one part of a sitemap.

The protocol allows five times as many (sitemaps.org/protocol.html). But other requests wait while a part is
generated.
"""


class SitemapEntry(NamedTuple):
    """An animal's page in a sitemap."""

    id: int
    name: str
    project_id: int
    changed: str
    """The time when the animal was last changed or first shown, to the second, in RFC 3339 format."""


def parts_of_sitemap(project_id: int | None) -> list[int]:
    """Return the numbers, from 1, of the sitemap parts that have animals.

    ``project_id`` None means all projects.
    """
    with reading() as session:
        if project_id is not None:
            count = select(func.count()).where(SHOWN_CLAUSE, Animal.project_id == project_id)
            return list(range(1, -(-session.scalars(count).one() // PART) + 1))
        parts: list[int] = []
        # For all projects, an animal's id determines its part. So no animals are counted, and a removal moves
        # no other animal to another part.
        shown = select(Animal.id).where(SHOWN_CLAUSE).order_by(Animal.id).limit(1)
        while found := session.scalar(shown.where(Animal.id > (parts[-1] * PART if parts else 0))):
            parts.append((found - 1) // PART + 1)
    return parts


_page = (
    select(Animal.id, Animal.name, Animal.project_id, Animal.updated_at, Animal.shown_at)
    .where(SHOWN_CLAUSE)
    .order_by(Animal.id)
)
# Prepared, because other requests wait during this query. In a session, 10,000 rows doubled the page's CPU
# time.
SITEMAP_ENTRIES = Prepared(_page.where(Animal.id > bindparam("skip"), Animal.id <= bindparam("last")))
SITEMAP_ENTRIES_OF_PROJECT = Prepared(
    _page.where(Animal.project_id == bindparam("project_id"))
    .limit(PART)
    .offset(bindparam("skip", type_=BigInteger))
)


def sitemap_entries(part: int, project_id: int | None) -> list[SitemapEntry]:
    """Return the animals in one part, sorted by id; empty if there is no such part."""
    skip = (part - 1) * PART
    if project_id is None:
        rows = SITEMAP_ENTRIES.rows(skip=skip, last=skip + PART)
    else:
        rows = SITEMAP_ENTRIES_OF_PROJECT.rows(project_id=project_id, skip=skip)
    return [
        SitemapEntry(id_, name, owner, to_the_second(max(changed, shown or changed)))
        for id_, name, owner, changed, shown in rows
    ]


def to_the_second(when: Any) -> str:
    """Return a time from either database driver as text, to the second."""
    text = when if isinstance(when, str) else when.astimezone(UTC).isoformat()
    return f"{text[:10]}T{text[11:19]}Z"


def categories_with_animals(project_id: int | None) -> Sequence[int]:
    """Return the ids of the categories with waiting animals, in one project or (None) in all."""
    waiting = (SHOWN_CLAUSE, or_(*(Animal.status == status for status in WAITING)))
    if project_id is None:
        found = select(AnimalCategory.id).where(
            exists().where(Animal.category_id == AnimalCategory.id, *waiting)
        )
    else:
        found = select(Animal.category_id).where(*waiting, Animal.project_id == project_id).distinct()
    with reading() as session:
        return sorted(session.scalars(found))


class FeedDetails(NamedTuple):
    """The columns of an animal that a feed shows, in addition to the columns of its catalogue card."""

    description: str
    description_beginning: str | None
    shown_at: datetime
    updated_at: datetime

    @property
    def changed_at(self) -> datetime:
        """When the animal was last changed or first shown."""
        return max(self.updated_at, self.shown_at)


def feed_details(animal_ids: Sequence[int]) -> dict[int, FeedDetails]:
    """Return the feed details by id, only for public animals."""
    columns = [getattr(Animal, name) for name in FeedDetails._fields]
    query = select(Animal.id, *columns).where(Animal.id.in_(animal_ids), SHOWN_CLAUSE)
    with reading() as session:
        return {row[0]: FeedDetails(*row[1:]) for row in session.execute(query)}
