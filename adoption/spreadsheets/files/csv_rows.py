"""Rows of delimiter-separated text (RFC 4180 and its dialects), in spite of unclosed quotes.

The csv module reads everything after an unclosed quotation mark as one cell. So this module joins the lines
of each row, within limits, and the csv module parses only complete rows.
"""

import csv
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TextIO

from adoption.errors import FileRefused
from adoption.spreadsheets.files.raw_tables import CellTrouble, RawRow

DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
LINE_LONGEST = 8_000_000
"""Limit of characters in one line. A photo in a cell, as a data URI, has a few million characters."""
ROW_LONGEST = 500_000
"""The closing quotation mark is searched for within this number of characters after the opening mark."""
LOST_QUOTES_MOST = 10
"""Limit of unclosed quotes in one file. The limit also bounds the time of the search for closing marks."""

# By default, the csv module allows 131,072 characters per cell in the whole process. This module has its own
# limits.
csv.field_size_limit(2 * LINE_LONGEST + ROW_LONGEST)

# Matches the text up to the quotation mark that closes a cell. A doubled mark is part of the text.
CLOSING = re.compile(r'[^"]*+(?:""[^"]*+)*+"')


class Scan(NamedTuple):
    """The state after a line: whether a quoted cell is open, and whether a quotation mark is misplaced."""

    open: bool
    astray: bool
    place: int
    start: int


@dataclass(frozen=True)
class CsvDialect:
    delimiter: str
    spaced: bool = False
    """Whether each delimiter is followed by a space that is not part of the cell."""

    def cells(self, lines: list[str]) -> list[str]:
        if len(lines) == 1 and '"' not in lines[0]:
            cells = lines[0].rstrip("\r\n").split(self.delimiter)
            return [cell.lstrip(" ") for cell in cells] if self.spaced else cells
        reader = csv.reader(lines, delimiter=self.delimiter, skipinitialspace=self.spaced)
        return next(reader, [])

    def scan(self, line: str, inside: bool) -> Scan:
        """Return the state after a line. If ``inside`` is true, the line starts inside a quoted cell."""
        place, at, astray = 0, 0, False
        if '"' not in line:
            return Scan(inside, False, 0, 0)
        while True:
            if not inside:
                while self.spaced and line.startswith(" ", at):
                    at += 1
                start, inside = at, line.startswith('"', at)
                at += inside
            else:
                start = at
            if inside:
                closing = CLOSING.match(line, at)
                if closing is None:
                    return Scan(True, astray, place, start)
                at, inside = closing.end(), False
                astray = astray or line[at : at + 1] not in ("", self.delimiter, "\r", "\n")
            at = line.find(self.delimiter, at) + 1
            if at == 0:
                return Scan(False, astray, place, start)
            place += 1


class Lines:
    """The lines of a text. Lines can be put back and read again."""

    def __init__(self, text: TextIO) -> None:
        self.text = text
        self.again: deque[str] = deque()

    def next(self) -> str:
        """Return the next line with its line end; empty at the end of the text.

        A line has at most ``LINE_LONGEST`` characters.
        """
        return self.again.popleft() if self.again else self.text.readline(LINE_LONGEST)

    def put_back(self, lines: list[str]) -> None:
        self.again.extendleft(reversed(lines))

    def skip_rest(self, line: str) -> None:
        while line and not line.endswith(("\n", "\r")):
            line = self.next()


class CsvReader:
    """The rows of a text. ``width`` is the number of cells in the header."""

    def __init__(self, text: TextIO, dialect: CsvDialect, width: int | None = None) -> None:
        self.lines = Lines(text)
        self.dialect = dialect
        self.width = width
        self.lost_quotes = 0
        self.has_short_rows = False
        """Whether the file leaves out blank cells at the ends of rows."""

    def __iter__(self) -> Iterator[RawRow]:
        """Yield every row, including blank rows.

        Raises FileRefused if the file has too many unclosed quotes.
        """
        row, lost = 0, False
        while line := self.lines.next():
            row += 1
            if lost and self.is_rest(line):
                continue
            record = self.record(row, line)
            lost = record.trouble is not None and record.trouble.reason == NEVER_CLOSED
            yield record

    def is_rest(self, line: str) -> bool:
        """Return whether a line after an unclosed quote continues the quoted text.

        Otherwise the line is a new row.
        """
        if '"' in line:
            scan = self.dialect.scan(line, inside=False)
            return not scan.open and len(self.dialect.cells([line])) != self.width
        return line.count(self.dialect.delimiter) + 1 != self.width

    def record(self, row: int, line: str) -> RawRow:
        opened = self.dialect.scan(line, inside=False)
        if len(line) >= LINE_LONGEST and not line.endswith(("\n", "\r")):
            self.lines.skip_rest(line)
            reason = NEVER_CLOSED if opened.open else f"has a line of more than {LINE_LONGEST:,} characters"
            place, value = (opened.place, line[opened.start :]) if opened.open else (None, line)
            return RawRow(row, [], CellTrouble(place, value[:60], reason))
        if opened.open:
            return self.record_of_lines(row, line, opened)
        cells = self.dialect.cells([line])
        return RawRow(row, cells, self.trouble_of_width(line, cells, opened.astray))

    def record_of_lines(self, row: int, line: str, opened: Scan) -> RawRow:
        """Return a row that has a line break in a cell, or an unclosed quote."""
        more: list[str] = []
        length = 0
        while length < ROW_LONGEST and (following := self.lines.next()):
            more.append(following)
            length += len(following)
            scan = self.dialect.scan(following, inside=True)
            if scan.astray:
                break
            if not scan.open:
                cells = self.dialect.cells([line, *more])
                if self.width is None or len(cells) == self.width:
                    return RawRow(row, cells)
                break
        else:
            self.count_lost_quote(row)
        self.lines.put_back(more)
        value = line[opened.start :].strip()[:60]
        return RawRow(row, [], CellTrouble(opened.place, value, NEVER_CLOSED))

    def count_lost_quote(self, row: int) -> None:
        self.lost_quotes += 1
        if self.lost_quotes > LOST_QUOTES_MOST:
            raise FileRefused(
                f"In more than {LOST_QUOTES_MOST} rows up to row {row}, the quotation marks do not "
                "match. Save the file again as CSV or XLSX from the program that it comes from."
            )

    def trouble_of_width(self, line: str, cells: list[str], astray: bool) -> CellTrouble | None:
        if self.width is None or len(cells) == self.width:
            return None
        if any(cell.strip() for cell in cells[self.width :]):
            reason = (
                f"the row has {len(cells)} cells, but the header has {self.width}. Text that "
                f"contains {DELIMITERS[self.dialect.delimiter]} needs quotation marks around it"
            )
            return CellTrouble(None, cells[self.width][:60], reason)
        if astray and len(cells) < self.width:
            return CellTrouble(
                None,
                line.strip()[:60],
                "the row's quotation marks do not match. Write each quotation mark inside a text twice",
            )
        is_ended = line.endswith(("\n", "\r"))
        self.has_short_rows = self.has_short_rows or (is_ended and len(cells) > 1)
        if any(cells) and not is_ended and not self.has_short_rows:
            return CellTrouble(
                None, cells[-1][:60], "the file ends in the middle of this row. Export the file again"
            )
        return None


NEVER_CLOSED = 'a quotation mark opens here and is never closed. Put a " where the text ends'
