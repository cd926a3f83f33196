"""Workbooks that are small and unpack to what no memory holds: found before anything is made of them.

The library that reads a workbook builds a whole row before it gives it away, and keeps what stands outside of
rows. Here the parts are only run through, and counted.
"""

from typing import IO, NamedTuple
from xml.parsers import expat

from adoption.animals.spreadsheets.row_store import COLUMNS_MOST

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"


def qualified_names(name: str) -> frozenset[str]:
    """Return the name of an element in both kinds of workbooks, Transitional and Strict."""
    return frozenset([f"{MAIN} {name}", f"{STRICT} {name}"])


SHEET, ROW, SHARED, FORMULA = (
    qualified_names("worksheet"),
    qualified_names("row"),
    qualified_names("si"),
    qualified_names("f"),
)
VALUES = qualified_names("v") | qualified_names("is")
"""What a cell that is not blank holds: its value, or a text of its own."""
ROW_DEPTH = 3
"""Of a row that is let go once it was read: worksheet, sheetData, row."""
SHARED_MOST = 100_000
"""Shared texts of a workbook with fewer cells. No cell shares more than one."""
SHARED_ELEMENTS = 20
"""Elements that a shared text may have: one with formats has a few for each."""
IN_ROW_MOST = 100_000
"""Elements of one row: 16,384 columns, each a cell with what is in it."""
HELD_MOST = 2_000_000
"""Rows of a sheet, and elements outside of them."""
ELEMENTS_MOST = 30_000_000
"""Elements of a part: 300,000 rows of 30 cells with a value have 18 million."""
STRINGS_MOST = 64_000_000
"""Bytes of a part that is no sheet, and so may be kept whole: shared texts, whatever the part is called."""
UNBROKEN_MOST = 16_000_000
"""Bytes of one row, or between two elements."""
BLOCK = 1 << 20


class ZipBomb(Exception):
    """More is held at once than any shelter's workbook has."""


class TooManyRows(Exception):
    """A sheet has more rows than are wanted."""


def refuse_entity(*_declaration: object) -> None:
    """Raise Swollen: an entity can stand for a hundred times its size, and no program writes one."""
    raise ZipBomb


class CheckedPart(NamedTuple):
    """What a part of a workbook has."""

    cells: int
    """Cells of a sheet that have a value and are read."""
    shared: int
    """Shared texts."""
    has_formulas: bool


class PartCheck:
    """One part of a workbook, run through from its start."""

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
            self.held += 1  # of a row that is gone a shell stays
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
        # A sheet with shared texts is something that no program writes.
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
    """Return what a part has.

    Raises Swollen, also for more than ``shared_most`` shared texts, and TooManyRows for more than
    ``rows_most`` that are not blank. A part that is not valid XML is checked up to its first error, since
    nothing reads further.
    """
    run, fed = PartCheck(rows_most, shared_most), 0
    try:
        while block := part.read(BLOCK):
            fed += len(block)
            run.feed(block, fed)
    except expat.ExpatError:
        pass
    return CheckedPart(run.cells, run.shared, run.has_formulas)
