"""The directory of published shelters, with a search by name and town."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select

from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE
from adoption.projects.shelter_search_index import has_prefix
from adoption.storage.database import reading

BY_NAME, BY_TOWN = "name", "town"
ORDERS: dict[str, tuple[Any, ...]] = {
    BY_NAME: (func.lower(Deploy.name), Project.id),
    # Shelters without a town are last.
    BY_TOWN: (Deploy.place == "", func.lower(Deploy.place), func.lower(Deploy.name), Project.id),
}


class DirectoryEntry(NamedTuple):
    """A published shelter, with the texts that visitors see."""

    project_id: int
    slug: str
    name: str
    place: str
    colour: str


class DirectoryPage(NamedTuple):
    total: int
    number: int
    """The number of this page, from 1. If the requested number is too high, this is the last page."""
    last: int
    shelters: tuple[DirectoryEntry, ...]


def directory_page(words: Sequence[str], order: str, number: int, size: int) -> DirectoryPage:
    """Return a page of the published shelters whose name and town contain all ``words``.

    ``words`` are folded. Each word can be the beginning of a longer word.
    """
    conditions = [has_prefix(word) for word in words]
    found = select(Project.id, Project.slug, Deploy.name, Deploy.place, Deploy.colour).join(Deploy, LIVE)
    count = select(func.count()).select_from(Project).join(Deploy, LIVE)
    with reading() as session:
        total = session.scalar(count.where(*conditions)) or 0
        last = max(1, -(-total // size))
        number = min(number, last)
        page = found.where(*conditions).order_by(*ORDERS[order]).offset((number - 1) * size).limit(size)
        shelters = tuple(DirectoryEntry(*row) for row in session.execute(page))
    return DirectoryPage(total, number, last, shelters)
