"""What a shelter's spreadsheet holds, row by row, whichever program wrote it: CSV, TSV or XLSX."""

import codecs
import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from adoption.animals.spreadsheets.csv_reader import DELIMITERS, CellTrouble, CsvDialect, CsvReader, Record
from adoption.animals.spreadsheets.header_formats import HeaderLayout, recognise
from adoption.animals.spreadsheets.xlsx_reader import sheets_of
from adoption.errors import FileRefused

__all__ = ["FileRefused", "Record", "Sheet", "open_sheet"]

HEADER_WITHIN = 10
"""Rows from the top in which the header is looked for: some programs write a title above it."""
IN_MEMORY = 4_000_000
"""Bytes of rows that are kept in memory; more go to a file."""
ROWS_MOST = 300_000
"""Animals' rows in one file: more than any shelter has, and what keeps time and memory in bounds."""
KEPT_MOST = 500_000_000
"""Letters of all rows as they are kept: a small workbook can unpack to more than a disk holds."""

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

SAVE_AS = "Open it in a spreadsheet and save it as XLSX or CSV."
OTHER_KINDS = (
    (b"\xd0\xcf\x11\xe0", f"This is an old Excel workbook (.xls) or a locked one. {SAVE_AS}"),
    (b"%PDF", "This is a PDF, which holds no rows. Export the animals as CSV or XLSX."),
    (b"\x89PNG", "This is a picture. Export the animals as CSV or XLSX."),
    (b"\xff\xd8\xff", "This is a picture. Export the animals as CSV or XLSX."),
    (b"GIF8", "This is a picture. Export the animals as CSV or XLSX."),
    (b"RIFF", "This is a picture or a sound. Export the animals as CSV or XLSX."),
    (b"\x1f\x8b", "This file is packed with gzip. Unpack it first."),
    (b"<", f"This is a web page or XML, as some programs name .xls. {SAVE_AS}"),
    (b"{\\rtf", f"This is a text document. {SAVE_AS}"),
    (b"SQLite format 3", "This is a database. Export the animals as CSV or XLSX."),
)
EMPTY = "The file is empty. Its first row must name the columns, such as code, name, species."


class Sheet:
    """A header with the rows below it, kept so that they can be read more than once."""

    def __init__(self, header: Record, layout: HeaderLayout, rows: Iterable[Record]) -> None:
        """Reads ``rows`` to their end, without the blank ones; raises what reading them raises."""
        self.layout = layout
        self.count = kept = 0
        # Open as long as the sheet is: close() ends both.
        self.kept = cast(IO[str], SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8"))  # noqa: SIM115
        heading = [cell.strip() for cell in header.cells]
        for record in rows:
            if record.trouble is None and not any(cell.strip() for cell in record.cells):
                continue
            if [cell.strip() for cell in record.cells] == heading:
                record = record._replace(trouble=CellTrouble(None, heading[0], "the row repeats the header"))
            kept += self.kept.write(json.dumps(record) + "\n")
            self.count += 1
            if kept > KEPT_MOST:
                raise FileRefused("The file holds too much. Delete the columns that are not needed.")
            if self.count > ROWS_MOST:
                raise FileRefused(f"The file has more than {ROWS_MOST:,} rows. Split it into several files.")

    def __iter__(self) -> Iterator[Record]:
        self.kept.seek(0)
        for line in self.kept:
            row, cells, trouble = json.loads(line)
            yield Record(row, cells, CellTrouble(*trouble) if trouble else None)

    def close(self) -> None:
        self.kept.close()


def open_sheet(file: IO[bytes], most: int | None = None) -> Sheet:
    """The rows of a file that can be read from its start again; the first ``most`` where that is given.

    Kind, encoding and delimiter are found out from what it holds, never from its name. Raises FileRefused
    with what to do about it.
    """
    start = opening(file)
    if not start.strip(b" \t\r\n\x00"):
        raise FileRefused(EMPTY)
    for magic, sentence in OTHER_KINDS:
        if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(magic):
            raise FileRefused(sentence)
    sheet = (workbook_sheet if start.startswith(b"PK\x03\x04") else text_sheet)(file, most)
    if not sheet.count:
        sheet.close()
        raise FileRefused("The file has a header and no rows below it.")
    return sheet


def opening(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(4096)


def workbook_sheet(file: IO[bytes], most: int | None = None) -> Sheet:
    """The first sheet that has a header. Raises FileRefused."""
    refusal = FileRefused(EMPTY)
    for rows in sheets_of(file, ROWS_MOST):
        try:
            header, layout, rest = split_header(rows)
        except FileRefused as why:
            refusal = why if str(refusal) == EMPTY else refusal
            continue
        return Sheet(header, layout, islice(rest, most))
    raise refusal


def text_sheet(file: IO[bytes], most: int | None = None) -> Sheet:
    encoding = encoding_of(file)
    dialect = dialect_of(text_of(file, encoding))
    header, layout, _ = split_header(iter(CsvReader(text_of(file, encoding), dialect)))
    rows = iter(CsvReader(text_of(file, encoding), dialect, len(header.cells)))
    return Sheet(header, layout, islice((record for record in rows if record.row > header.row), most))


def encoding_of(file: IO[bytes]) -> str:
    """The encoding: told by a byte order mark, else UTF-8 if all of it is, else Windows-1252.

    UTF-16 is seen without its mark too: half of a header's bytes are then noughts.
    """
    start = opening(file)
    for mark, name in BOMS:
        if start.startswith(mark):
            return name
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if start[first::2].count(0) * 4 > len(start):
            return name
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := file.read(1 << 20):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


class Borrowed(io.TextIOWrapper):
    """Text over a file that stays open, because it is the caller's."""

    def close(self) -> None:
        pass


def text_of(file: IO[bytes], encoding: str) -> io.TextIOWrapper:
    """The file as text, from its start or from behind Excel's ``sep=`` line; line ends stay as they are."""
    file.seek(0)
    text = Borrowed(file, encoding=encoding, errors="replace", newline="")
    if not re.fullmatch(r"sep=.?\s*", text.readline(20), re.IGNORECASE):
        text.seek(0)
    return text


def dialect_of(text: io.TextIOWrapper) -> CsvDialect:
    """The delimiter under which the header names the most columns that are known."""
    sample = text.read(100_000)

    def known(delimiter: str) -> tuple[int, int]:
        rows = islice(CsvReader(io.StringIO(sample, newline=""), CsvDialect(delimiter)), HEADER_WITHIN)
        return max(((recognise(row.cells).known, len(row.cells)) for row in rows), default=(0, 0))

    delimiter = max(DELIMITERS, key=known)
    first = next((line for line in sample.splitlines() if delimiter in line), "")
    spaced = delimiter != "\t" and first.count(delimiter) == first.count(delimiter + " ") > 0
    return CsvDialect(delimiter, spaced)


def split_header(rows: Iterator[Record]) -> tuple[Record, HeaderLayout, Iterator[Record]]:
    """The header, what its columns mean, and the rows below it. Raises FileRefused."""
    above: list[Record] = []
    for record in islice(rows, HEADER_WITHIN * 2):
        above.append(record)
        if recognise(record.cells).known >= 2:
            break
    filled = [record for record in above if any(cell.strip() for cell in record.cells)]
    if not filled:
        raise FileRefused(EMPTY)
    best = max(filled, key=lambda record: min(recognise(record.cells).known, 2))
    layout = recognise(best.cells)
    if not layout.known:
        names = ", ".join(f'"{cell.strip()[:40]}"' for cell in filled[0].cells[:6])
        raise FileRefused(
            f"No column of the header is known: {names}. "
            "The first row must name the columns, such as code, name, species, status."
        )
    layout.refuse_repeats()
    return best, layout, chain((record for record in above if record.row > best.row), rows)
