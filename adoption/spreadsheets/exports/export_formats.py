"""Exports of a project's animals, by format."""

import codecs
import io
import json
from collections.abc import Callable
from datetime import date
from typing import IO, Any, NamedTuple

from flask import current_app

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.tags import tags_of
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.projects.queries import find_project_by_slug
from adoption.spreadsheets.exports.own_format import columns_for, exported_animals, write_csv
from adoption.spreadsheets.exports.petfinder import write_petfinder
from adoption.spreadsheets.exports.xlsx import write_xlsx
from adoption.storage.database import reading, transaction


class ExportFormat(NamedTuple):
    """An export format: media type, file extension and writer."""

    media_type: str
    ending: str
    write: Callable[[str, IO[bytes], bool], int]
    """A function that writes a project's animals to a file, and returns the number of animals.

    The arguments are the project's slug, the file, and whether private columns are included.
    """
    has_private: bool = True
    mark: bytes = b""
    """The byte order mark at the start of a file. A stream for another program has no mark.

    Without the mark, Excel reads a CSV file as Windows-1252.
    """


def write_as_text(write: Callable[[IO[str]], int], file: IO[bytes]) -> int:
    """Write text to a binary file as UTF-8. Line ends stay unchanged."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        return write(text)
    finally:
        text.detach()  # flushes the text and leaves the file open


def export_csv(slug: str, file: IO[bytes], private: bool) -> int:
    return write_as_text(lambda text: write_csv(slug, text, private), file)


def export_petfinder(slug: str, file: IO[bytes], _private: bool) -> int:
    media = f"{current_app.config['HOMEWARD'].platform_url}media/"
    return write_as_text(lambda text: write_petfinder(slug, text, media), file)


def export_json(slug: str, file: IO[bytes], private: bool) -> int:
    """Write a JSON array with one animal per line.

    Each animal has an id and the CSV's fields, with JSON types.
    """
    columns, count = columns_for(private), 0
    for animal_id, values in exported_animals(slug, columns):
        fields = {each.field: json_ready(value) for each, value in zip(columns.values(), values, strict=True)}
        fields["category"] = CATEGORIES[fields.pop("category_id")]
        fields["tags"] = tags_of(fields["tags"])
        line = json.dumps({"id": animal_id, **fields}, ensure_ascii=False)
        file.write((",\n" if count else "[\n").encode() + line.encode())
        count += 1
    file.write(b"\n]\n" if count else b"[]\n")
    return count


def json_ready(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


KINDS = {
    "csv": ExportFormat("text/csv; charset=utf-8", "csv", export_csv, mark=codecs.BOM_UTF8),
    "xlsx": ExportFormat(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", write_xlsx
    ),
    "petfinder": ExportFormat(
        "text/csv; charset=utf-8", "petfinder.csv", export_petfinder, has_private=False
    ),
    "json": ExportFormat("application/json", "json", export_json),
}


def export(slug: str, kind: str, file: IO[bytes], private: bool, by: Actor, *, is_file: bool = True) -> int:
    """Write a project's animals in a format of ``KINDS`` and record the export. Return the number of animals.

    With ``is_file``, the output begins with the byte order mark of the format, for spreadsheet programs.
    Raises NotFound for an unknown project.
    """
    private = private and KINDS[kind].has_private
    with reading() as session:
        find_project_by_slug(session, slug)
    file.write(KINDS[kind].mark if is_file else b"")
    count = KINDS[kind].write(slug, file, private)
    with transaction() as session:
        project = find_project_by_slug(session, slug)
        detail = f"{count:,} animals as {kind}" + (", with private fields" if private else "")
        trail.record(session, by, "animals.exported", project.account_id, project.id, project.name, detail)
    return count
