"""Rows out of an Office Open XML workbook (``.xlsx``, ECMA-376)."""

import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import IO, Any

from adoption.animals.spreadsheets.csv_reader import Record
from adoption.animals.spreadsheets.zip_bomb_guard import Swollen, TooManyRows, refuse_swollen
from adoption.errors import FileRefused

UNPACKED_MOST = 300_000_000
"""Bytes that a workbook may unpack to."""
ROWS_MOST = 1_048_576
COLUMNS_MOST = 1_000
"""Cells of a row that are looked at: no program's file has more columns, and each is kept for every row."""
ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
"""How a workbook writes letters that XML has no place for (ECMA-376, ST_Xstring)."""
SHEETS_MOST = 20
ABOVE_MOST = 20
"""Rows that may stand above those of the animals: the header, and titles."""

DAMAGED = "This workbook is damaged and cannot be read. Open it in a spreadsheet and save it again as XLSX."


def refuse_unreadable(file: IO[bytes], rows_most: int) -> None:
    """Raises FileRefused for a zip archive that is no workbook, or holds more than can be taken."""
    try:
        with zipfile.ZipFile(file) as archive:
            sizes = {member.filename: member.file_size for member in archive.infolist()}
    # The last is what zipfile says of an archive of a later version than it knows.
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise FileRefused(DAMAGED) from error
    if "xl/workbook.xml" not in sizes:
        raise FileRefused(
            "This is a zip archive or a document of another program, and no XLSX workbook. "
            "Open it in a spreadsheet and save it as XLSX or CSV."
        )
    if sum(sizes.values()) > UNPACKED_MOST:
        raise FileRefused(
            f"This workbook unpacks to {sum(sizes.values()) // 1_000_000:,} MB, and "
            f"{UNPACKED_MOST // 1_000_000} MB are the most. Save the sheet with the animals alone as CSV."
        )
    refuse_swollen_parts(file, rows_most)


def refuse_swollen_parts(file: IO[bytes], rows_most: int) -> None:
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            try:
                with archive.open(member) as part:
                    refuse_swollen(part, rows_most + ABOVE_MOST)
            except TooManyRows as error:
                raise FileRefused(
                    f"A sheet of this workbook has more than {rows_most:,} rows. "
                    "Save the sheet with the animals alone, or split it into several files."
                ) from error
            except Swollen as error:
                raise FileRefused(
                    "A part of this workbook holds more than can be read at once. "
                    "Save the sheet with the animals alone as CSV."
                ) from error
            except Exception:  # noqa: S112 - a damaged member raises what it pleases, and again when it is needed
                continue


def sheets_of(file: IO[bytes], rows_most: int) -> Iterator[Iterator[Record]]:
    """The rows of each sheet, one sheet after the other.

    Raises FileRefused, for a sheet of more than ``rows_most`` rows before any is read: to count them takes a
    tenth of the time.
    """
    import openpyxl  # it loads Pillow too: 11 MB that no process needs which reads no workbook

    refuse_unreadable(file, rows_most)
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets[:SHEETS_MOST]:
            sheet.reset_dimensions()  # some programs write A1 there, whatever the sheet holds
            yield rows_of(sheet)
    except FileRefused:
        raise
    except Exception as error:  # the library has no error of its own: each malformation raises another
        raise FileRefused(DAMAGED) from error


def rows_of(sheet: Any) -> Iterator[Record]:
    try:
        for row, cells in enumerate(sheet.iter_rows(), start=1):
            if row > ROWS_MOST:
                return
            yield Record(row, [written(cell) for cell in cells[:COLUMNS_MOST]])
    except Exception as error:  # as above
        raise FileRefused(DAMAGED) from error


def written(cell: Any) -> str:
    """A cell as text: a whole number without decimals, a date as ISO 8601."""
    value = cell.value
    match value:
        case None:
            return ""
        case str():
            return ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
        case bool():
            return "yes" if value else "no"
        case datetime():
            midnight = value.time() == time()
            return value.date().isoformat() if midnight else value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case int() | float():
            return number(value, str(cell.number_format))
    return str(value)


def number(value: int | float, number_format: str) -> str:
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.15g}"
    digits = str(int(value))
    # A format such as 00000 is how a spreadsheet keeps the zeros of a code.
    return digits.zfill(len(number_format)) if re.fullmatch("0+", number_format) else digits
