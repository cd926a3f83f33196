"""Reader for HTML tables, which PetPoint and ShelterBuddy export under the name ``.xls``.

The reader also reads XML of Excel 2003 (SpreadsheetML), which has the same structure with other element
names.
"""

from html.parser import HTMLParser
from typing import IO

from adoption.errors import FileRefused
from adoption.spreadsheets.files.file_kinds import START
from adoption.spreadsheets.files.raw_tables import Book, RawRow, Table
from adoption.spreadsheets.files.row_store import COLUMNS_MOST, RowStore
from adoption.spreadsheets.files.text_encoding import declared_encoding, find_encoding, open_text

BYTES_MOST = 50_000_000
BLOCK = 1 << 20
TABLES_MOST = 50
SPAN_MOST = 1_000
"""Limit of columns or rows that one cell can span (HTML, 4.9.11)."""
CELL_LONGEST = 1_000_000
"""Limit of characters kept from a cell.

This limit is higher than the limit of a valid cell, so that a cell that is too long can be reported.
"""
BREAKS = frozenset(["br", "p", "div", "li", "tr"])
SILENT = frozenset(["script", "style", "title", "comment"])
ROW, CELL = frozenset(["tr", "row"]), frozenset(["td", "th", "cell"])
"""Names of the elements for rows and cells, in HTML and in SpreadsheetML."""


def read_html(file: IO[bytes], encoding: str | None) -> Book:
    """Return the tables of a page.

    Raises FileRefused if the page has no readable table, and Invalid if the encoding is unknown.
    """
    file.seek(0, 2)
    if file.tell() > BYTES_MOST:
        raise FileRefused(
            f"This web page has more than {BYTES_MOST // 1_000_000} MB. Open it in a spreadsheet program and "
            "save it as XLSX or CSV."
        )
    file.seek(0)
    found = find_encoding(file, encoding or declared_encoding(file.read(START)))
    page = PageTables()
    try:
        text = open_text(file, found)
        while block := text.read(BLOCK):
            page.feed(block)
        page.finish()
    except BaseException:
        page.close_stores()
        raise
    return Book(page.tables(), encoding=found, close=page.close_stores)


class OpenElement:
    """An open table with its current row and cell."""

    def __init__(self, store: RowStore | None) -> None:
        self.store = store
        self.row = 0
        self.cells: list[str] | None = None
        self.text: list[str] | None = None
        self.span = (1, 1)
        self.length = 0
        self.covered: dict[int, tuple[int, str]] = {}
        """Cells that also cover rows below, by column: the number of remaining rows, and the cell's text."""


class PageTables(HTMLParser):
    """A parser that stores the rows of each table. A table inside a cell is a separate table."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stores: list[RowStore] = []
        self.names: list[str] = []
        self.name = ""
        """The name of the current worksheet in SpreadsheetML."""
        self.open: list[OpenElement] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tag = tag.removeprefix("ss:")
        if tag in SILENT:
            self.silent += 1
        elif tag == "worksheet":
            self.name = dict(attrs).get("ss:name") or ""
        elif tag == "table":
            self.begin_table()
        elif self.open:
            self.begin_part(tag, dict(attrs))

    def begin_table(self) -> None:
        store = None
        if len(self.stores) < TABLES_MOST:
            store = RowStore()
            self.stores.append(store)
            self.names.append(self.name or f"Table {len(self.stores)}")
        self.open.append(OpenElement(store))

    def begin_part(self, tag: str, attributes: dict[str, str | None]) -> None:
        table = self.open[-1]
        if tag in ROW:
            self.end_row()
            table.cells = []
        elif tag in CELL:
            self.end_cell()
            if table.cells is None:
                table.cells = []
            self.add_covered(table)
            blanks = span(attributes.get("ss:index"), 0) - 1 - len(table.cells)
            table.cells += [""] * min(blanks, COLUMNS_MOST)
            table.text, table.length = [], 0
            table.span = (span(attributes.get("colspan"), 1), span(attributes.get("rowspan"), 1))
        elif tag in BREAKS and table.text is not None:
            table.text.append("\n")
        elif tag == "img" and table.text is not None:
            table.text.append(f" {attributes.get('src') or ''} ")

    def handle_endtag(self, tag: str) -> None:
        tag = tag.removeprefix("ss:")
        if tag in SILENT:
            self.silent = max(0, self.silent - 1)
        elif not self.open:
            return
        elif tag == "table":
            self.end_row()
            self.open.pop()
        elif tag in ROW:
            self.end_row()
        elif tag in CELL:
            self.end_cell()

    def handle_data(self, data: str) -> None:
        table = self.open[-1] if self.open else None
        if table is not None and table.text is not None and not self.silent and table.length < CELL_LONGEST:
            table.text.append(data)
            table.length += len(data)

    def end_cell(self) -> None:
        table = self.open[-1]
        if table.text is None or table.cells is None:
            return
        lines = (" ".join(line.split()) for line in "".join(table.text).split("\n"))
        text = "\n".join(lines).strip()
        table.text = None
        across, down = table.span
        for _ in range(min(across, COLUMNS_MOST - len(table.cells))):
            if down > 1:
                table.covered[len(table.cells)] = (down - 1, text)
            table.cells.append(text)
            text = ""  # a cell that spans several columns is read once

    def add_covered(self, table: OpenElement) -> None:
        """Add the texts of cells in earlier rows that span into this row, up to the next free column."""
        assert table.cells is not None  # noqa: S101 - the caller has started a row
        while len(table.cells) in table.covered:
            rows, text = table.covered.pop(len(table.cells))
            if rows > 1:
                table.covered[len(table.cells)] = (rows - 1, text)
            table.cells.append(text)

    def end_row(self) -> None:
        self.end_cell()
        table = self.open[-1]
        if table.cells is None:
            return
        self.add_covered(table)
        table.row += 1
        if table.store is not None:
            table.store.add(RawRow(table.row, table.cells))
        table.cells = None

    def finish(self) -> None:
        """Close all open elements.

        HTMLParser's ``close()`` would search the rest of the text once per ``<``.
        """
        while self.open:
            self.end_row()
            self.open.pop()

    def tables(self) -> list[Table]:
        return [
            Table(name, store.__iter__)
            for name, store in zip(self.names, self.stores, strict=True)
            if store.count
        ]

    def close_stores(self) -> None:
        for store in self.stores:
            store.close()


def span(written: str | None, otherwise: int) -> int:
    if written and written.isascii() and written.isdecimal() and len(written) < 10:
        return min(int(written), SPAN_MOST)
    return otherwise
