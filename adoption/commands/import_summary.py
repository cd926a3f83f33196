"""The result of an import and of its undo, in sentences for a terminal."""

from adoption.imports.undo import UndoCounts
from adoption.spreadsheets.import_result import ImportResult
from adoption.spreadsheets.parsed_rows import NO_SPECIES
from adoption.spreadsheets.row_notes import RowNote, group_notes

LEFT_OR_HELD = "they have left, are on hold, or the file does not say that they can be adopted."


def summary_lines(result: ImportResult) -> list[str]:
    """Return the result of an import, as lines."""
    read = [
        header if header.lower() == field.lower() else f"{header} → {field}"
        for header, field in result.columns.items()
        if field
    ]
    left_out = [header for header, field in result.columns.items() if field is None]
    rows = "1 row" if result.rows == 1 else f"{result.rows:,} rows"
    return [
        f"{rows}: {result.created:,} created, {result.updated:,} updated, {result.unchanged:,} unchanged, "
        f"{len(result.refused):,} rejected."
        + (" Nothing was written: this was a dry run." if result.dry_run else ""),
        *(
            [f"Of these rows, {result.further:,} add details to an animal of an earlier row."]
            if result.further
            else []
        ),
        *([f"Hidden: {result.unlisted:,}, because {LEFT_OR_HELD}"] if result.unlisted else []),
        *result.notes,
        *blank_cells(result),
        *([CLASHES] if result.clashes else []),
        f"Columns read: {', '.join(read)}.",
        *([f"Columns left out: {', '.join(left_out)}."] if left_out else []),
        *([SPECIES] if any(note.reason == NO_SPECIES for note in result.refused) else []),
        *(["Rejected:"] if result.refused else []),
        *note_lines(result.refused),
        *(["Imported, with warnings:"] if result.warnings else []),
        *note_lines(result.warnings),
    ]


SPECIES = "To set the species of rows without a species, add --category Dog."
CLASHES = (
    "Some codes belong to two different animals; the second animal's rows were "
    "rejected. If both are one animal, add --same CODE. To import the second animal "
    "with a new code, add --new CODE."
)


def blank_cells(result: ImportResult) -> list[str]:
    if not result.blanks:
        return []
    values = "1 stored value" if result.blanks == 1 else f"{result.blanks:,} stored values"
    if result.blanks_cleared:
        return [f"The file has a blank cell for {values}: cleared."]
    return [f"The file has a blank cell for {values}: kept. Clear with --clear-blanks."]


def note_lines(notes: list[RowNote]) -> list[str]:
    """Return a line for each problem, with its rows.

    If most rows of a column have the problem, the line has only the number of rows.
    """
    alike: dict[tuple[str | None, str, str, str], list[int]] = {}
    lines = []
    for group in group_notes(notes):
        note = group.first
        if group.rows > 1:
            values = ", ".join(f'"{value}"' for value in group.values)
            lines.append(f"{group.rows:,} rows, {note.column or 'row'} {values}…: {note.reason.rstrip('.')}.")
        else:
            alike.setdefault((note.column, note.value, note.reason, note.sheet), []).append(note.row)
    return [*lines, *(note_line(rows, *each) for each, rows in alike.items())]


def note_line(rows: list[int], column: str | None, value: str, reason: str, sheet: str) -> str:
    where = f"Row{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))}"
    if sheet:
        where += f' of sheet "{sheet}"'
    if column is not None:
        where += f', {column} "{" ".join(value.split())}"'
    return f"{where}: {reason.rstrip('.')}."


def undo_hint(project: str, import_id: int | None, result: ImportResult) -> list[str]:
    if import_id is None or not (result.created or result.updated):
        return []
    return [f"To undo this import within 30 days: homeward animals undo-import {project} {import_id}"]


def undo_summary(counts: UndoCounts, dry_run: bool) -> list[str]:
    counted = [
        (counts.deleted, "new animal", "deleted"),
        (counts.removed, "new animal", "removed instead of deleted, because of later changes"),
        (counts.with_applications, "new animal", "kept, because of an application"),
        (counts.restored, "animal", "set back to the earlier values"),
        (counts.kept, "animal", "with later changes kept"),
        (counts.photos, "photo", "removed"),
    ]
    lines = [
        f"{number:,} {noun}{'' if number == 1 else 's'} {what}." for number, noun, what in counted if number
    ] or ["Nothing to undo."]
    return [*lines, "Nothing was written: this was a dry run."] if dry_run else lines
