"""Import of a shelter's spreadsheet. Animals are created and updated, never deleted.

The stored rows are read three times: first to infer options such as the date order, then to group the parsed
rows by animal, and last to write the animals. A dry run does not write.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import IO

from sqlalchemy.orm import Session

from adoption.animals.animal_and_photo_limits import animals_left
from adoption.errors import FileRefused
from adoption.projects.queries import find_project_by_slug
from adoption.spreadsheets.column_mapping import open_mapped_sheet
from adoption.spreadsheets.files.file_reader import Sheet
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.import_result import ImportResult
from adoption.spreadsheets.parse_option_inference import infer_options
from adoption.spreadsheets.parsed_rows import ParsedRow
from adoption.spreadsheets.row_notes import RowRefused
from adoption.spreadsheets.rows.parse_options import ParseOptions
from adoption.spreadsheets.rows.row_parser import parse_row
from adoption.spreadsheets.rows_by_animal import RowsByAnimal
from adoption.spreadsheets.rows_of_one_animal import UpsertRow
from adoption.spreadsheets.upsert import AnimalRoom, UpsertResult, write_chunk
from adoption.storage.database import reading, transaction
from adoption.time_zones import zone_info

CHUNK = 250
"""Number of animals per transaction. Other writers wait a fraction of a second for such a transaction."""

Progress = Callable[[int, int], None]
"""A function whose arguments are the number of finished rows and the number of all rows."""
TEXT_BYTES_MOST, TEXT_BYTES_A_ROW = 20_000_000, 500
"""Limits of the text that one import writes, in bytes: a fixed number, plus a number for each row.

A small file can have one long text that all rows share.
"""
TOO_MUCH_TEXT = (
    f"The texts of all rows together have more than {TEXT_BYTES_MOST // 1_000_000} MB. "
    "Shorten the descriptions, or split the file."
)
PARSED_EACH = 250
"""Number of rows between two calls of ``parsing``."""


class ImportCallbacks:
    """Callbacks during an import. If a callback raises an exception, the import ends."""

    def parsing(self, rows: int, of: int) -> None:
        """Report that ``rows`` rows of the file have been parsed. The file has ``of`` rows."""

    def writing(self, session: Session | None, written: Sequence[UpsertResult], rows: int, of: int) -> None:
        """Receive the results of a chunk before the chunk is committed.

        Changes in ``session`` are committed with the chunk. In a dry run, ``session`` is None.
        """


def import_animals(
    slug: str,
    file: IO[bytes],
    chosen: ImportOptions = ImportOptions(),  # noqa: B008 - it is frozen
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
    callbacks: ImportCallbacks | None = None,
    now: datetime | None = None,
) -> ImportResult:
    """Import the animals of a seekable file.

    Chunks are committed one by one. To complete an interrupted import, import the file again. Raises NotFound
    if there is no such project, Invalid if a choice is impossible, and FileRefused if the file cannot be
    read.
    """
    now, callbacks = now or datetime.now(UTC), callbacks or ImportCallbacks()
    with reading() as session:
        project = find_project_by_slug(session, slug)
    project_id, now = project.id, now.astimezone(zone_info(project.time_zone))
    sheet = open_mapped_sheet(file, chosen)
    try:
        if not chosen.photos:
            sheet.layout = replace(sheet.layout, photos=())
        options = infer_options(sheet, chosen, now)
        grouped = group_rows(sheet, options, callbacks)
        write_newest_stays(
            project_id, sheet, grouped, dry_run, progress or (lambda _done, _all: None), callbacks
        )
        return grouped.result(sheet, dry_run)
    finally:
        sheet.close()


def group_rows(sheet: Sheet, options: ParseOptions, callbacks: ImportCallbacks) -> RowsByAnimal:
    grouped, text_bytes = RowsByAnimal(options), 0
    for number, record in enumerate(sheet):
        if number % PARSED_EACH == 0:
            callbacks.parsing(number, sheet.count)
        try:
            read = parse_row(options, record)
        except RowRefused as refusal:
            grouped.refused.append(refusal.note)
            continue
        text_bytes += text_bytes_of(read)
        if text_bytes > TEXT_BYTES_MOST + TEXT_BYTES_A_ROW * sheet.count:
            raise FileRefused(TOO_MUCH_TEXT)
        grouped.add(read)
    return grouped


def text_bytes_of(read: ParsedRow) -> int:
    """Return the size of the texts that the import of a row writes, in bytes."""
    texts = (*read.values.values(), *read.care.values())
    return sum(len(text.encode()) for text in texts if isinstance(text, str))


def write_newest_stays(
    project_id: int,
    sheet: Sheet,
    grouped: RowsByAnimal,
    dry_run: bool,
    progress: Progress,
    callbacks: ImportCallbacks,
) -> None:
    """Write the newest stay of each animal to the database, one chunk after another."""
    winners, room = newest_stays(sheet, grouped), AnimalRoom(*animals_left(project_id))
    progress(0, sheet.count)
    while upsert_rows := list(islice(winners, CHUNK)):
        rows = upsert_rows[-1].parsed.stay[-1] + 1
        with reading() if dry_run else transaction() as session:
            if not dry_run:  # users may have added animals since the last chunk
                room = AnimalRoom(*animals_left(project_id, session))
            written = write_chunk(
                session, project_id, upsert_rows, grouped.options.now, grouped.is_free, dry_run, room
            )
            if not dry_run:
                callbacks.writing(session, written, rows, sheet.count)
        if dry_run:  # a dry run writes no rows, so the progress needs its own transaction
            callbacks.writing(None, written, rows, sheet.count)
        grouped.settle(written)
        progress(rows, sheet.count)
    progress(sheet.count, sheet.count)


def newest_stays(sheet: Sheet, grouped: RowsByAnimal) -> Iterator[UpsertRow]:
    for record in sheet:
        try:
            read = parse_row(grouped.options, record)
        except RowRefused:
            continue
        if (group := grouped.winner(read)) is not None:
            yield grouped.upsert_row(read, group)
