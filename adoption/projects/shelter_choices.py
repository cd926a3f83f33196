"""The published shelters as choices of a filter."""

import time
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Engine, bindparam, select

from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE
from adoption.storage.database import db
from adoption.storage.prepared_statements import Prepared


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
    """Return all published shelters, sorted by name.

    If there are more than ``CHOICES_MOST``, return no shelters.
    """
    if has_too_many_shelters(db.engine, int(time.monotonic() / CACHED_SECONDS)):
        return ()
    return tuple(sort_by_name(SOME_SHELTERS.rows(limit=CHOICES_MOST)))


@lru_cache(maxsize=10)
def has_too_many_shelters(_engine: Engine, _tick: int) -> bool:
    return len(SOME_SHELTERS.rows(limit=CHOICES_MOST + 1)) > CHOICES_MOST


def sort_by_name(rows: list[tuple[Any, ...]]) -> list[ShelterChoice]:
    return sorted(map(ShelterChoice._make, rows), key=lambda shelter: (shelter.name.casefold(), shelter.slug))
