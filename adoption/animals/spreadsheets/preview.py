"""A first look at a file: what its columns are, what is still to be asked, how its first rows come out."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import IO, Any

from adoption.animals.fields import CATEGORIES
from adoption.animals.spreadsheets.column_mapping import choices_for, choices_of
from adoption.animals.spreadsheets.file_questions import open_with_questions
from adoption.animals.spreadsheets.file_reader import Sheet
from adoption.animals.spreadsheets.import_options import ImportOptions
from adoption.animals.spreadsheets.inference import Inference, cell
from adoption.animals.spreadsheets.parse_options import ParseOptions
from adoption.animals.spreadsheets.records import Record
from adoption.animals.spreadsheets.row_parser import parse_row
from adoption.animals.spreadsheets.row_results import ParsedRow, RowRefused

ROWS_LOOKED_AT = 2_000
"""Rows from the top: enough to tell, and quick for a file of any size. An import looks at all."""
SAMPLES, SAMPLE_LONGEST = 3, 60
PREVIEWED = 6


@dataclass
class Preview:
    """What is shown of a file before its import; every part is plain, as JSON holds it."""

    format: str
    rows: int
    whole: bool
    """Whether ``rows`` are all that there are."""
    columns: list[dict[str, Any]]
    """``place``, ``header``, ``samples`` and ``choice`` of each column that has a header or a value."""
    choices: list[str]
    """What a column may be."""
    open_date: dict[str, str] | None
    """``header`` and ``example`` of a column whose dates can be read both ways."""
    asks_species: bool
    """Whether some row tells no species."""
    nameless: bool
    """Whether no row could name its animal."""
    photos: bool
    """Whether some column holds addresses of pictures."""
    file: dict[str, Any] = field(default_factory=dict)
    """The questions about the whole file, as ``open_with_questions`` returns them."""
    preview: list[dict[str, Any]] = field(default_factory=list)
    """The first rows as they would be: ``row`` and either ``refused`` or what the animal would have."""


def preview_file(
    file: IO[bytes],
    chosen: ImportOptions = ImportOptions(),  # noqa: B008 - it is frozen
    now: datetime | None = None,
) -> Preview:
    """Return a preview of the first rows of a file.

    Raises FileRefused where nothing of it can be taken, and Invalid for choices that cannot be.
    """
    now = now or datetime.now(UTC)
    sheet, questions = open_with_questions(file, chosen, ROWS_LOOKED_AT + 1)
    try:
        survey = Inference.of(sheet)
        order = next((order for order in survey.dated.values() if order.open), None)
        place = next((place for place, each in survey.dated.items() if each is order), None)
        # Until somebody says so, the preview has the day first.
        if chosen.day_first is None and order is not None:
            chosen = replace(chosen, day_first=True)
        fields = {column.field for column in survey.layout.columns}
        return Preview(
            format=survey.layout.format,
            rows=min(sheet.count, ROWS_LOOKED_AT),
            whole=sheet.count <= ROWS_LOOKED_AT,
            columns=columns_of(sheet, survey),
            choices=list(choices_for(survey.layout)),
            open_date=None
            if order is None or place is None
            else {"header": survey.layout.header[place], "example": order.example},
            asks_species="category" not in fields or blank_somewhere(sheet, survey),
            nameless=not fields & {"name", "code"},
            photos=any(record_photos(record, survey) for record in sheet),
            file=questions,
            preview=preview_of(sheet, survey.options(chosen, now)),
        )
    finally:
        sheet.close()


def columns_of(sheet: Sheet, survey: Inference) -> list[dict[str, Any]]:
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
    """Whether a row has no species, and no earlier row with its code has one."""
    places = [column.place for column in survey.layout.columns if column.field == "category"]
    codes = [column.place for column in survey.layout.columns if column.field == "code"]
    known: set[str] = set()
    for record in sheet:
        code = next((text for text in (cell(record, place) for place in codes) if text), "")
        if any(not cell(record, place) for place in places) and code not in known:
            return True
        known |= {code} - {""}
    return False


def record_photos(record: Record, survey: Inference) -> bool:
    places = [column.place for column in survey.layout.photos if column.place < len(record.cells)]
    return any("://" in record.cells[place] for place in places)


def preview_of(sheet: Sheet, options: ParseOptions) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    for record in sheet:
        try:
            shown.append(shown_of(parse_row(options, record)))
        except RowRefused as refusal:
            note = refusal.note
            shown.append(
                {"row": note.row, "sheet": note.sheet, "refused": note.reason, "column": note.column}
            )
        if len(shown) == PREVIEWED:
            break
    return shown


def shown_of(read: ParsedRow) -> dict[str, Any]:
    """A row as its animal would be, where it is new."""
    values = read.values
    born = values.get("birth_date") or read.estimate
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
        "status": values.get("status", "available"),
        "listed": values.get("listed", True),
        "photos": len(read.photos),
    }
