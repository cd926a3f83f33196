"""What an import had to say of single rows, as CSV that a spreadsheet opens and takes for no formula."""

import csv
import io
from collections.abc import Iterable

from adoption.animals.spreadsheets.own_format import shielded
from adoption.animals.spreadsheets.row_results import RowNote
from adoption.database import reading
from adoption.errors import NotFound
from adoption.imports import files
from adoption.imports.queries import import_of, photo_failures


def report(notes: Iterable[RowNote]) -> bytes:
    """Return the row, column, value and reason of each note as CSV, in UTF-8 with its mark."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    told = list(notes)
    # The last column is the sheet: only some workbooks have more than one.
    width = len(RowNote._fields) - (not any(note.sheet for note in told))
    writer.writerow(RowNote._fields[:width])
    for row, *texts in (note[:width] for note in told):
        writer.writerow([row, *(shielded(str(text or "")) for text in texts)])
    return file.getvalue().encode("utf-8-sig")


def report_of(project_id: int, import_id: int, kind: str) -> bytes:
    """``refused`` rows, ``warnings``, or ``photos`` that could not be had. Raises NotFound, Unavailable."""
    with reading() as session:
        each = import_of(session, project_id, import_id)
        if kind == "photos":
            return report(photo_failures(session, import_id))
    if not each.result:
        raise NotFound("This import has nothing to tell of its rows.")
    key = files.reports_of(each.file_key)[kind] if each.file_key else ""
    with files.opened(key) as file:
        return file.read()
