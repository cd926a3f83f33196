"""The rows of a file that belong to one animal, and the row of the animal's newest stay."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from adoption.spreadsheets.identity_comparison import Identity
from adoption.spreadsheets.parsed_rows import ParsedRow


@dataclass(slots=True)
class AnimalRows:
    """The rows of one animal. Only the row of the animal's newest stay is imported."""

    who: Identity
    newest: tuple[Any, ...]
    values_hash: int
    """Hash of the values of the newest stay among the rows so far."""
    rows: list[tuple[str, int]]
    """Sheet and number of each row."""
    changes: int = 0
    """Number of rows that were the newest stay so far, and had other values than the stay before."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Header and photo URL of each photo in rows that add only photos."""
    nth: int = 0
    """The index, from 0, of an animal without a code among the animals with the same identity."""
    next: "AnimalRows | None" = None
    """The rows of the next animal in the file that has the same code."""

    def add(self, read: ParsedRow) -> None:
        values_hash = row_hash(read)
        self.rows.append((read.sheet, read.row))
        self.photos += read.photos if read.needs_earlier else []
        self.who = Identity.of_row(read).or_else(self.who)
        if read.stay > self.newest:
            self.changes += values_hash != self.values_hash
            self.newest, self.values_hash = read.stay, values_hash

    def chain(self) -> Iterator["AnimalRows"]:
        each: AnimalRows | None = self
        while each is not None:
            yield each
            each = each.next


def row_hash(read: ParsedRow) -> int:
    return hash((read.name, read.category_id, repr(read.values), repr(read.care)))


class UpsertRow(NamedTuple):
    """An animal's newest row, with the data that finds the animal in the database."""

    parsed: ParsedRow
    group: AnimalRows
    nth: int = 0
    """The index of a row without a code among the animals with the same name, category and birth date."""
    taken: Collection[date] = ()
    """Birth dates of the file's animals with the same name and category."""
    rivals: Sequence[AnimalRows] = ()
    """Animals that have the same code and come earlier in the file."""
    choice: str = ""
    """The user's choice for a code that two animals have."""
