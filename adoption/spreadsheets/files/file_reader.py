"""Reader for spreadsheets of all kinds. The reader detects the kind, the sheets and the header."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import IO

from adoption.animals.parsing.date_parser import EXCEL_DAY_0
from adoption.errors import FileRefused
from adoption.spreadsheets.columns.column_meanings import DATES
from adoption.spreadsheets.columns.column_recognition import HeaderLayout
from adoption.spreadsheets.files.columns_of_several_sheets import JoinedColumns
from adoption.spreadsheets.files.csv_reader import read_csv
from adoption.spreadsheets.files.damaged_cells import mark_damaged_cells
from adoption.spreadsheets.files.encoding_ranking import ENCODINGS
from adoption.spreadsheets.files.file_kinds import detect_kind
from adoption.spreadsheets.files.header_row_search import EMPTY
from adoption.spreadsheets.files.html_reader import read_html
from adoption.spreadsheets.files.json_reader import read_json
from adoption.spreadsheets.files.ods_reader import read_ods
from adoption.spreadsheets.files.raw_tables import Book, CellTrouble, RawRow
from adoption.spreadsheets.files.row_store import RowStore
from adoption.spreadsheets.files.sheet_choice import NO_ROWS, OpenTable, Sheets, choose_sheets
from adoption.spreadsheets.files.summary_rows import is_summary
from adoption.spreadsheets.files.text_encoding import encoding_label
from adoption.spreadsheets.files.xls_reader import read_xls
from adoption.spreadsheets.files.xlsx_reader import read_xlsx
from adoption.spreadsheets.row_notes import RowNote
from adoption.translations import message

__all__ = ["FileRefused", "RawRow", "Sheet", "open_sheet"]

Reader = Callable[[IO[bytes], str | None], Book]
READERS: dict[str, Reader] = {
    "text": read_csv,
    "html": read_html,
    "json": read_json,
    "xlsx": read_xlsx,
    "xls": read_xls,
    "ods": read_ods,
}
GUESSED = ENCODINGS.keys() - {"utf-8", "cp1252"}
"""Rare encodings. If a file has such an encoding, the result of the import mentions the encoding."""
SUMMARY = message("this row is a total or a note of the report, not an animal")


class Sheet:
    """The header and rows of a file, joined from all sheets.

    The rows are stored and can be read repeatedly.
    """

    def __init__(self, book: Book, sheets: Sheets, most: int | None = None) -> None:
        """Read all rows of ``sheets``, or only the first ``most`` rows.

        Raises the exceptions of the file's reader.
        """
        columns = JoinedColumns(sheets.read)
        self.layout: HeaderLayout = columns.layout
        self.serial_shift = book.serial_shift
        self.encoding = book.encoding
        self.sheets_read = [each.table.name for each in sheets.read]
        self.sheets = sheets.names
        """The names of all readable sheets, or one name for a file without sheets."""
        self.notes = sheets.notes
        """Sentences about the whole file."""
        self.rows = RowStore()
        try:
            for record in islice(joined_rows(sheets.read, columns), most):
                self.rows.add(record)
        except BaseException:
            self.close()
            raise

    @property
    def count(self) -> int:
        return self.rows.count

    def __iter__(self) -> Iterator[RawRow]:
        if not self.serial_shift:
            return iter(self.rows)
        dated = [each.place for each in self.layout.columns if each.meaning in DATES]
        return (with_shifted_dates(record, dated, self.serial_shift) for record in self.rows)

    def place_of(self, note: RowNote) -> tuple[int, int]:
        """Return the position of the note's row in the file, as a sort key."""
        return self.sheets_read.index(note.sheet) if note.sheet else 0, note.row

    def close(self) -> None:
        self.rows.close()


def joined_rows(tables: Sequence[OpenTable], columns: JoinedColumns) -> Iterator[RawRow]:
    """Yield the rows of each table, with their cells under the joined header. Blank rows are skipped."""
    for index, table in enumerate(tables):
        name = table.table.name if len(tables) > 1 else ""
        heading = [cell.strip() for cell in table.found.header.cells]
        for record in table.rows():
            if record.trouble is None and not any(cell.strip() for cell in record.cells):
                continue
            checked = mark_damaged_cells(record)._replace(sheet=name)
            if [cell.strip() for cell in checked.cells] == heading:
                checked = checked._replace(
                    trouble=CellTrouble(None, heading[0], "the row repeats the header")
                )
            elif is_summary(checked.cells, len(heading)):
                first = next(cell for cell in checked.cells if cell.strip())
                checked = checked._replace(trouble=CellTrouble(None, first[:60], SUMMARY))
            yield columns.move(index, checked)


def with_shifted_dates(record: RawRow, places: Sequence[int], days: int) -> RawRow:
    """Return the row of a workbook that counts days from 1904, with its serial numbers turned into dates."""
    cells = list(record.cells)
    for place in places:
        if place < len(cells) and cells[place].isdecimal() and len(cells[place]) in (4, 5):
            day: date = (EXCEL_DAY_0 + timedelta(days=int(cells[place]) + days)).date()
            cells[place] = day.isoformat()
    return record._replace(cells=cells)


def open_sheet(
    file: IO[bytes], most: int | None = None, *, encoding: str | None = None, sheets: Sequence[str] = ()
) -> Sheet:
    """Return the rows of a seekable file, or only the file's first ``most`` rows.

    Kind, encoding, delimiter, sheets and header are detected from the content, never from the file's name.
    ``encoding`` and ``sheets`` are the user's choices, and replace the detection. Raises FileRefused, with
    the fix, if the file cannot be read; its subclass EncodingUnsure if the user must choose an encoding; and
    Invalid if a choice does not fit the file.
    """
    kind = detect_kind(file)
    if not kind:
        raise FileRefused(EMPTY)
    book = READERS[kind](file, encoding)
    try:
        found = choose_sheets(book.tables, sheets)
        found.read[0].layout.refuse_repeats()
        if encoding is None and book.encoding in GUESSED:
            found.notes.append(f"The text of the file is read as {encoding_label(book.encoding)}.")
        sheet = Sheet(book, found, most)
    finally:
        book.close()
    if not sheet.count:
        sheet.close()
        raise FileRefused(NO_ROWS)
    return sheet
