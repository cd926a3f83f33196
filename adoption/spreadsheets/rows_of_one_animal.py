"""The rows of a file that belong to one animal."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from adoption.spreadsheets.animal_identity import Identity
from adoption.spreadsheets.parsed_rows import ParsedRow


@dataclass(slots=True)
class AnimalRows:
    """The rows of one animal. Only the row of its newest stay is imported."""

    who: Identity
    newest: tuple[Any, ...]
    values_hash: int
    """Hash of the values of the newest stay among the rows so far."""
    rows: list[tuple[str, int]]
    """Sheet and number of each row."""
    changes: int = 0
    """Number of rows that are newer than the rows before them and have other values."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Photo URLs from rows that add only photos."""
    nth: int = 0
    """Index of the animal, from 0, among the file's animals with the same name, category and birth date."""
    next: "AnimalRows | None" = None
    """The rows of another animal with the same code."""

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
