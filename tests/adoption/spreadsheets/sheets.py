"""Spreadsheets for tests, and the animals that a shelter has after an import."""

import csv
import dataclasses
import io
import re
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape

import openpyxl
from sqlalchemy import select

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.models import Animal, CareRecord
from adoption.spreadsheets.exports import own_format
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.import_result import ImportResult
from adoption.spreadsheets.importer import import_animals
from adoption.storage.database import reading
from tests.cast import Shelter

OPTIONS = {each.name for each in dataclasses.fields(ImportOptions)}
TODAY = datetime(2024, 6, 15, 12, tzinfo=UTC)


def import_file(shelter: Shelter, file: str | bytes, **rest: Any) -> ImportResult:
    """Import a file.

    ``rest`` contains fields of ``ImportOptions``, and other arguments of ``import_animals``.
    """
    content = file.encode() if isinstance(file, str) else file
    chosen = {key: rest.pop(key) for key in OPTIONS & rest.keys()}
    return import_animals(
        shelter.slug, io.BytesIO(content), ImportOptions(**chosen), **{"now": TODAY, **rest}
    )


def make_csv(*rows: Sequence[str]) -> str:
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()


def make_xlsx(*rows: Sequence[Any]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)


def make_ods(*rows: Sequence[str]) -> bytes:
    """Return an ODS file as LibreOffice writes it.

    Each line is a paragraph, and each run of spaces is a number of spaces.
    """

    def cell(content: str) -> str:
        lines = [re.sub(" +", spaces, escape(line)) for line in content.split("\n")]
        paragraphs = "".join(f"<text:p>{line}</text:p>" for line in lines)
        return f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'

    def spaces(found: re.Match[str]) -> str:
        return f'<text:s text:c="{len(found[0])}"/>'

    table = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    content = (
        f"<office:document-content {ODF}><office:body><office:spreadsheet>"
        f'<table:table table:name="Animals">{table}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return make_zip(content_xml=content.encode())


def make_zip(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return file.getvalue()


def export_csv(shelter: Shelter) -> str:
    file = io.StringIO(newline="")
    own_format.write_csv(shelter.slug, file)
    return file.getvalue()


def stored_animals(shelter: Shelter) -> list[dict[str, Any]]:
    """Return the shelter's animals by id, with the columns of their care records and the category's name."""
    with reading() as session:
        pairs = session.execute(
            select(Animal, CareRecord)
            .outerjoin(CareRecord, CareRecord.animal_id == Animal.id)
            .where(Animal.project_id == shelter.project_id)
            .order_by(Animal.id)
        )
        return [
            {
                **{key: getattr(care, key, None) for key in CareRecord.__table__.columns.keys()},  # noqa: SIM118
                **{key: getattr(animal, key) for key in Animal.__table__.columns.keys()},  # noqa: SIM118
                "category": CATEGORIES[animal.category_id],
            }
            for animal, care in pairs
        ]


def only_animal(shelter: Shelter) -> dict[str, Any]:
    (animal,) = stored_animals(shelter)
    return animal


def count_rows(result: ImportResult) -> tuple[int, int, int, int, int]:
    """Return how many rows there are, and how many were created, updated, unchanged and rejected."""
    numbers = (result.rows, result.created, result.updated, result.unchanged, len(result.refused))
    assert numbers[0] == sum(numbers[1:])
    return numbers


def import_row(shelter: Shelter, **cells: str) -> dict[str, Any]:
    """Import one row with a code and a species. Return the animal of the row."""
    row = {"code": "A1", "species": "Dog"} | cells
    result = import_file(shelter, make_csv(list(row), list(row.values())))
    assert result.refused == []
    return only_animal(shelter)


def import_shelter_manager_row(shelter: Shelter, **cells: str) -> dict[str, Any]:
    """Import one row in Shelter Manager's format. Return the animal of the row."""
    row = {"sheltercode": "D1", "animalname": "Rex", "speciesname": "Dog"} | cells
    assert import_file(shelter, make_csv(list(row), list(row.values()))).refused == []
    return only_animal(shelter)
