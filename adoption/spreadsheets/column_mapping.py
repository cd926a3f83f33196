"""Mapping of a file's columns to meanings by the user. The choices replace the recognised meanings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import IO

from adoption.errors import Invalid
from adoption.spreadsheets.columns.column_meanings import HIDING_ALONE, MEANINGS, PHOTOS, REPEATABLE, VARIANTS
from adoption.spreadsheets.columns.column_recognition import HeaderLayout, MappedColumn
from adoption.spreadsheets.columns.program_formats import FORMATS, OURS, OWN
from adoption.spreadsheets.files.file_reader import Sheet, open_sheet
from adoption.spreadsheets.import_options import ImportOptions

LEFT_OUT = ""
"""The choice to ignore a column."""


def open_mapped_sheet(file: IO[bytes], chosen: ImportOptions, most: int | None = None) -> Sheet:
    """Open a file, or only the file's first ``most`` rows, with the chosen meanings of the columns.

    Raises FileRefused if the file cannot be read, and Invalid if a choice is impossible.
    """
    sheet = open_sheet(file, most, encoding=chosen.encoding, sheets=chosen.sheets)
    try:
        sheet.layout = with_choices(sheet.layout, chosen.columns)
    except Invalid:
        sheet.close()
        raise
    return sheet


def choice_of(column: MappedColumn) -> str:
    """Return the current choice for a column: its meaning, or its name in our own export."""
    return column.variant.removeprefix("own:") if column.variant.startswith("own:") else column.meaning


def choices_of(layout: HeaderLayout) -> dict[int, str]:
    """Return the current choice for each column that is read, by column place."""
    return {column.place: choice_of(column) for column in (*layout.columns, *layout.photos)}


def choices_for(layout: HeaderLayout) -> tuple[str, ...]:
    """Return all choices that a column of this file can have."""
    return (*OWN, *HIDING_ALONE) if layout.format == OURS else (*MEANINGS, PHOTOS)


def with_choices(layout: HeaderLayout, choices: Mapping[int, str]) -> HeaderLayout:
    """Return the layout with the chosen meanings. All other columns keep the recognised meaning.

    Raises Invalid if a choice is unknown or if two columns have the same meaning. The field of the error is
    ``column-PLACE``.
    """
    if not choices:
        return layout
    refuse_unknown_choices(layout, choices)
    guessed = {column.place: column for column in (*layout.columns, *layout.codes, *layout.photos)}
    columns = [column for place, column in guessed.items() if place not in choices]
    for place, choice in choices.items():
        was = guessed.get(place)
        if was is not None and choice_of(was) == choice:
            columns.append(was)
        elif choice != LEFT_OUT:
            columns.append(chosen_column(layout, place, choice))
    refuse_twice(columns, choices)
    codes = [column for column in layout.codes if column in columns]
    return replace(
        layout,
        columns=tuple(sorted(each for each in columns if each.meaning not in ("code", PHOTOS))),
        codes=tuple(codes + [each for each in columns if each.meaning == "code" and each not in codes]),
        photos=tuple(sorted(each for each in columns if each.meaning == PHOTOS)),
    )


def refuse_unknown_choices(layout: HeaderLayout, choices: Mapping[int, str]) -> None:
    known = {LEFT_OUT, *choices_for(layout)}
    wrong = [
        (f"column-{place}", "choose what this column is from the list")
        for place, choice in choices.items()
        if choice not in known or not 0 <= place < len(layout.header)
    ]
    if wrong:
        raise Invalid(wrong)


def chosen_column(layout: HeaderLayout, place: int, choice: str) -> MappedColumn:
    header = layout.header[place]
    if layout.format == OURS and choice in OWN:
        return MappedColumn(place, header, "code" if choice == "code" else f"own:{choice}", f"own:{choice}")
    own = next((form.own for form in FORMATS if form.name == layout.format), {})
    # In a shelter program's file, columns contain the program's codes, whatever their headers are.
    variants = (each for each in own.values() if each and VARIANTS.get(each) == choice)
    return MappedColumn(place, header, choice, next(variants, choice))


def refuse_twice(columns: list[MappedColumn], choices: Mapping[int, str]) -> None:
    first: dict[str, MappedColumn] = {}
    for column in sorted(columns, key=lambda each: each.place):
        if column.meaning in ("code", PHOTOS, *REPEATABLE):
            continue
        other = first.setdefault(column.meaning, column)
        if other is not column:
            sentence = (
                f'"{other.header}" already has this meaning. Choose the meaning for only one of '
                "the two columns"
            )
            raise Invalid([(f"column-{column.place}", sentence)])
