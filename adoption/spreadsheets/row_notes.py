"""Notes on cells and rows: warnings, and the reasons why rows are rejected."""

from collections.abc import Iterable
from typing import Any, NamedTuple

SHOWN = 200
"""Limit of characters of an invalid cell that are shown with the reason."""


class RowNote(NamedTuple):
    """A note on a cell, or on a whole row if ``column`` is None. The cell's text is in ``value``."""

    row: int
    column: str | None
    value: str
    reason: str
    sheet: str = ""
    """The name of the row's sheet, if several sheets are read."""

    def as_json(self) -> dict[str, Any]:
        """Return the note as JSON. The note has ``sheet`` only if several sheets are read."""
        return {key: value for key, value in self._asdict().items() if key != "sheet" or value}


ALONE_MOST = 10
"""Limit of notes on the same problem in one column that are shown separately. More notes are grouped."""

VALUES_SHOWN = 3


class NoteGroup(NamedTuple):
    """The same problem in one column, in one row or several rows."""

    first: RowNote
    rows: int
    values: list[str]
    """Some of the different values that have the problem."""

    def as_json(self) -> dict[str, Any]:
        return self.first.as_json() | {"rows": self.rows, "value": ", ".join(self.values)}


def group_notes(notes: Iterable[RowNote]) -> list[NoteGroup]:
    """Return the notes in groups.

    More than ``ALONE_MOST`` notes on the same problem in one column become one group.
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
