"""Where the header of a table is, and where its rows begin."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from adoption.animals.spreadsheets.cell_checks import check_cells
from adoption.animals.spreadsheets.header_formats import HeaderLayout, recognise_header
from adoption.animals.spreadsheets.records import RawRow
from adoption.errors import FileRefused

ABOVE_MOST = 1_000
"""Rows in which the header is looked for; most of them are blank."""
FILLED_MOST = 60
"""Of these, the rows that are not blank: titles, addresses, instructions."""
EMPTY = "The file is empty. Its first row must name the columns, such as code, name, species."


class HeaderFound(NamedTuple):
    header: RawRow
    layout: HeaderLayout
    """What the columns mean; it may know none of them."""
    rows: Iterator[RawRow]
    """The rows below the header."""


def find_header(rows: Iterator[RawRow]) -> HeaderFound:
    """Return the header of a table: the first row that names two known columns, or else the best guess.

    Raises FileRefused for a table without two columns, or without any text.
    """
    above: list[RawRow] = []
    filled: list[RawRow] = []
    for record in islice(rows, ABOVE_MOST):
        above.append(record)
        if any(cell.strip() for cell in record.cells):
            filled.append(check_cells(record))
            if recognise_header(filled[-1].cells).known >= 2 or len(filled) == FILLED_MOST:
                break
    if not filled:
        raise FileRefused(EMPTY)
    best = likeliest_header(filled)
    layout = recognise_header(best.cells)
    if not layout.known and width_of(best) < 2:
        raise FileRefused(unknown_header(best.cells))
    return HeaderFound(best, layout, chain((each for each in above if each.row > best.row), rows))


def likeliest_header(filled: list[RawRow]) -> RawRow:
    """Return the first row with the most known columns, or else the first with most of its cells filled."""
    widest = max(map(width_of, filled))
    return max(
        filled, key=lambda each: (min(recognise_header(each.cells).known, 2), width_of(each) * 2 > widest)
    )


def width_of(record: RawRow) -> int:
    return sum(bool(cell.strip()) for cell in record.cells)


def unknown_header(cells: Sequence[str]) -> str:
    names = ", ".join(f'"{cell.strip()[:40]}"' for cell in cells[:6])
    return (
        f"No column of the header is known: {names}. "
        "The first row must name the columns, such as code, name, species, status."
    )
