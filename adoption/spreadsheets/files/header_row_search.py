"""Search for the header of a table."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from adoption.errors import FileRefused
from adoption.spreadsheets.columns.column_recognition import HeaderLayout, recognise_header
from adoption.spreadsheets.files.damaged_cells import mark_damaged_cells
from adoption.spreadsheets.files.raw_tables import RawRow
from adoption.spreadsheets.files.row_store import COLUMNS_MOST
from adoption.translations import message

ABOVE_MOST = 1_000
"""Limit of rows in which the header is searched for. Many rows above a header can be blank."""
FILLED_MOST = 60
"""Limit of non-blank rows above the header, such as titles, addresses and instructions."""
EMPTY = message("The file is empty. Its first row must name the columns, such as code, name, species.")


TOO_WIDE = (
    f"Row {{}} has more than {COLUMNS_MOST:,} columns. Delete the columns that are not needed, or check that "
    "the row ends where it should."
)


class HeaderFound(NamedTuple):
    header: RawRow
    layout: HeaderLayout
    """The columns with a meaning, if any."""
    rows: Iterator[RawRow]
    """The rows below the header."""


def find_header(rows: Iterator[RawRow]) -> HeaderFound:
    """Return the header of a table: the first row with two known columns, or else the likeliest row.

    Raises FileRefused if the table has too many columns, fewer than two columns or no text.
    """
    above: list[RawRow] = []
    filled: list[RawRow] = []
    for record in map(narrowed, islice(rows, ABOVE_MOST)):
        above.append(record)
        if any(cell.strip() for cell in record.cells):
            filled.append(mark_damaged_cells(record))
            if recognise_header(filled[-1].cells).known >= 2 or len(filled) == FILLED_MOST:
                break
    if not filled:
        raise FileRefused(EMPTY)
    best = likeliest_header(filled)
    layout = recognise_header(best.cells)
    if not layout.known and width_of(best) < 2:
        raise FileRefused(unknown_header(best.cells))
    return HeaderFound(best, layout, chain((each for each in above if each.row > best.row), rows))


def narrowed(record: RawRow) -> RawRow:
    """Return the row without blank cells after the last allowed column.

    Raises FileRefused if a cell after the last allowed column is filled.
    """
    if len(record.cells) <= COLUMNS_MOST:
        return record
    if any(cell.strip() for cell in record.cells[COLUMNS_MOST:]):
        raise FileRefused(TOO_WIDE.format(record.row))
    return record._replace(cells=record.cells[:COLUMNS_MOST])


def likeliest_header(filled: list[RawRow]) -> RawRow:
    """Return the likeliest header.

    A row with two or more known columns is the likeliest, then a row with one known column. Of equally likely
    rows, the first row that is mostly filled is returned, or else the first row.
    """
    widest = max(map(width_of, filled))
    return max(
        filled, key=lambda each: (min(recognise_header(each.cells).known, 2), width_of(each) * 2 > widest)
    )


def width_of(record: RawRow) -> int:
    return sum(bool(cell.strip()) for cell in record.cells)


def unknown_header(cells: Sequence[str]) -> str:
    names = ", ".join(f'"{cell.strip()[:40]}"' for cell in cells[:6])
    return (
        f"No column of the header was recognised: {names}. "
        "The first row must name the columns, such as code, name, species, status."
    )
