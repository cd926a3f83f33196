"""Reader for workbooks of Excel 97 to 2003 (``.xls``, BIFF8) and older workbooks.

xlrd is read-only and pure Python. xlrd keeps number formats, which show the leading zeros of codes.
python-calamine drops number formats, and took 50 % more memory for 65,536 rows.
"""

import io
from collections.abc import Callable, Iterator
from typing import IO, Any

from adoption.errors import FileRefused
from adoption.spreadsheets.files.damaged_cells import ROUNDED, SHOWN
from adoption.spreadsheets.files.file_kinds import DAMAGED, LOCKED
from adoption.spreadsheets.files.raw_tables import Book, CellNote, RawRow, Table
from adoption.spreadsheets.files.row_store import COLUMNS_MOST
from adoption.spreadsheets.files.xlsx_reader import (
    DAYS_1904,
    EXACT_BELOW,
    SHEETS_MOST,
    day_as_text,
    number_as_text,
)

BYTES_MOST = 30_000_000
"""Limit of bytes in a file.

xlrd keeps a whole sheet in memory. For a file of numbers, xlrd uses up to six bytes per byte in the file.
"""


def read_xls(file: IO[bytes], _encoding: str | None) -> Book:
    """Return the sheets of an old workbook. Raises FileRefused if the workbook cannot be read."""
    import xlrd  # only few files need xlrd

    file.seek(0)
    content = file.read(BYTES_MOST + 1)
    if len(content) > BYTES_MOST:
        raise FileRefused(
            f"This old workbook has more than {BYTES_MOST // 1_000_000} MB. "
            "Save it as XLSX, or save only the sheet with the animals, as CSV."
        )
    try:
        book = xlrd.open_workbook(
            file_contents=content,
            on_demand=True,
            formatting_info=content.startswith(b"\xd0\xcf"),
            ragged_rows=True,
            logfile=io.StringIO(),
        )
        tables = [
            Table(name, xls_rows(book, index), book.sheet_by_index(index).visibility != 0)
            for index, name in enumerate(book.sheet_names()[:SHEETS_MOST])
        ]
    except Exception as error:  # the library raises other errors for most damaged files
        locked = isinstance(error, xlrd.XLRDError) and "encrypted" in str(error).lower()
        raise FileRefused(LOCKED if locked else DAMAGED) from error
    return Book(tables, DAYS_1904 if book.datemode else 0, close=book.release_resources)


def xls_rows(book: Any, index: int) -> Callable[[], Iterator[RawRow]]:
    def rows() -> Iterator[RawRow]:
        try:
            sheet = book.sheet_by_index(index)
            for row in range(sheet.nrows):
                yield xls_row(book, row + 1, sheet.row(row)[:COLUMNS_MOST])
        except Exception as error:  # the library raises other errors for most damaged files
            raise FileRefused(DAMAGED) from error

    return rows


def xls_row(book: Any, row: int, cells: list[Any]) -> RawRow:
    notes = [
        CellNote(place, str(cell.value)[:SHOWN], ROUNDED)
        for place, cell in enumerate(cells)
        if isinstance(cell.value, float) and abs(cell.value) >= EXACT_BELOW
    ]
    return RawRow(row, [xls_cell_text(book, cell) for cell in cells], notes=notes)


def xls_cell_text(book: Any, cell: Any) -> str:
    """Return a cell as text. Whole numbers have no decimals, and dates are in ISO 8601."""
    import xlrd

    match cell.ctype:
        case xlrd.XL_CELL_DATE:
            day = xlrd.xldate.xldate_as_datetime(cell.value, book.datemode)
            return day.time().isoformat("seconds") if cell.value < 1 else day_as_text(day)
        case xlrd.XL_CELL_NUMBER:
            return number_as_text(cell.value, format_of(book, cell))
        case xlrd.XL_CELL_BOOLEAN:
            return "yes" if cell.value else "no"
        case xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(cell.value, "#N/A"))
    return str(cell.value)


def format_of(book: Any, cell: Any) -> str:
    if cell.xf_index is None or not book.xf_list:
        return ""
    return str(book.format_map[book.xf_list[cell.xf_index].format_key].format_str)
