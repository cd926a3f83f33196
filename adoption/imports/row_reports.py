"""Reports about an import's rows, as CSV: rejected rows, warnings and failed photos.

When a spreadsheet program opens a report, no cell becomes a formula.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import IO

from adoption.errors import NotFound
from adoption.imports import file_storage
from adoption.imports.queries import import_of, photo_failures
from adoption.spreadsheets.column_mapping import open_mapped_sheet
from adoption.spreadsheets.exports.own_format import shield_formula
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.row_notes import RowNote
from adoption.storage.database import reading
from adoption.translations import gettext

PROBLEM = "Problem"
"""Header of the column that contains each rejected row's problem. Imports ignore this column."""


def notes_csv(notes: Iterable[RowNote]) -> bytes:
    """Return the row, column, value and reason of each note as CSV, in UTF-8 with a byte order mark."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    rows = list(notes)
    # The last column is the sheet. A report for a file with one sheet has no such column.
    width = len(RowNote._fields) - (not any(note.sheet for note in rows))
    writer.writerow(RowNote._fields[:width])
    for row, *texts in (note[:width] for note in rows):
        writer.writerow([row, *(shield_formula(str(text or "")) for text in texts)])
    return file.getvalue().encode("utf-8-sig")


def rejected_rows(file: IO[bytes], chosen: ImportOptions, notes: Sequence[RowNote]) -> bytes:
    """Return the rejected rows of the file as CSV, with an extra column for each row's problem.

    The report has the same header as the file. So users can correct the rows and import the report.
    """
    problems = {(note.sheet, note.row): row_problem_text(note) for note in notes}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    sheet = open_mapped_sheet(file, chosen, None if problems else 1)
    try:
        header = sheet.layout.header
        writer.writerow([*map(shield_formula, header), PROBLEM])
        for record in sheet if problems else ():
            if (problem := problems.get((record.sheet, record.row))) is not None:
                cells = [*record.cells, *[""] * len(header)][: len(header)]
                writer.writerow([*map(shield_formula, cells), shield_formula(problem)])
    finally:
        sheet.close()
    return out.getvalue().encode("utf-8-sig")


def row_problem_text(note: RowNote) -> str:
    return f"{note.column}: {note.reason}" if note.column else note.reason


def report_of(project_id: int, import_id: int, kind: str) -> bytes:
    """Return the report on ``refused`` rows, on ``warnings`` or on failed ``photos``.

    Raises NotFound if there is no such report, and Unavailable if the media store fails.
    """
    with reading() as session:
        each = import_of(session, project_id, import_id)
        if kind == "photos":
            return notes_csv(photo_failures(session, import_id))
    if not each.result:
        raise NotFound(gettext("This import has no report on its rows."))
    key = file_storage.reports_of(each.file_key)[kind] if each.file_key else ""
    with file_storage.open_import_file(key) as file:
        return file.read()
