"""The orders of the list of animals. A position is where the next page starts."""

import hashlib
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple, Protocol

from sqlalchemy import func, select

from adoption.animals.models import Animal
from adoption.animals.records.pages import OLDEST, RecordPosition, RecordQuery, Row, read_page
from adoption.animals.records.visibility import IN_DIRECTORY
from adoption.places.nearby_projects import NearbyProject
from adoption.storage.prepared_statements import Prepared

SORTS = {"recent": "newest", "-recent": OLDEST}
SORT_NAMES = (*SORTS, "distance", "-distance", "random")
LARGEST_ID = Prepared(select(func.coalesce(func.max(Animal.id), 0)))

Step = tuple[Row, Any]
"""An animal's row, and the position after it."""


class AnimalOrder(Protocol):
    """An order of the animals that match the filters."""

    def read(self, columns: tuple[str, ...], after: Any, limit: int) -> list[Step]:
        """Return up to ``limit`` animals after this position; from the first one if it is None."""


class SortedOrder(NamedTuple):
    """An order by a column."""

    sort: str
    filters: Mapping[str, Any]
    today: date

    def read(self, columns: tuple[str, ...], after: Any, limit: int) -> list[Step]:
        query = RecordQuery(columns, self.filters, self.sort, after, limit)
        rows = read_page(IN_DIRECTORY, query, self.today, {})
        return [(row, RecordPosition(row[0], row[-1])) for row in rows]


class DistanceOrder(NamedTuple):
    """Nearest shelters first, and by id within a shelter."""

    filters: Mapping[str, Any]
    today: date
    shelters: tuple[NearbyProject, ...]
    """The shelters with matching animals, in the order of the list."""

    def read(self, columns: tuple[str, ...], after: Any, limit: int) -> list[Step]:
        found: list[Step] = []
        _, project_id, last_id = after or (None, 0, None)
        has_begun = after is None
        for shelter in self.shelters:
            has_begun = has_begun or shelter.project_id == project_id
            if not has_begun or len(found) == limit:
                continue
            start = RecordPosition(last_id) if shelter.project_id == project_id and last_id else None
            within = {**self.filters, "shelter": (shelter.project_id,)}
            query = RecordQuery(columns, within, "id", start, limit - len(found))
            rows = read_page(IN_DIRECTORY, query, self.today, {})
            found += [(row, (shelter.metres, shelter.project_id, row[0])) for row in rows]
        return found


class RandomOrder(NamedTuple):
    """By id from an id that depends on the seed, and then from the first id to that one."""

    filters: Mapping[str, Any]
    today: date
    seed: str

    def read(self, columns: tuple[str, ...], after: Any, limit: int) -> list[Step]:
        start = after[0] if after else self.first_id()
        is_second_part, last_id = after[1:] if after else (False, start)
        found: list[Step] = []
        if not is_second_part:
            found = [(row, (start, False, row[0])) for row in self.rows(columns, last_id, limit)]
            last_id = 0
        if len(found) < limit:
            rest = self.rows(columns, last_id, limit - len(found))
            found += [(row, (start, True, row[0])) for row in rest if row[0] <= start]
        return found

    def rows(self, columns: tuple[str, ...], last_id: int, limit: int) -> list[Row]:
        query = RecordQuery(columns, self.filters, "id", RecordPosition(last_id), limit)
        return read_page(IN_DIRECTORY, query, self.today, {})

    def first_id(self) -> int:
        number = int.from_bytes(hashlib.sha256(self.seed.encode()).digest()[:8])
        return number % (int(LARGEST_ID.rows()[0][0]) + 1)
