"""A shelter's spreadsheet taken in: animals are made and brought up to date, and never deleted.

The file is gone through three times: to find out how its dates are written, to judge each row and see which
are of one animal, and to write. A dry run does all of it but the writing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from itertools import islice
from typing import IO, Any

from sqlalchemy.orm import Session

from adoption.animals.spreadsheets.column_mapping import open_mapped_sheet
from adoption.animals.spreadsheets.file_reader import Sheet
from adoption.animals.spreadsheets.header_formats import HeaderLayout
from adoption.animals.spreadsheets.import_options import ImportOptions
from adoption.animals.spreadsheets.inference import infer_options
from adoption.animals.spreadsheets.parse_options import ParseOptions
from adoption.animals.spreadsheets.row_parser import parse_row
from adoption.animals.spreadsheets.row_results import ParsedRow, RowNote, RowRefused
from adoption.animals.spreadsheets.upsert import UpsertResult, UpsertRow, write_chunk
from adoption.database import reading, transaction
from adoption.projects.queries import project_named
from adoption.time_zones import zone_info

CHUNK = 250
"""Animals a transaction: others that write wait a fraction of a second for it."""

Progress = Callable[[int, int], None]
"""Called with how many of how many rows are done."""
JUDGED_EACH = 250
"""Rows between two looks at whether to go on, while they are judged."""


class ImportCallbacks:
    """What whoever runs an import is told on its way. Each may raise, and the import then ends there."""

    def judging(self, rows: int, of: int) -> None:
        """``rows`` of the file have been judged."""

    def writing(self, session: Session | None, written: Sequence[UpsertResult], rows: int, of: int) -> None:
        """A chunk is about to be kept: what is done in ``session`` is kept with it, or neither is.

        ``session`` is None in a dry run.
        """


@dataclass
class ImportResult:
    """What an import did, or would do. Each row is counted once: created, updated, unchanged or refused."""

    rows: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    unlisted: int = 0
    """Animals that the file says have left or are held, so that nobody but the staff sees them."""
    further: int = 0
    """Rows of animals that the file had brought already."""
    dry_run: bool = False
    columns: dict[str, str | None] = field(default_factory=dict)
    """Each header as written, with the field that its column makes; None for a column left out."""
    refused: list[RowNote] = field(default_factory=list)
    warnings: list[RowNote] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Sentences about the file as a whole, such as a sheet that was not read."""

    def as_json(self) -> dict[str, Any]:
        """Return the result as other programs read it (JSON)."""
        return {
            "rows": self.rows,
            "created": self.created,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "dry_run": self.dry_run,
            "columns": self.columns,
            "refused": [note.as_json() for note in self.refused],
            "warnings": [note.as_json() for note in self.warnings],
            "notes": self.notes,
        }


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
    """Import the animals of a CSV, TSV or XLSX file that can be read from its start again.

    Chunks are committed one by one: an import that was cut short is completed by running it again. Raises
    NotFound, Invalid for an unknown category, and FileRefused when nothing of the file can be taken.
    """
    now, callbacks = now or datetime.now(UTC), callbacks or ImportCallbacks()
    with reading() as session:
        project = project_named(session, slug)
    project_id, now = project.id, now.astimezone(zone_info(project.time_zone))
    sheet = open_mapped_sheet(file, chosen)
    try:
        if not chosen.photos:
            sheet.layout = replace(sheet.layout, photos=())
        options = infer_options(sheet, chosen, now)
        plan = ImportPlan.of(sheet, options, callbacks)
        write(project_id, sheet, options, plan, dry_run, progress or (lambda _done, _all: None), callbacks)
        return plan.result(sheet, options.layout, dry_run)
    finally:
        sheet.close()


Identity = tuple[str, int, date | None]
"""Name, category and birth date of an animal without a code, as far as its row tells them."""


@dataclass(slots=True)
class AnimalRows:
    """The rows of one animal. The newest stay is the one that counts."""

    newest: tuple[Any, ...]
    sayings: int
    """Hash of what the newest stay so far says."""
    rows: list[tuple[str, int]]
    """The sheet and the row number of each."""
    changes: int = 0
    """Rows that brought something newer than the rows before them."""
    photos: list[tuple[str, str]] = field(default_factory=list)
    """Addresses of pictures from rows that add nothing else."""
    nth: int = 0
    """Which of several animals that nothing tells apart, from 0 in the file's order."""


class ImportPlan:
    """Each row judged, and the rows of one animal brought together."""

    def __init__(self) -> None:
        self.groups: dict[Any, AnimalRows] = {}
        self.fates: dict[str, int] = Counter()
        self.unlisted = 0
        self.refused: list[RowNote] = []
        self.warnings: list[RowNote] = []
        self.births: defaultdict[tuple[str, int], set[date]] = defaultdict(set)
        """Birth dates that the file tells of animals without a code, by name and category."""

    @classmethod
    def of(cls, sheet: Sheet, options: ParseOptions, callbacks: ImportCallbacks) -> "ImportPlan":
        plan = cls()
        alike: Counter[Identity] = Counter()
        for number, record in enumerate(sheet):
            if number % JUDGED_EACH == 0:
                callbacks.judging(number, sheet.count)
            try:
                read = parse_row(options, record)
            except RowRefused as refusal:
                plan.refused.append(refusal.note)
                continue
            if read.needs_earlier and read.code not in plan.groups:
                plan.refused.append(read.needs_earlier)
                continue
            plan.warnings += read.warnings
            if read.code is None:
                plan.add_codeless(read, alike)
            else:
                plan.add(read)
        return plan

    def add(self, read: ParsedRow) -> None:
        sayings = hash((read.name, read.category_id, repr(read.values), repr(read.care)))
        group = self.groups.get(read.code)
        if group is None:
            self.groups[read.code] = AnimalRows(read.stay, sayings, [(read.sheet, read.row)])
            return
        group.rows.append((read.sheet, read.row))
        group.photos += read.photos if read.needs_earlier else []
        if read.stay > group.newest:
            group.changes += sayings != group.sayings
            group.newest, group.sayings = read.stay, sayings

    def add_codeless(self, read: ParsedRow, alike: Counter[Identity]) -> None:
        identity = identity_of(read)
        place = (read.sheet, read.row)
        self.groups[place] = AnimalRows(read.stay, 0, [place], nth=alike[identity])
        alike[identity] += 1
        if read.exact_birth:
            self.births[identity[:2]].add(read.exact_birth)

    def group_of(self, read: ParsedRow) -> AnimalRows:
        return self.groups[(read.sheet, read.row) if read.code is None else read.code]

    def settle(self, written: Iterable[UpsertResult]) -> None:
        """Count the rows of each animal by what became of it."""
        for each in written:
            group = self.group_of(each.reading)
            if each.refusal:
                self.refused += [RowNote(row, *each.refusal, sheet) for sheet, row in group.rows]
                continue
            if each.warning:
                self.warnings.append(RowNote(each.reading.row, None, "", each.warning, each.reading.sheet))
            self.fates[each.fate] += 1
            self.unlisted += each.reading.values.get("listed") is False
            changes = group.changes if each.fate != "unchanged" else 0
            self.fates["updated"] += changes
            self.fates["unchanged"] += len(group.rows) - 1 - changes

    def result(self, sheet: Sheet, layout: HeaderLayout, dry_run: bool) -> ImportResult:
        return ImportResult(
            sheet.count,
            self.fates["created"],
            self.fates["updated"],
            self.fates["unchanged"],
            self.unlisted,
            sum(len(group.rows) - 1 for group in self.groups.values()),
            dry_run,
            layout.fields(),
            sorted(self.refused, key=sheet.place_of),
            sorted(self.warnings, key=sheet.place_of),
            sheet.notes,
        )


def identity_of(read: ParsedRow) -> Identity:
    assert read.name is not None and read.category_id is not None  # noqa: S101, PT018 - else ``RowRules`` rejected it
    return read.name, read.category_id, read.exact_birth


def write(
    project_id: int,
    sheet: Sheet,
    options: ParseOptions,
    plan: ImportPlan,
    dry_run: bool,
    progress: Progress,
    callbacks: ImportCallbacks,
) -> None:
    """Bring the newest stay of each animal into the database, chunk by chunk."""
    winners = newest_stays(sheet, options, plan)
    progress(0, sheet.count)
    while chunk := list(islice(winners, CHUNK)):
        claims = [
            UpsertRow(read, plan.group_of(read).nth, plan.births[identity_of(read)[:2]])
            if read.code is None
            else UpsertRow(read, 0, set())
            for read in chunk
        ]
        rows = chunk[-1].stay[-1] + 1
        if dry_run:
            with reading() as session:
                written = write_chunk(session, project_id, claims, options.now, dry_run=True)
            callbacks.writing(None, written, rows, sheet.count)
        else:
            with transaction() as session:
                written = write_chunk(session, project_id, claims, options.now)
                callbacks.writing(session, written, rows, sheet.count)
        plan.settle(written)
        progress(rows, sheet.count)
    progress(sheet.count, sheet.count)


def newest_stays(sheet: Sheet, options: ParseOptions, plan: ImportPlan) -> Iterator[ParsedRow]:
    for record in sheet:
        try:
            read = parse_row(options, record)
        except RowRefused:
            continue
        group = plan.groups.get((read.sheet, read.row) if read.code is None else read.code)
        if group and group.newest == read.stay:
            addresses = {address for _, address in read.photos}
            read.photos += [photo for photo in group.photos if photo[1] not in addresses]
            yield read
