"""Reader for delimiter-separated text. The delimiter is detected from the header."""

import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import IO

from adoption.spreadsheets.columns.header_recognition import recognise_header
from adoption.spreadsheets.files.csv_reader import DELIMITERS, CsvDialect, CsvReader
from adoption.spreadsheets.files.header_search import find_header
from adoption.spreadsheets.files.raw_tables import Book, RawRow, Table
from adoption.spreadsheets.files.text_encoding import find_encoding, open_text

SAMPLE = 100_000
"""Number of characters in which the delimiter is searched for."""
HEADER_WITHIN = 60
"""Number of first rows in the sample that may be the header."""


def read_text(file: IO[bytes], encoding: str | None) -> Book:
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
    """Return the text from its start, or after Excel's ``sep=`` line if there is one."""
    text = open_text(file, encoding)
    if not re.fullmatch(r"sep=.?\s*", text.readline(20), re.IGNORECASE):
        text.seek(0)
    return text


def detect_dialect(text: io.TextIOWrapper) -> CsvDialect:
    """Return the delimiter that splits a header with the most known columns.

    Among equal delimiters, the one that splits the header into more columns is returned.
    """
    sample = text.read(SAMPLE)

    def known(delimiter: str) -> tuple[int, int]:
        rows = islice(CsvReader(io.StringIO(sample, newline=""), CsvDialect(delimiter)), HEADER_WITHIN)
        return max(((recognise_header(row.cells).known, len(row.cells)) for row in rows), default=(0, 0))

    delimiter = max(DELIMITERS, key=known)
    first = next((line for line in sample.splitlines() if delimiter in line), "")
    spaced = delimiter != "\t" and first.count(delimiter) == first.count(delimiter + " ") > 0
    return CsvDialect(delimiter, spaced)
