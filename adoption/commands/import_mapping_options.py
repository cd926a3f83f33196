"""Mapping options of the import command: columns and values by header."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO

from adoption.animals.parsing.text_cleanup import letters
from adoption.errors import Invalid
from adoption.spreadsheets.column_mapping import (
    LEFT_OUT,
    choices_for,
    choices_of,
    open_mapped_sheet,
    with_choices,
)
from adoption.spreadsheets.columns.column_meanings import MEANINGS as COLUMN_MEANINGS
from adoption.spreadsheets.import_options import ImportOptions, value_key
from adoption.spreadsheets.value_mapping import MEANINGS, refuse_unknown_meanings

SPELLINGS = {word.casefold(): word for words in MEANINGS.values() for word in words}
"""The exact spelling of each meaning of a value. The key is the meaning in lower case."""


def with_headers(
    file: IO[bytes],
    chosen: ImportOptions,
    columns: Mapping[str, str],
    values: Mapping[str, Mapping[str, str]],
) -> ImportOptions:
    """Return the import options with columns and values mapped by header.

    If a column is mapped to a field, any other column that was recognised as this field is ignored. Raises
    Invalid for an unknown column, field or meaning, and FileRefused if the file cannot be read.
    """
    sheet = open_mapped_sheet(file, chosen, 1)
    try:
        layout = sheet.layout
    finally:
        sheet.close()
    known = choices_for(layout)
    columns = {header: field_named(choice, known) for header, choice in columns.items()}
    for header, choice in columns.items():
        if choice not in (LEFT_OUT, *known):
            raise Invalid(
                [
                    (
                        f'column "{header}"',
                        f"is mapped to {choice!r}, which is not a field. The fields are {', '.join(known)}",
                    )
                ]
            )
    places = {place_by_header(layout.header, header): choice for header, choice in columns.items()}
    taken = {choice for choice in places.values() if choice != "photos"}
    freed = {place: LEFT_OUT for place, guess in choices_of(layout).items() if guess in taken}
    meanings = {
        place_by_header(layout.header, header): {
            value_key(text): SPELLINGS.get(meaning.casefold(), meaning) for text, meaning in some.items()
        }
        for header, some in values.items()
    }
    made = replace(chosen, columns={**freed, **places}, values=meanings)
    refuse_unknown_meanings(with_choices(layout, made.columns), meanings, all_must_apply=True)
    return made


def field_named(name: str, known: Sequence[str]) -> str:
    """Return the choice for a name.

    The name can be the choice itself, the choice's field, or an English header of the field.
    """
    if name in (LEFT_OUT, *known):
        return name
    written = letters(name)
    meant = (
        choice
        for choice, meaning in COLUMN_MEANINGS.items()
        if choice in known and (name == meaning.field or written in meaning.headers.split())
    )
    return next(meant, name)


def place_by_header(header: Sequence[str], name: str) -> int:
    """Return the position of the column with this header. Raises Invalid if there is no such column."""
    keys = [value_key(each) for each in header]
    if value_key(name) not in keys:
        listed = ", ".join(f'"{each}"' for each in header if each)
        raise Invalid([(f'column "{name}"', f"is not in the file. Its columns are {listed}")])
    return keys.index(value_key(name))
