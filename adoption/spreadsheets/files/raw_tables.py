"""Tables and rows of a file before the cells are parsed.

The reader of each kind of file returns such tables.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adoption.spreadsheets.row_notes import SHOWN, RowNote


class CellTrouble(NamedTuple):
    """The reason why a row cannot be read. ``place`` is the index of the column at fault, if it is known."""

    place: int | None
    value: str
    reason: str


class CellNote(NamedTuple):
    """A note on one cell. If ``is_left_out`` is true, the cell is ignored and its field stays unchanged."""

    place: int
    value: str
    reason: str
    is_left_out: bool = True
    is_guess: bool = False
    """Whether the text only seems damaged. In our own export, such a text is always correct."""


class RawRow(NamedTuple):
    """A row of a file. ``row`` is the row number that a spreadsheet program shows, from 1."""

    row: int
    cells: list[str]
    trouble: CellTrouble | None = None
    notes: Sequence[CellNote] = ()
    sheet: str = ""
    """The name of the row's sheet, if several sheets are read."""
    number: int = 0
    """The row's index, from 0, among all rows that are read."""

    def cell(self, place: int) -> str:
        """Return the text of the cell in this column; empty if the row has fewer cells."""
        return self.cells[place] if place < len(self.cells) else ""

    def note(self, header: str | None, value: str, reason: str) -> RowNote:
        return RowNote(self.row, header, value[:SHOWN], reason, self.sheet)


class Table(NamedTuple):
    """A sheet of a workbook, or the only table of another kind of file."""

    name: str
    rows: Callable[[], Iterator[RawRow]]
    """A function that yields all rows. Each call starts again at the first row."""
    is_hidden: bool = False


@dataclass
class Book:
    """The tables of a file."""

    tables: list[Table]
    serial_shift: int = 0
    """Number of days to add to serial dates: 1,462 if the workbook counts from 1904."""
    encoding: str = ""
    """The encoding, if the file is a text file."""
    close: Callable[[], None] = field(default=lambda: None)
