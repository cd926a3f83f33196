"""Workbooks that are small and unpack to what no memory holds: found before anything is made of them.

The library that reads a workbook builds a whole row before it gives it away, and keeps what stands outside of
rows. Here the parts are only run through, and counted.
"""

from typing import IO
from xml.parsers import expat

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"


def names(name: str) -> frozenset[str]:
    """Return the name of an element in both kinds of workbooks, Transitional and Strict."""
    return frozenset([f"{MAIN} {name}", f"{STRICT} {name}"])


SHEET, ROW, SHARED, FORMULA = names("worksheet"), names("row"), names("si"), names("f")
VALUES = names("v") | names("is")
"""What a cell that is not blank holds: its value, or a text of its own."""
ROW_DEPTH = 3
"""Of a row that is let go once it was read: worksheet, sheetData, row."""
IN_ROW_MOST = 100_000
"""Elements of one row: 16,384 columns, each a cell with what is in it."""
HELD_MOST = 2_000_000
"""Rows, and elements outside of them: shared texts above all."""
STRINGS_MOST = 64_000_000
"""Bytes of a part that is no sheet, and so may be kept whole: shared texts, whatever the part is called."""
UNBROKEN_MOST = 16_000_000
"""Bytes of one row, or between two elements."""
BLOCK = 1 << 20


class Swollen(Exception):
    """More is held at once than any shelter's workbook has."""


class TooManyRows(Exception):
    """A sheet has more rows than are wanted."""


def refuse_entity(*_declaration: object) -> None:
    """Raise Swollen: an entity can stand for a hundred times its size, and no program writes one."""
    raise Swollen


class Run:
    """One part of a workbook, run through from its start."""

    def __init__(self, rows_most: int) -> None:
        self.rows_most = rows_most
        self.depth = self.held = self.in_row = self.since = self.filled = 0
        self.is_sheet = self.is_row = self.is_blank = self.has_formulas = False
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = refuse_entity

    def start(self, name: str, _attributes: object) -> None:
        self.depth += 1
        if self.depth == 1:
            self.is_sheet = name in SHEET
        elif self.is_sheet and name in SHARED:
            raise Swollen  # shared texts that look like a sheet: no program writes them
        if self.is_sheet and self.depth == ROW_DEPTH and name in ROW:
            self.is_row, self.in_row, self.is_blank = True, 0, True
            self.held += 1  # of a row that is gone a shell stays
        if self.is_row:
            self.in_row += 1
            if self.is_blank and name in VALUES:
                self.count_filled()
            elif name in FORMULA:
                self.has_formulas = True
        else:
            self.held += 1
            self.since = self.parser.CurrentByteIndex
        if self.in_row > IN_ROW_MOST or self.held > HELD_MOST:
            raise Swollen

    def count_filled(self) -> None:
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
            raise Swollen


def check_part(part: IO[bytes], rows_most: int) -> bool:
    """Return whether the part is a sheet with formulas.

    Raises Swollen, and TooManyRows for more than ``rows_most`` that are not blank. A part that is not
    valid XML is checked up to its first error, since nothing reads further.
    """
    run, fed = Run(rows_most), 0
    try:
        while block := part.read(BLOCK):
            fed += len(block)
            run.feed(block, fed)
    except expat.ExpatError:
        pass
    return run.has_formulas
