"""What an import had to say of single rows, as CSV that a spreadsheet opens and takes for no formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import IO

from adoption.animals.spreadsheets.column_mapping import open_mapped_sheet
from adoption.animals.spreadsheets.import_options import ImportOptions
from adoption.animals.spreadsheets.own_format import shield_formula
from adoption.animals.spreadsheets.row_results import RowNote
from adoption.errors import NotFound
from adoption.imports import files
from adoption.imports.queries import import_of, photo_failures
from adoption.storage.database import reading

PROBLEM = "Problem"
"""The header of the column with the problem of each rejected row. No import reads it."""


def notes_csv(notes: Iterable[RowNote]) -> bytes:
    """Return the row, column, value and reason of each note as CSV, in UTF-8 with its mark."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    told = list(notes)
    # The last column is the sheet: only some workbooks have more than one.
    width = len(RowNote._fields) - (not any(note.sheet for note in told))
    writer.writerow(RowNote._fields[:width])
    for row, *texts in (note[:width] for note in told):
        writer.writerow([row, *(shield_formula(str(text or "")) for text in texts)])
    return file.getvalue().encode("utf-8-sig")


def rejected_rows(file: IO[bytes], chosen: ImportOptions, notes: Sequence[RowNote]) -> bytes:
    """Return the rejected rows as they are in the file, each with its problem in a further column.

    The header is that of the file, so that the rows can be fixed and imported.
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
    """``refused`` rows, ``warnings``, or ``photos`` that could not be had. Raises NotFound, Unavailable."""
    with reading() as session:
        each = import_of(session, project_id, import_id)
        if kind == "photos":
            return notes_csv(photo_failures(session, import_id))
    if not each.result:
        raise NotFound("This import has nothing to tell of its rows.")
    key = files.reports_of(each.file_key)[kind] if each.file_key else ""
    with files.open_import_file(key) as file:
        return file.read()
