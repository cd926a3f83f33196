"""The result of parsing a row: an animal's values, or the reason why the row is rejected."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from adoption.translations import message

SHOWN = 200
"""Limit of characters that are shown from an invalid cell, with the reason."""


NO_SPECIES = message(
    "this new animal has no species. Write it in a species column, or choose one for all such rows"
)


class RowNote(NamedTuple):
    """A note on a cell: the row number, the header or None, the cell's text, and the reason."""

    row: int
    column: str | None
    value: str
    reason: str
    sheet: str = ""
    """The name of the row's sheet, if several sheets are read."""

    def as_json(self) -> dict[str, Any]:
        """Return the note for other programs. It includes the sheet only if several sheets are read."""
        return {key: value for key, value in self._asdict().items() if key != "sheet" or value}


ALONE_MOST = 10
"""Limit of rows that are reported separately, for one problem in one column. More rows are grouped."""
VALUES_SHOWN = 3


class NoteGroup(NamedTuple):
    """One problem in one column, for one row or several rows."""

    first: RowNote
    rows: int
    values: list[str]
    """Some of the distinct values, if the problem occurs in several rows."""

    def as_json(self) -> dict[str, Any]:
        return self.first.as_json() | {"rows": self.rows, "value": ", ".join(self.values)}


def grouped(notes: Iterable[RowNote]) -> list[NoteGroup]:
    """Return the notes.

    Notes on the same problem in more than ``ALONE_MOST`` rows of a column become one note.
    """
    groups: dict[tuple[str | None, str, str], list[RowNote]] = {}
    for note in notes:
        groups.setdefault((note.column, note.reason, note.sheet), []).append(note)
    found = []
    for some in groups.values():
        if len(some) > ALONE_MOST:
            values = list(dict.fromkeys(note.value for note in some))[:VALUES_SHOWN]
            found.append(NoteGroup(some[0], len(some), values))
        else:
            found += [NoteGroup(note, 1, [note.value]) for note in some]
    return found


class RowRefused(Exception):
    def __init__(self, note: RowNote) -> None:
        super().__init__(note.reason)
        self.note = note


Stay = tuple[str, str, int, int]
"""Sort key of an animal's stays: arrival, outcome, rank of the record, and row."""


@dataclass
class ParsedRow:
    """A parsed row, with only the fields that the file sets. A blank field differs from a missing field."""

    row: int
    sheet: str
    code: str | None
    name: str | None
    category_id: int | None
    values: dict[str, Any]
    """The values to set in the animal, by column."""
    care: dict[str, Any]
    """The values to set in the care record, by column."""
    estimate: date | None
    """A birth date counted back from an age. It never replaces a known birth date."""
    stay: Stay
    exact: bool = False
    """Whether the row is from our own export. There, each column sets only its own field."""
    warnings: list[RowNote] = field(default_factory=list)
    needs_earlier: RowNote | None = None
    """Why the row is rejected if no earlier row has the same animal;

    None for rows that need no earlier row.
    """
    blank: frozenset[str] = frozenset()
    """Fields that have only blank cells."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Photo URLs in order, each with its column's header before it."""

    @property
    def exact_birth(self) -> date | None:
        return self.values.get("birth_date")
