"""The result of reading a row: values for an animal, or the reason why the row is rejected."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

SHOWN = 200
"""Letters of a cell that are shown beside the reason why it was not taken."""


NO_SPECIES = "this new animal has no species. Write it in a species column, or choose one for all such rows"


class RowNote(NamedTuple):
    """A cell that was not taken: its spreadsheet row, the header as written or None, the cell, the reason."""

    row: int
    column: str | None
    value: str
    reason: str
    sheet: str = ""
    """The name of its sheet, if rows of more than one sheet are read."""

    def as_json(self) -> dict[str, Any]:
        """Return the note as other programs read it; it has a sheet only where there is more than one."""
        return {key: value for key, value in self._asdict().items() if key != "sheet" or value}


ALONE_MOST = 10
"""Rows with the same problem in one column that are each reported; more are reported together."""
VALUES_SHOWN = 3


class NoteGroup(NamedTuple):
    """One problem of one column, in a single row or in many."""

    first: RowNote
    rows: int
    values: list[str]
    """Some of the different values, if there are more rows."""

    def as_json(self) -> dict[str, Any]:
        return self.first.as_json() | {"rows": self.rows, "value": ", ".join(self.values)}


def grouped(notes: Iterable[RowNote]) -> list[NoteGroup]:
    """Return each note, or one for a column that has the same problem in more than ``ALONE_MOST`` rows."""
    groups: dict[tuple[str | None, str, str], list[RowNote]] = {}
    for note in notes:
        groups.setdefault((note.column, note.reason, note.sheet), []).append(note)
    told = []
    for some in groups.values():
        if len(some) > ALONE_MOST:
            values = list(dict.fromkeys(note.value for note in some))[:VALUES_SHOWN]
            told.append(NoteGroup(some[0], len(some), values))
        else:
            told += [NoteGroup(note, 1, [note.value]) for note in some]
    return told


class RowRefused(Exception):
    def __init__(self, note: RowNote) -> None:
        super().__init__(note.reason)
        self.note = note


Stay = tuple[str, str, int, int]
"""Sort key of the stays of one animal: arrival, outcome, rank of the record, row."""


@dataclass
class ParsedRow:
    """A parsed row. It has only fields that the file sets, so that blank and absent fields differ."""

    row: int
    sheet: str
    code: str | None
    name: str | None
    category_id: int | None
    values: dict[str, Any]
    """Columns of the animal to be set, by name."""
    care: dict[str, Any]
    """Columns of its care record to be set, by name."""
    estimate: date | None
    """A birth date counted back from an age. It never replaces a known date."""
    stay: Stay
    exact: bool = False
    """Whether it is from our own export, where each column sets its field whatever the others say."""
    warnings: list[RowNote] = field(default_factory=list)
    needs_earlier: RowNote | None = None
    """Why the row is rejected unless an earlier row is of the same animal; None for other rows."""
    blank: frozenset[str] = frozenset()
    """Fields whose cells are all blank."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Addresses of pictures in their order, each after its column's header."""

    @property
    def exact_birth(self) -> date | None:
        return self.values.get("birth_date")
