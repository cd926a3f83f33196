"""Detection of the delimiter in delimiter-separated text. The known columns of the header decide."""

import io
from itertools import islice

from adoption.spreadsheets.columns.column_recognition import recognise_header
from adoption.spreadsheets.files.csv_rows import DELIMITERS, CsvDialect, CsvReader

SAMPLE = 100_000
"""Number of characters in which the delimiter is searched for."""
HEADER_WITHIN = 60
"""The header is searched for in this number of rows at the start of the sample."""


def detect_dialect(text: io.TextIOWrapper) -> CsvDialect:
    """Return the delimiter with which one of the rows has the most known columns.

    If several delimiters result in equally many known columns, return the delimiter with the most columns.
    """
    sample = text.read(SAMPLE)

    def known(delimiter: str) -> tuple[int, int]:
        rows = islice(CsvReader(io.StringIO(sample, newline=""), CsvDialect(delimiter)), HEADER_WITHIN)
        return max(((recognise_header(row.cells).known, len(row.cells)) for row in rows), default=(0, 0))

    delimiter = max(DELIMITERS, key=known)
    first = next((line for line in sample.splitlines() if delimiter in line), "")
    spaced = delimiter != "\t" and first.count(delimiter) == first.count(delimiter + " ") > 0
    return CsvDialect(delimiter, spaced)
