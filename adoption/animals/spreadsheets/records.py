"""Rows and tables of a file, as every reader returns them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class CellTrouble(NamedTuple):
    """Why a row cannot be read: the place of the cell in its row or None, its text, the reason."""

    place: int | None
    value: str
    reason: str


class CellNote(NamedTuple):
    """A remark on one cell. If it ``is_left_out``, the cell says nothing and its field stays unchanged."""

    place: int
    value: str
    reason: str
    is_left_out: bool = True
    is_guess: bool = False
    """The text may be correct. In our own export all text is."""


class RawRow(NamedTuple):
    """A row of a file. ``row`` counts as a spreadsheet program shows it, from 1."""

    row: int
    cells: list[str]
    trouble: CellTrouble | None = None
    notes: Sequence[CellNote] = ()
    sheet: str = ""
    """The name of its sheet, if rows of more than one sheet are read."""
    number: int = 0
    """Its position among all rows that are read from the file."""


class Table(NamedTuple):
    """A sheet of a workbook, or the only table of another file."""

    name: str
    rows: Callable[[], Iterator[RawRow]]
    """Yields every row from the first one, each time that it is called."""
    is_hidden: bool = False


@dataclass
class Book:
    """The tables of a file."""

    tables: list[Table]
    serial_shift: int = 0
    """Days to add to a date that is written as a plain number: 1,462 if the workbook counts from 1904."""
    encoding: str = ""
    """The encoding of a text file."""
    close: Callable[[], None] = field(default=lambda: None)
