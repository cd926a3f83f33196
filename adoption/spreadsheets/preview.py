"""Preview of a file before the import: columns, open questions and first rows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import IO, Any

from adoption.animals.allowed_values import CATEGORIES
from adoption.batches import batches
from adoption.spreadsheets.code_clashes import CodeClash
from adoption.spreadsheets.column_mapping import choices_for, choices_of
from adoption.spreadsheets.columns.column_recognition import HeaderLayout
from adoption.spreadsheets.encoding_and_sheet_questions import open_with_questions
from adoption.spreadsheets.files.file_reader import Sheet
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.parse_option_inference import Inference
from adoption.spreadsheets.parsed_rows import ParsedRow
from adoption.spreadsheets.row_notes import RowNote, RowRefused
from adoption.spreadsheets.rows.parse_options import ParseOptions
from adoption.spreadsheets.rows.row_parser import parse_row
from adoption.spreadsheets.rows.row_rules import AGES
from adoption.spreadsheets.rows_by_animal import RowsByAnimal
from adoption.spreadsheets.upsert import write_chunk
from adoption.spreadsheets.value_mapping import kind_of_values, list_column_values, refuse_unknown_meanings
from adoption.storage.database import reading

ROWS_LOOKED_AT = 2_000
"""Number of rows that a preview reads. So a preview is fast for any file. An import reads all rows."""
SAMPLES, SAMPLE_LONGEST = 3, 60
PREVIEWED = 6
CHUNK = 250
"""Number of animals that one query looks up."""
CLASHES_SHOWN = 20
VALUE_LONGEST = 100


@dataclass
class FilePreview:
    """The preview of a file, as plain JSON values."""

    format: str
    rows: int
    whole: bool
    """Whether the preview has all rows of the file. The number of rows is ``rows``."""
    columns: list[dict[str, Any]]
    """The keys ``place``, ``header``, ``samples`` and ``choice`` for each column that is not blank."""
    choices: list[str]
    """The choices that a column can have."""
    open_date: dict[str, str] | None
    """The keys ``header`` and ``example`` for the first column with ambiguous dates, if any."""
    asks_species: bool
    """Whether the user must choose a species, because some row has no species."""
    nameless: bool
    """Whether the file has no column for the animals' names or codes."""
    photos: bool
    """Whether some column has photo URLs."""
    file: dict[str, Any] = field(default_factory=dict)
    """The questions about the whole file, from ``open_with_questions``."""
    values: list[dict[str, Any]] = field(default_factory=list)
    """The values of each column that has a fixed set of meanings, from ``value_mapping.ColumnValues``."""
    blanks: int = 0
    """Number of stored values whose cells in the file are blank."""
    clashes: list[dict[str, Any]] = field(default_factory=list)
    """The first codes that two animals have, from ``CodeClash.as_json``."""
    clash_count: int = 0
    asks_list_date: bool = False
    """Whether the user can choose the date of the list.

    If the file has ages, the ages count back from this date.
    """
    preview: list[dict[str, Any]] = field(default_factory=list)
    """The first rows. Each row has its number as ``row``, and either ``refused`` or the animal's values."""


def preview_file(
    project_id: int,
    file: IO[bytes],
    chosen: ImportOptions = ImportOptions(),  # noqa: B008 - it is frozen
    now: datetime | None = None,
) -> FilePreview:
    """Return a preview of a file's first rows.

    Raises FileRefused if the file cannot be read, and Invalid if a choice is impossible.
    """
    sheet, questions = open_with_questions(file, chosen, ROWS_LOOKED_AT + 1)
    try:
        return replace(preview_sheet(project_id, sheet, chosen, now or datetime.now(UTC)), file=questions)
    finally:
        sheet.close()


def preview_sheet(project_id: int, sheet: Sheet, chosen: ImportOptions, now: datetime) -> FilePreview:
    survey = Inference.of(sheet)
    order = next((order for order in survey.dated.values() if order.open), None)
    place = next((place for place, each in survey.dated.items() if each is order), None)
    # Until the user chooses, the preview reads ambiguous dates with the day first.
    if chosen.day_first is None and order is not None:
        chosen = replace(chosen, day_first=True)
    options = survey.options(chosen, now)
    refuse_unknown_meanings(options.layout, chosen.values)
    grouped, rows = group_previewed_rows(sheet, options)
    count_dry_run(project_id, grouped, rows)
    clashes = find_clashes(project_id, sheet, options, grouped)
    fields = {column.field for column in survey.layout.columns}
    return FilePreview(
        format=survey.layout.format,
        rows=min(sheet.count, ROWS_LOOKED_AT),
        whole=sheet.count <= ROWS_LOOKED_AT,
        columns=previewed_columns(sheet, survey),
        choices=list(choices_for(survey.layout)),
        open_date=None
        if order is None or place is None
        else {"header": survey.layout.header[place], "example": order.example},
        asks_species="category" not in fields or blank_somewhere(sheet, survey),
        nameless=not fields & {"name", "code"},
        photos=any("://" in each.cell(column.place) for each in sheet for column in survey.layout.photos),
        values=[asdict(each) for each in list_column_values(options, count_values(sheet, options.layout))],
        blanks=grouped.blanks,
        clashes=[each.as_json() for each in clashes[:CLASHES_SHOWN]],
        clash_count=len(clashes),
        asks_list_date=any(AGES.get(column.meaning, "") is None for column in options.layout.columns),
        preview=shown_rows(grouped, rows),
    )


def count_values(sheet: Sheet, layout: HeaderLayout) -> dict[int, Counter[str]]:
    """Return the number of times that each value occurs, for each column with a fixed set of meanings."""
    counts: dict[int, Counter[str]] = {
        column.place: Counter() for column in layout.columns if kind_of_values(column) is not None
    }
    for record in sheet:
        for place, values in counts.items():
            if text := " ".join(record.cell(place).split()):
                values[text[:VALUE_LONGEST]] += 1
    return counts


def previewed_columns(sheet: Sheet, survey: Inference) -> list[dict[str, Any]]:
    chosen = choices_of(survey.layout)
    samples: dict[int, list[str]] = {place: [] for place in range(len(survey.layout.header))}
    for record in sheet:
        for place, text in enumerate(record.cells[: len(samples)]):
            short = " ".join(text[: SAMPLE_LONGEST * 2].split())
            if short and len(samples[place]) < SAMPLES and clipped(short) not in samples[place]:
                samples[place].append(clipped(short))
    return [
        {"place": place, "header": header, "samples": samples[place], "choice": chosen.get(place, "")}
        for place, header in enumerate(survey.layout.header)
        if header or samples[place]
    ]


def clipped(text: str) -> str:
    return text if len(text) <= SAMPLE_LONGEST else text[: SAMPLE_LONGEST - 1].rstrip() + "…"


def blank_somewhere(sheet: Sheet, survey: Inference) -> bool:
    """Return whether some row has no species, and no earlier row has the same code."""
    places = [column.place for column in survey.layout.columns if column.field == "category"]
    codes = [column.place for column in survey.layout.columns if column.field == "code"]
    known: set[str] = set()
    for record in sheet:
        code = next((text for text in (record.cell(place).strip() for place in codes) if text), "")
        if any(not record.cell(place).strip() for place in places) and code not in known:
            return True
        known |= {code} - {""}
    return False


def group_previewed_rows(sheet: Sheet, options: ParseOptions) -> tuple[RowsByAnimal, list[ParsedRow]]:
    grouped, rows = RowsByAnimal(options), []
    for record in sheet:
        try:
            rows.append(parse_row(options, record))
            grouped.add(rows[-1])
        except RowRefused as refusal:
            grouped.refused.append(refusal.note)
    return grouped, rows


def count_dry_run(project_id: int, grouped: RowsByAnimal, rows: Sequence[ParsedRow]) -> None:
    """Count what an import would do with these rows, without saving anything."""
    winners = ((read, grouped.winner(read)) for read in rows)
    upsert_rows = [grouped.upsert_row(read, group) for read, group in winners if group is not None]
    for some in batches(upsert_rows, CHUNK):
        with reading() as session:
            grouped.settle(
                write_chunk(session, project_id, some, grouped.options.now, grouped.is_free, dry_run=True)
            )


def find_clashes(
    project_id: int, sheet: Sheet, options: ParseOptions, grouped: RowsByAnimal
) -> Sequence[CodeClash]:
    """Return the codes that two animals have, including codes for which the user has made a choice."""
    if not (options.chosen.clash or options.chosen.clashes):
        return grouped.clashes
    open_rows, rows = group_previewed_rows(
        sheet, replace(options, chosen=replace(options.chosen, clash="", clashes={}))
    )
    count_dry_run(project_id, open_rows, rows)
    return open_rows.clashes


def shown_rows(grouped: RowsByAnimal, rows: Sequence[ParsedRow]) -> list[dict[str, Any]]:
    """Return the first rows of the file: the values of each row, or the reason why it is rejected."""
    refused = {(note.sheet, note.row): note for note in grouped.refused}
    read = {(each.sheet, each.row): each for each in rows}
    places = sorted({*refused, *read}, key=lambda place: place[1])[:PREVIEWED]
    return [
        rejected_row(refused[sheet, row]) if (sheet, row) in refused else previewed_row(read[sheet, row])
        for sheet, row in places
    ]


def rejected_row(note: RowNote) -> dict[str, Any]:
    return {"row": note.row, "sheet": note.sheet, "refused": note.reason, "column": note.column}


def previewed_row(read: ParsedRow) -> dict[str, Any]:
    values = read.values
    born = values.get("birth_date") or read.estimate
    arrived = values.get("arrival_date")
    breed = " and ".join(filter(None, (values.get("breed_primary"), values.get("breed_secondary"))))
    return {
        "row": read.row,
        "sheet": read.sheet,
        "name": read.name or read.code,
        "code": read.code,
        "species": CATEGORIES[read.category_id] if read.category_id else None,
        "breed": breed or None,
        "sex": values.get("sex"),
        "born": born.isoformat() if born else None,
        "estimated": bool(values.get("birth_date_estimated") or read.estimate),
        "age_group": values.get("age_group"),
        "colours": values.get("colours"),
        "arrived": arrived.isoformat() if arrived else None,
        "fee_cents": values.get("fee_cents"),
        "status": values.get("status", "available"),
        "listed": values.get("listed", True),
        "photos": len(read.photos),
        "left_out": [
            {"column": note.column, "value": note.value, "reason": note.reason} for note in read.warnings
        ],
    }
