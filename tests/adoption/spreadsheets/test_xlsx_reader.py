"""Cells of XLSX workbooks: numbers, dates, formulas and escaped characters."""

import io
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest

from adoption.spreadsheets.files.file_reader import open_sheet
from adoption.spreadsheets.files.row_store import COLUMNS_MOST
from tests.adoption.spreadsheets.sheets import (
    import_file,
    make_xlsx,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


def test_a_row_is_cut_at_the_column_limit() -> None:
    sheet = open_sheet(io.BytesIO(make_xlsx(["name", "species"], ["Rex", "Dog", *[None] * 16_000, "x"])))
    assert [len(record.cells) for record in sheet] == [COLUMNS_MOST]
    sheet.close()


def test_a_long_number_format_does_not_make_a_long_cell() -> None:
    book = openpyxl.Workbook()
    book.active.append(["code", "name", "species"])
    book.active.append([7, "Rex", "Dog"])
    book.active["A2"].number_format = "0" * 1_000_000
    file = io.BytesIO()
    book.save(file)
    sheet = open_sheet(file)
    assert [record.cells for record in sheet] == [["7", "Rex", "Dog"]]
    sheet.close()


def test_escaped_surrogate_pairs_are_characters_and_halves_are_reported() -> None:
    rows = ["code", "name", "species"], ["A1", "Rex_xD83D__xDE00_", "Dog"], ["A2", "Bo_xD800_", "Dog"]
    sheet = open_sheet(io.BytesIO(make_xlsx(*rows)))
    whole, half = sheet
    assert (whole.cells[1], whole.notes) == ("Rex\U0001f600", [])
    assert half.cells[1] == "Bo\ufffd"
    assert ["could not be read" in note.reason for note in half.notes] == [True]
    sheet.close()


def test_numbers_are_read_in_the_number_format_of_the_workbook(shelter: Shelter) -> None:
    book = openpyxl.Workbook()
    book.active.append(["code", "name", "species", "microchip", "fee"])
    book.active.append([10234, 36, "Dog", 981020023666391, 125.5])
    book.active.append([7, "036", "Dog", None, 80])
    book.active["A3"].number_format = "00000"
    file = io.BytesIO()
    book.save(file)
    import_file(shelter, file.getvalue())
    first, second = stored_animals(shelter)
    assert (first["code"], first["name"], first["microchip"]) == ("10234", "36", "981020023666391")
    assert (first["fee_cents"], second["fee_cents"]) == (12550, 8000)
    assert (second["code"], second["name"]) == ("00007", "036")


def test_dates_of_a_workbook_are_dates(shelter: Shelter) -> None:
    # A cell of a workbook has no time zone.
    rows = [datetime(2020, 2, 29, 13, 30), 43890, "2/29/2020"]  # noqa: DTZ001
    import_file(
        shelter, make_xlsx(["code", "species", "birth date"], *(["A", "Dog", day] for day in rows[:1]))
    )
    import_file(
        shelter, make_xlsx(["code", "species", "birth date"], *([f"B{day}", "Dog", day] for day in rows[1:]))
    )
    assert {animal["birth_date"] for animal in stored_animals(shelter)} == {date(2020, 2, 29)}


def test_a_formula_error_is_reported(shelter: Shelter) -> None:
    result = import_file(
        shelter,
        make_xlsx(["code", "name", "species", "size"], ["A", "#N/A", "Dog"], ["B", "Bo", "Dog", "#REF!"]),
    )
    assert [(note.row, note.column) for note in result.refused] == [(2, "name")]
    assert [(note.row, note.column) for note in result.warnings] == [(3, "size")]


FILES = Path(__file__).with_name("files")


def test_a_serial_date_in_a_1904_workbook_is_right(shelter: Shelter) -> None:
    import_file(shelter, (FILES / "serial-in-1904.xlsx").read_bytes())
    assert only_animal(shelter)["birth_date"] == date(2020, 2, 28)


def test_a_formula_without_a_value_keeps_the_stored_value(shelter: Shelter) -> None:
    import_file(shelter, (FILES / "values.xlsx").read_bytes())
    before = stored_animals(shelter)
    result = import_file(shelter, (FILES / "formulas-without-values.xlsx").read_bytes(), clear_blanks=True)
    assert stored_animals(shelter) == before
    found = [*result.refused, *result.warnings]
    assert {note.column for note in found} == {"birth date", "description", "fee"}
    assert all("formula without a stored value" in note.reason for note in found)
