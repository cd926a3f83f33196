"""Storage of a file's rows in memory or in a temporary file."""

import json
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from adoption.errors import FileRefused
from adoption.spreadsheets.files.raw_tables import CellNote, CellTrouble, RawRow
from adoption.translations import message

IN_MEMORY = 4_000_000
"""Limit of bytes that are kept in memory. Beyond this limit, all rows are in a temporary file."""
ROWS_MOST = 300_000
"""Limit of rows in one file. No shelter has this many animals."""
COLUMNS_MOST = 1_000
"""Limit of columns. No program's export has more columns."""
KEPT_MOST = 500_000_000
"""Limit of characters in all stored rows. A small workbook can unpack to more than fits on a disk."""

ROW_LONGEST = 20_000_000
"""Limit of characters in one row. A repeated or shared cell is small in the file, but is stored in full."""


class RowStore:
    """Stored rows that can be read more than once."""

    def __init__(self) -> None:
        # The method ``close`` closes this file.
        self.file = cast(IO[str], SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8"))  # noqa: SIM115
        self.count = self.size = 0

    def add(self, record: RawRow) -> None:
        """Store a row. Raises FileRefused if a limit is exceeded."""
        refuse_long_row(record.cells)
        self.size += self.file.write(json.dumps(record[:5]) + "\n")
        self.count += 1
        if self.size > KEPT_MOST:
            raise FileRefused(message("The file is too large. Delete the columns that are not needed."))
        if self.count > ROWS_MOST:
            raise FileRefused(f"The file has more than {ROWS_MOST:,} rows. Split it into several files.")

    def __iter__(self) -> Iterator[RawRow]:
        self.file.seek(0)
        for number, line in enumerate(self.file):
            row, cells, trouble, notes, sheet = json.loads(line)
            cell_trouble = CellTrouble(*trouble) if trouble else None
            yield RawRow(row, cells, cell_trouble, [CellNote(*each) for each in notes], sheet, number)

    def close(self) -> None:
        self.file.close()


def refuse_long_row(texts: Iterable[str]) -> None:
    """Raise FileRefused if a row has more text than an animal can have."""
    if sum(map(len, texts)) > ROW_LONGEST:
        raise FileRefused(
            f"A row of the file has more than {ROW_LONGEST:,} characters. Delete its longest texts, "
            "or the columns that are not needed."
        )
