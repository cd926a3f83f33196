"""Reader for Office Open XML workbooks (``.xlsx``, ECMA-376)."""

import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from itertools import repeat
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from adoption.animals.parsing.text_cleanup import joined_surrogates
from adoption.errors import FileRefused
from adoption.spreadsheets.files.damaged_cells import FORMULA, ROUNDED, SHOWN
from adoption.spreadsheets.files.file_kinds import DAMAGED, START
from adoption.spreadsheets.files.raw_tables import Book, CellNote, RawRow, Table
from adoption.spreadsheets.files.row_store import COLUMNS_MOST, ROWS_MOST, refuse_long_row
from adoption.spreadsheets.files.zip_bomb_guard import (
    SHARED_MOST,
    CheckedPart,
    TooManyRows,
    ZipBomb,
    check_part,
)
from adoption.translations import message

UNPACKED_MOST = 300_000_000
"""Limit of bytes in an unpacked workbook."""
SWOLLEN = message(
    "A part of this workbook is too large to be read. Save only the sheet with the animals, as CSV."
)
SHEET_ROWS = 1_048_576
PARTS_MOST = 5_000
"""Limit of parts in a workbook. A workbook with many pictures and charts has hundreds."""
ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
"""Matches escape sequences for characters that XML cannot contain (ECMA-376, ST_Xstring)."""
ZEROS = re.compile("0{1,255}")
"""Matches a number format with leading zeros. Excel allows 255 characters in a number format."""
SHEETS_MOST = 50
ABOVE_MOST = 20
"""Number of extra rows that are allowed above the animals, for titles and the header."""
EXACT_BELOW = 10**15
"""From this number on, whole numbers are rounded, because a workbook keeps 15 digits."""
DAYS_1904 = 1_462
STRICT = b"http://purl.oclc.org/ooxml/"
STRICT_NAMES = (
    (
        b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    ),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
    (b"http://purl.oclc.org/ooxml/drawingml/main", b"http://schemas.openxmlformats.org/drawingml/2006/main"),
)
"""Pairs of a namespace in a Strict workbook (ISO/IEC 29500-1), and the Transitional namespace to use."""


def read_xlsx(file: IO[bytes], _encoding: str | None = None, rows_most: int = ROWS_MOST) -> Book:
    """Return the sheets of a workbook.

    If a sheet has more than ``rows_most`` rows, the workbook is rejected before any row is read. Counting the
    rows takes a tenth of the time of reading the rows. Raises FileRefused if the workbook is too large or
    cannot be read.
    """
    import openpyxl  # also loads Pillow: 11 MB that most processes do not need

    has_formulas = check_parts(file, rows_most)
    strict = as_transitional(file)
    source = strict or file
    try:
        book = openpyxl.load_workbook(source, read_only=True, data_only=True, keep_links=False)
        formulas = openpyxl.load_workbook(source, read_only=True, keep_links=False) if has_formulas else None
        tables = [
            Table(
                sheet.title,
                xlsx_rows(sheet, formulas and formulas[sheet.title]),
                sheet.sheet_state != "visible",
            )
            for sheet in book.worksheets[:SHEETS_MOST]
        ]
    except Exception as error:  # the library raises various errors for damaged files
        if strict:
            strict.close()
        raise FileRefused(DAMAGED) from error
    is_1904 = book.epoch == openpyxl.utils.datetime.CALENDAR_MAC_1904
    return Book(tables, DAYS_1904 if is_1904 else 0, close=strict.close if strict else lambda: None)


def check_parts(file: IO[bytes], rows_most: int) -> bool:
    """Return whether the workbook has formulas. Raises FileRefused if the workbook is too large."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        unpacked = sum(member.file_size for member in members)
        if unpacked > UNPACKED_MOST:
            raise FileRefused(
                f"This workbook unpacks to {unpacked // 1_000_000:,} MB. The limit is "
                f"{UNPACKED_MOST // 1_000_000} MB. Save only the sheet with the animals, as CSV."
            )
        if len(members) > PARTS_MOST:
            raise FileRefused(SWOLLEN)
        # Check sheets first. The number of cells in the sheets limits the number of shared strings.
        parts = [check_member(archive, member, rows_most) for member in members if is_sheet(member)]
        most = max(SHARED_MOST, sum(part.cells for part in parts))
        parts += [
            check_member(archive, member, rows_most, most) for member in members if not is_sheet(member)
        ]
        return any(part.has_formulas for part in parts)


def is_sheet(member: zipfile.ZipInfo) -> bool:
    """Return whether the part is in the usual folder of sheets.

    A sheet in another folder is checked like other parts.
    """
    return member.filename.startswith("xl/worksheets/")


def check_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, rows_most: int, shared_most: int = SHARED_MOST
) -> CheckedPart:
    try:
        with archive.open(member) as part:
            return check_part(part, rows_most + ABOVE_MOST, shared_most)
    except TooManyRows as error:
        raise FileRefused(
            f"A sheet of this workbook has more than {rows_most:,} rows. "
            "Save only the sheet with the animals, or split it into several files."
        ) from error
    except ZipBomb as error:
        raise FileRefused(SWOLLEN) from error
    except Exception:  # a damaged part raises various errors, in this check and in the later reading
        return CheckedPart(0, 0, has_formulas=False)


def as_transitional(file: IO[bytes]) -> IO[bytes] | None:
    """Return a copy of a Strict workbook with Transitional namespaces; None for any other workbook."""
    copy = cast(IO[bytes], SpooledTemporaryFile(4_000_000))  # noqa: SIM115 - closed by the book's close()
    try:
        with zipfile.ZipFile(file) as archive:
            if STRICT not in archive.read("xl/workbook.xml")[:START]:
                copy.close()
                return None
            with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
                for member in archive.infolist():
                    if member.filename.endswith((".xml", ".rels")):
                        copy_renamed(archive, member, written)
    except Exception as error:  # the library raises various errors for damaged files
        copy.close()
        raise FileRefused(DAMAGED) from error
    copy.seek(0)
    return copy


def copy_renamed(archive: zipfile.ZipFile, member: zipfile.ZipInfo, written: zipfile.ZipFile) -> None:
    longest = max(len(name) for name, _ in STRICT_NAMES)
    with archive.open(member) as part, written.open(member.filename, "w") as to:
        rest = b""
        while block := part.read(1 << 20):
            block = rest + block
            for strict, transitional in STRICT_NAMES:
                block = block.replace(strict, transitional)
            # The end of the block may be the start of a namespace.
            rest = block[-longest:]
            to.write(block[:-longest])
        to.write(rest)


def xlsx_rows(sheet: Any, formulas: Any) -> Callable[[], Iterator[RawRow]]:
    """Return a function that yields the rows.

    If the workbook has formulas, ``formulas`` is the same sheet with formulas instead of values.
    """

    def rows() -> Iterator[RawRow]:
        for each in filter(None, (sheet, formulas)):
            each.reset_dimensions()  # some programs always write A1 as the dimensions
        try:
            pairs = zip(sheet.iter_rows(), formulas.iter_rows() if formulas else repeat(()), strict=False)
            for row, (cells, sources) in enumerate(pairs, start=1):
                if row > SHEET_ROWS:
                    return
                yield xlsx_row(row, cells[:COLUMNS_MOST], sources)
        except FileRefused:
            raise
        except Exception as error:  # the library raises various errors for damaged files
            raise FileRefused(DAMAGED) from error

    return rows


def xlsx_row(row: int, cells: Any, sources: Any) -> RawRow:
    refuse_long_row(cell.value for cell in cells if isinstance(cell.value, str))
    texts = [xlsx_cell_text(cell) for cell in cells]
    notes = [
        CellNote(place, str(cell.value)[:SHOWN], ROUNDED)
        for place, cell in enumerate(cells)
        if isinstance(cell.value, float) and abs(cell.value) >= EXACT_BELOW
    ]
    for place, source in enumerate(sources[:COLUMNS_MOST]):
        # A formula with an empty result has the data type "str". A formula that was never calculated has
        # another data type.
        if source.data_type == "f" and cells[place].value is None and cells[place].data_type != "str":
            formula = source.value if isinstance(source.value, str) else getattr(source.value, "text", "")
            notes.append(CellNote(place, str(formula)[:SHOWN], FORMULA))
    return RawRow(row, texts, notes=notes)


def xlsx_cell_text(cell: Any) -> str:
    """Return a cell as text. Whole numbers have no decimals, and dates are in ISO 8601."""
    value = cell.value
    match value:
        case None:
            return ""
        case str():
            return joined_surrogates(ESCAPED.sub(lambda found: chr(int(found[1], 16)), value))
        case bool():
            return "yes" if value else "no"
        case datetime():
            return day_as_text(value)
        case date() | time():
            return value.isoformat()
        case int() | float():
            return number_as_text(value, str(cell.number_format))
    return str(value)


def day_as_text(value: datetime) -> str:
    return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")


def number_as_text(value: int | float, number_format: str = "") -> str:
    if isinstance(value, float) and not value.is_integer():  # infinity and NaN are not integers either
        return f"{value:.15g}"
    digits = str(int(value))
    # With a format such as 00000, spreadsheets keep the leading zeros of a code.
    return digits.zfill(len(number_format)) if ZEROS.fullmatch(number_format) else digits
