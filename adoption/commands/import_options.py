"""Options of the import command, and hints about the option that fixes an error."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from adoption.animals.allowed_values import CATEGORIES
from adoption.commands.import_mapping_options import with_headers
from adoption.errors import FileRefused
from adoption.spreadsheets.code_clashes import CHOICES, NEW, SAME, SKIP
from adoption.spreadsheets.files.text_encoding import EncodingUnsure
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.parse_option_inference import DateOrderUnsure, NoNameColumn, NoSpeciesColumn

Command = Callable[..., Any]
HINTS: Mapping[type[FileRefused], str] = {
    EncodingUnsure: "Add --encoding with the name before the sample that is spelled correctly.",
    DateOrderUnsure: "Add --day-first or --month-first.",
    NoSpeciesColumn: "Add --category Dog, or --map COLUMN=species.",
    NoNameColumn: "Add --map COLUMN=name, or --map COLUMN=code.",
}
OPTIONS = (
    click.option(
        "--category",
        type=click.Choice(list(CATEGORIES.values()), case_sensitive=False),
        help="The species for all rows without a species.",
    ),
    click.option(
        "--day-first/--month-first",
        default=None,
        help="The order of day and month in dates such as 4/5/2020.",
    ),
    click.option(
        "--encoding", metavar="NAME", help="The encoding of a text file, such as windows-1252 or mac_roman."
    ),
    click.option(
        "--sheet", "sheets", multiple=True, metavar="NAME", help="Import this sheet only. May be repeated."
    ),
    click.option(
        "--map",
        "mapped",
        multiple=True,
        metavar="COLUMN=FIELD",
        help="The field of a column, such as Nombre=name. COLUMN= leaves the column out. May be repeated.",
    ),
    click.option(
        "--value",
        "values",
        multiple=True,
        metavar="COLUMN:VALUE=MEANING",
        help="What a value means, such as Status:verfügbar=available. May be repeated.",
    ),
    click.option(
        "--map-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help='A JSON file: {"columns": {"Kod": "code"}, "values": {"Status": {"ok": "adopted"}}}.',
    ),
    click.option("--clear-blanks", is_flag=True, help="Clear stored values whose cell in FILE is blank."),
    click.option(
        "--same",
        multiple=True,
        metavar="CODE",
        help=(
            "Import all rows with CODE as one animal, even if the rows differ in species, or "
            "in name and birth date. May be repeated."
        ),
    ),
    click.option(
        "--new",
        multiple=True,
        metavar="CODE",
        help="Two animals have CODE: import the second animal with a new code. May be repeated.",
    ),
    click.option(
        "--clashes",
        type=click.Choice(CHOICES),
        default=SKIP,
        show_default=True,
        help="What to do with all other codes that two animals have.",
    ),
)


def with_choice_options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def import_options_from(file: IO[bytes], flags: Mapping[str, Any]) -> ImportOptions:
    """Return the import options for the command's flags.

    Raises Invalid if a column, field or meaning is unknown, and FileRefused if the file cannot be read.
    """
    chosen = ImportOptions(
        category=flags["category"],
        day_first=flags["day_first"],
        encoding=flags["encoding"],
        sheets=flags["sheets"],
        clear_blanks=flags["clear_blanks"],
        clashes=dict.fromkeys(flags["same"], SAME) | dict.fromkeys(flags["new"], NEW),
        clash=flags["clashes"],
    )
    columns, values = parse_mappings(flags)
    return with_headers(file, chosen, columns, values) if columns or values else chosen


def parse_mappings(flags: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    columns, values = read_map_file(flags["map_file"]) if flags["map_file"] else ({}, {})
    for text in flags["mapped"]:
        column, equals, meaning = text.rpartition("=")
        if not equals or not column:
            raise click.BadParameter(f"{text!r} is not COLUMN=FIELD", param_hint="--map")
        columns[column] = meaning
    for text in flags["values"]:
        place, equals, meaning = text.rpartition("=")
        column, colon, value = place.partition(":")
        if not equals or not colon or not value:
            raise click.BadParameter(f"{text!r} is not COLUMN:VALUE=MEANING", param_hint="--value")
        values.setdefault(column, {})[value] = meaning
    return columns, values


def read_map_file(path: Path) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        columns, values = dict(content.get("columns", {})), dict(content.get("values", {}))
        texts = [*columns.values(), *(text for some in values.values() for text in some.values())]
        if not all(isinstance(each, str) for each in texts):
            raise ValueError("every field and meaning must be text")
    except (ValueError, AttributeError, TypeError) as error:
        raise click.BadParameter(f"{path} cannot be read: {error}", param_hint="--map-file") from error
    return columns, values


@contextmanager
def with_hints() -> Iterator[None]:
    """Add a hint to the error of an unreadable file: the option that fixes the error."""
    try:
        yield
    except FileRefused as why:
        hint = HINTS.get(type(why))
        raise FileRefused(f"{why.sentence} {hint}") if hint else why from why
