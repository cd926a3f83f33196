"""Reader for OpenDocument spreadsheets (``.ods``, OASIS ODF 1.3).

The content is parsed as a stream, so the use of memory does not depend on the size of the file.
python-calamine expands repeated rows before it returns any row, and drops number formats. odfpy builds the
whole document in memory.
"""

import re
import zipfile
from typing import IO
from xml.parsers import expat

from adoption.errors import FileRefused
from adoption.spreadsheets.files.damaged_cells import FORMULA, ROUNDED, SHOWN
from adoption.spreadsheets.files.file_kinds import DAMAGED, LOCKED
from adoption.spreadsheets.files.raw_tables import Book, CellNote, RawRow, Table
from adoption.spreadsheets.files.row_store import COLUMNS_MOST, ROWS_MOST, RowStore
from adoption.spreadsheets.files.xlsx_reader import EXACT_BELOW, SHEETS_MOST, UNPACKED_MOST, number_as_text
from adoption.spreadsheets.files.zip_bomb_guard import ZipBomb, refuse_entity
from adoption.translations import message

OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TABLE, TEXT, STYLE = (f"{OASIS}{each}:1.0 " for each in ("office", "table", "text", "style"))
CELLS = frozenset([f"{TABLE}table-cell", f"{TABLE}covered-table-cell"])
NUMBERS = frozenset(["float", "currency", "percentage"])
BLOCK = 1 << 20
CELL_LONGEST = 1_000_000
"""Limit of characters kept from a cell.

This limit is higher than the limit of a valid cell, so that a cell that is too long can be reported.
"""
UNBROKEN_MOST = 16_000_000
"""Limit of bytes between two elements."""
TOO_LARGE = message("A part of this spreadsheet is too large to be read. Save it as CSV.")


def read_ods(file: IO[bytes], _encoding: str | None) -> Book:
    """Return the sheets of an OpenDocument spreadsheet. Raises FileRefused if the file cannot be read."""
    sheets = OdsSheets()
    try:
        with zipfile.ZipFile(file) as archive:
            refuse_locked(archive)
            if archive.getinfo("content.xml").file_size > UNPACKED_MOST:
                raise FileRefused(
                    f"This spreadsheet unpacks to more than {UNPACKED_MOST // 1_000_000} MB. "
                    "Save only the sheet with the animals, as CSV."
                )
            with archive.open("content.xml") as part:
                sheets.read(part)
    except FileRefused:
        sheets.close()
        raise
    except ZipBomb as error:
        sheets.close()
        raise FileRefused(TOO_LARGE) from error
    except Exception as error:  # zipfile and zlib raise various errors for a damaged member
        sheets.close()
        raise FileRefused(DAMAGED) from error
    return Book(sheets.tables(), close=sheets.close)


def refuse_locked(archive: zipfile.ZipFile) -> None:
    try:
        with archive.open("META-INF/manifest.xml") as manifest:
            locked = b"encryption-data" in manifest.read(BLOCK)
    except KeyError:
        return
    if locked:
        raise FileRefused(LOCKED)


class OdsSheets:
    """The sheets of a document, filled by the parser of the document's content."""

    def __init__(self) -> None:
        self.stores: list[tuple[str, bool, RowStore]] = []
        self.hidden_styles: set[str] = set()
        self.style = ""
        self.row = self.row_repeat = self.depth = self.ignored = self.paragraphs = 0
        self.cells: list[str] = []
        self.notes: list[CellNote] = []
        self.cell: dict[str, str] | None = None
        self.text: list[str] = []
        self.length = self.since = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = refuse_entity

    def read(self, part: IO[bytes]) -> None:
        fed = 0
        while block := part.read(BLOCK):
            fed += len(block)
            self.parser.Parse(block, False)
            if fed - self.since > UNBROKEN_MOST or fed > UNPACKED_MOST:
                raise FileRefused(TOO_LARGE)
        self.parser.Parse(b"", True)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.since = self.parser.CurrentByteIndex
        if self.ignored or name == f"{OFFICE}annotation" or name == f"{TABLE}tracked-changes":
            self.ignored += 1
        elif name == f"{STYLE}style":
            self.style = attributes.get(f"{STYLE}name", "")
        elif name == f"{STYLE}table-properties" and attributes.get(f"{TABLE}display") == "false":
            self.hidden_styles.add(self.style)
        elif name == f"{TABLE}table":
            self.depth += 1
            if self.depth == 1:
                self.start_sheet(attributes)
        elif self.depth == 1:
            self.start_part(name, attributes)

    def start_sheet(self, attributes: dict[str, str]) -> None:
        is_hidden = attributes.get(f"{TABLE}style-name", "") in self.hidden_styles
        if len(self.stores) >= SHEETS_MOST:
            raise FileRefused(f"This spreadsheet has more than {SHEETS_MOST} sheets.")
        self.stores.append((attributes.get(f"{TABLE}name", ""), is_hidden, RowStore()))
        self.row = 0

    def start_part(self, name: str, attributes: dict[str, str]) -> None:
        if name == f"{TABLE}table-row":
            self.row_repeat = repeat_count(attributes, "rows")
            self.cells, self.notes = [], []
        elif name in CELLS:
            self.cell, self.text, self.length = attributes, [], 0
        elif self.cell is None:
            return
        elif name == f"{TEXT}p":
            self.paragraphs += 1
            self.text += ["\n"] if self.text else []
        elif name == f"{TEXT}s":
            self.add_text(" " * min(int(attributes.get(f"{TEXT}c", "1") or 1), 1_000))
        elif name in (f"{TEXT}tab", f"{TEXT}line-break"):
            self.add_text("\t" if name.endswith("tab") else "\n")

    def characters(self, data: str) -> None:
        if self.paragraphs and not self.ignored:
            self.add_text(data)

    def add_text(self, data: str) -> None:
        if self.length < CELL_LONGEST:
            self.text.append(data)
            self.length += len(data)

    def end(self, name: str) -> None:
        if self.ignored:
            self.ignored -= 1
        elif name == f"{TABLE}table":
            self.depth -= 1
        elif self.depth != 1:
            return
        elif name == f"{TEXT}p" and self.paragraphs:
            self.paragraphs -= 1
        elif name in CELLS and self.cell is not None:
            self.end_cell(self.cell)
            self.cell = None
        elif name == f"{TABLE}table-row":
            self.end_row()

    def end_cell(self, attributes: dict[str, str]) -> None:
        shown = "".join(self.text)
        value = cell_text(attributes, shown)
        place = len(self.cells)
        if attributes.get(f"{OFFICE}value-type", "") in NUMBERS and is_rounded(attributes):
            self.notes.append(CellNote(place, shown[:SHOWN], ROUNDED))
        elif f"{TABLE}formula" in attributes and f"{OFFICE}value-type" not in attributes and not shown:
            self.notes.append(CellNote(place, attributes[f"{TABLE}formula"][:SHOWN], FORMULA))
        times = min(repeat_count(attributes, "columns"), COLUMNS_MOST - place)
        self.cells += [value] * times

    def end_row(self) -> None:
        first = self.row + 1
        self.row += self.row_repeat
        while self.cells and not self.cells[-1]:
            self.cells.pop()
        if not self.cells and not self.notes:
            return
        if self.row_repeat > ROWS_MOST:
            raise FileRefused(f"A row is repeated more than {ROWS_MOST:,} times. Delete it.")
        for row in range(first, self.row + 1):
            self.stores[-1][2].add(RawRow(row, self.cells, notes=self.notes))

    def tables(self) -> list[Table]:
        return [Table(name, store.__iter__, is_hidden) for name, is_hidden, store in self.stores]

    def close(self) -> None:
        for _, _, store in self.stores:
            store.close()


def repeat_count(attributes: dict[str, str], what: str) -> int:
    return max(1, int(attributes.get(f"{TABLE}number-{what}-repeated", "1")))


def cell_text(attributes: dict[str, str], shown: str) -> str:
    """Return a cell as text. Whole numbers have no decimals, and dates are in ISO 8601."""
    match attributes.get(f"{OFFICE}value-type"):
        case "date":
            return attributes.get(f"{OFFICE}date-value", shown).replace("T00:00:00", "").replace("T", " ")
        case "boolean":
            return "yes" if attributes.get(f"{OFFICE}boolean-value") == "true" else "no"
        case "string":
            return attributes.get(f"{OFFICE}string-value", shown)
        case "float" | "currency" | "percentage":
            number = number_as_text(float(attributes.get(f"{OFFICE}value", "nan")))
            # With a format such as 00000, spreadsheets keep the leading zeros of a code.
            return shown if re.fullmatch("0+" + re.escape(number), shown) else number
    return shown


def is_rounded(attributes: dict[str, str]) -> bool:
    return abs(float(attributes.get(f"{OFFICE}value", "0"))) >= EXACT_BELOW
