"""The result of parsing a row: an animal's values, or the reason for rejecting it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from adoption.translations import message

SHOWN = 200
"""Characters of an invalid cell that are shown with the reason."""


NO_SPECIES = message(
    "this new animal has no species. Write it in a species column, or choose one for all such rows"
)


class RowNote(NamedTuple):
    """A note on a cell: row number, header or None, the cell's text, and the reason."""

    row: int
    column: str | None
    value: str
    reason: str
    sheet: str = ""
    """The name of its sheet, if several sheets are read."""

    def as_json(self) -> dict[str, Any]:
        """Return the note for other programs. It has a sheet only if several are read."""
        return {key: value for key, value in self._asdict().items() if key != "sheet" or value}


ALONE_MOST = 10
"""Rows with the same problem in one column that are reported one by one. More are grouped."""
VALUES_SHOWN = 3


class NoteGroup(NamedTuple):
    """One problem of one column, in one row or several."""

    first: RowNote
    rows: int
    values: list[str]
    """Some of the distinct values, if there are several rows."""

    def as_json(self) -> dict[str, Any]:
        return self.first.as_json() | {"rows": self.rows, "value": ", ".join(self.values)}


def grouped(notes: Iterable[RowNote]) -> list[NoteGroup]:
    """Return each note, or one per column for a problem in more than ``ALONE_MOST`` rows."""
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
"""Sort key of an animal's stays: arrival, outcome, rank of the record, row."""


@dataclass
class ParsedRow:
    """A parsed row. It has only the fields that the file sets: a blank field is not an absent one."""

    row: int
    sheet: str
    code: str | None
    name: str | None
    category_id: int | None
    values: dict[str, Any]
    """Columns of the animal to set."""
    care: dict[str, Any]
    """Columns of its care record to set."""
    estimate: date | None
    """A birth date counted back from an age. It never replaces a known date."""
    stay: Stay
    exact: bool = False
    """Whether the row is from our own export, where each column sets only its own field."""
    warnings: list[RowNote] = field(default_factory=list)
    needs_earlier: RowNote | None = None
    """Why the row is rejected unless an earlier row has the same animal; None for other rows."""
    blank: frozenset[str] = frozenset()
    """Fields whose cells are all blank."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Photo URLs in order, each after its column's header."""

    @property
    def exact_birth(self) -> date | None:
        return self.values.get("birth_date")
