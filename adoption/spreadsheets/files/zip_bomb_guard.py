"""Protection against zip bombs: small workbooks that unpack to more than memory can hold.

openpyxl builds a whole row before it returns the row. openpyxl also keeps all elements outside rows in
memory. So this module first parses each part and counts its elements, without storing anything.
"""

from typing import IO, NamedTuple
from xml.parsers import expat

from adoption.spreadsheets.files.row_store import COLUMNS_MOST

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"


def qualified_names(name: str) -> frozenset[str]:
    """Return an element's qualified names in Transitional and Strict workbooks."""
    return frozenset([f"{MAIN} {name}", f"{STRICT} {name}"])


SHEET, ROW, SHARED, FORMULA = (
    qualified_names("worksheet"),
    qualified_names("row"),
    qualified_names("si"),
    qualified_names("f"),
)
VALUES = qualified_names("v") | qualified_names("is")
"""Elements of a cell that is not blank: the cell's value or text."""
ROW_DEPTH = 3
"""Depth of a row element: worksheet, sheetData, row. openpyxl frees a row after reading it."""
SHARED_MOST = 100_000
"""Limit of shared strings, unless the workbook has more cells. A cell uses at most one shared string."""
SHARED_ELEMENTS = 20
"""Limit of elements in one shared string. Formatted text has a few elements per format."""
IN_ROW_MOST = 100_000
"""Limit of elements in one row.

A row has at most 16,384 cells, and each cell has elements for its content.
"""
HELD_MOST = 2_000_000
"""Limit of elements that openpyxl keeps of a sheet: one for each row, and all elements outside rows."""
ELEMENTS_MOST = 30_000_000
"""Limit of elements in a part. 300,000 rows of 30 cells with values have 18 million elements."""
STRINGS_MOST = 64_000_000
"""Limit of bytes in a part that is not a sheet.

openpyxl can keep such a part in memory, such as the shared strings.
"""
UNBROKEN_MOST = 16_000_000
"""Limit of bytes in one row or between two elements."""
BLOCK = 1 << 20


class ZipBomb(Exception):
    """The workbook would need more memory than any real workbook."""


class TooManyRows(Exception):
    """A sheet has too many rows."""


def refuse_entity(*_declaration: object) -> None:
    """Raise ZipBomb at any entity.

    Entities can expand to a hundred times their size, and no program writes entities.
    """
    raise ZipBomb


class CheckedPart(NamedTuple):
    """The counts of a part of a workbook."""

    cells: int
    """Number of cells in a sheet that have a value and are in a column that is read."""
    shared: int
    """Number of shared strings."""
    has_formulas: bool


class PartCheck:
    """The check of one part of a workbook."""

    def __init__(self, rows_most: int, shared_most: int) -> None:
        self.rows_most, self.shared_most = rows_most, shared_most
        self.depth = self.held = self.in_row = self.since = self.filled = 0
        self.elements = self.shared = self.cells = self.in_row_cells = 0
        self.is_sheet = self.is_row = self.is_blank = self.has_formulas = False
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = refuse_entity

    def start(self, name: str, _attributes: object) -> None:
        self.depth += 1
        self.elements += 1
        if self.depth == 1:
            self.is_sheet = name in SHEET
        elif name in SHARED:
            self.count_shared()
        if self.is_sheet and self.depth == ROW_DEPTH and name in ROW:
            self.is_row, self.in_row, self.in_row_cells, self.is_blank = True, 0, 0, True
            self.held += 1  # openpyxl frees a row's content, but keeps the empty row element
        if self.is_row:
            self.in_row += 1
            if name in VALUES:
                self.count_filled()
            elif name in FORMULA:
                self.has_formulas = True
        else:
            self.held += 1
            self.since = self.parser.CurrentByteIndex
        if self.in_row > IN_ROW_MOST or self.held > self.held_most or self.elements > ELEMENTS_MOST:
            raise ZipBomb

    @property
    def held_most(self) -> int:
        return HELD_MOST if self.is_sheet else min(HELD_MOST, SHARED_ELEMENTS * self.shared_most)

    def count_shared(self) -> None:
        self.shared += 1
        # No program writes shared strings into a sheet.
        if self.is_sheet or self.shared > self.shared_most:
            raise ZipBomb

    def count_filled(self) -> None:
        self.in_row_cells += 1
        self.cells += self.in_row_cells <= COLUMNS_MOST
        if not self.is_blank:
            return
        self.is_blank = False
        self.filled += 1
        if self.filled > self.rows_most:
            raise TooManyRows

    def end(self, _name: str) -> None:
        if self.depth == ROW_DEPTH:
            self.is_row, self.in_row, self.since = False, 0, self.parser.CurrentByteIndex
        self.depth -= 1

    def feed(self, block: bytes, fed: int) -> None:
        self.parser.Parse(block, False)
        if fed - self.since > UNBROKEN_MOST or (fed > STRINGS_MOST and not self.is_sheet):
            raise ZipBomb


def check_part(part: IO[bytes], rows_most: int, shared_most: int = SHARED_MOST) -> CheckedPart:
    """Return the counts of a part.

    Raises ZipBomb if the part exceeds a limit, such as ``shared_most`` shared strings. Raises TooManyRows if
    the part has more than ``rows_most`` non-blank rows. A part that is not valid XML is checked up to the
    first error, because openpyxl reads no further.
    """
    run, fed = PartCheck(rows_most, shared_most), 0
    try:
        while block := part.read(BLOCK):
            fed += len(block)
            run.feed(block, fed)
    except expat.ExpatError:
        pass
    return CheckedPart(run.cells, run.shared, run.has_formulas)
