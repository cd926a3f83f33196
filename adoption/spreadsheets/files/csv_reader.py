"""Reader for delimiter-separated text, such as CSV."""

import io
import re
from collections.abc import Iterator
from typing import IO

from adoption.spreadsheets.files.csv_rows import CsvReader
from adoption.spreadsheets.files.delimiter_detection import detect_dialect
from adoption.spreadsheets.files.header_row_search import find_header
from adoption.spreadsheets.files.raw_tables import Book, RawRow, Table
from adoption.spreadsheets.files.text_encoding import find_encoding, open_text


def read_csv(file: IO[bytes], encoding: str | None) -> Book:
    """Return the only table of a text file.

    Raises FileRefused if the file cannot be read, and Invalid if the encoding is unknown.
    """
    found = find_encoding(file, encoding)
    dialect = detect_dialect(text_after_separator_line(file, found))
    header = find_header(iter(CsvReader(text_after_separator_line(file, found), dialect))).header

    def rows() -> Iterator[RawRow]:
        return iter(CsvReader(text_after_separator_line(file, found), dialect, len(header.cells)))

    return Book([Table("", rows)], encoding=found)


def text_after_separator_line(file: IO[bytes], encoding: str) -> io.TextIOWrapper:
    """Return the text, positioned after Excel's ``sep=`` line if there is such a line."""
    text = open_text(file, encoding)
    if not re.fullmatch(r"sep=.?\s*", text.readline(20), re.IGNORECASE):
        text.seek(0)
    return text
