"""Rows and tables of a file, as all readers return them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adoption.spreadsheets.row_results import SHOWN, RowNote


class CellTrouble(NamedTuple):
    """Why a row cannot be read: the column or None, the cell's text, and the reason."""

    place: int | None
    value: str
    reason: str


class CellNote(NamedTuple):
    """A note on one cell. If it ``is_left_out``, the cell is ignored and its field stays unchanged."""

    place: int
    value: str
    reason: str
    is_left_out: bool = True
    is_guess: bool = False
    """Whether the text may be correct. In our own export it always is."""


class RawRow(NamedTuple):
    """A row of a file. ``row`` is its number in a spreadsheet program, from 1."""

    row: int
    cells: list[str]
    trouble: CellTrouble | None = None
    notes: Sequence[CellNote] = ()
    sheet: str = ""
    """The name of its sheet, if several sheets are read."""
    number: int = 0
    """Its index among all rows that are read."""

    def cell(self, place: int) -> str:
        """Return the text of the cell in this column; empty if the row is shorter."""
        return self.cells[place] if place < len(self.cells) else ""

    def note(self, header: str | None, value: str, reason: str) -> RowNote:
        return RowNote(self.row, header, value[:SHOWN], reason, self.sheet)


class Table(NamedTuple):
    """A sheet of a workbook, or the only table of another file."""

    name: str
    rows: Callable[[], Iterator[RawRow]]
    """Yields all rows from the first, on each call."""
    is_hidden: bool = False


@dataclass
class Book:
    """The tables of a file."""

    tables: list[Table]
    serial_shift: int = 0
    """Days to add to serial dates: 1,462 if the workbook counts from 1904."""
    encoding: str = ""
    """The encoding of a text file."""
    close: Callable[[], None] = field(default=lambda: None)
