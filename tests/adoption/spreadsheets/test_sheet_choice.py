"""Workbooks with several sheets: the sheets that are read, and the messages about other sheets."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from adoption.errors import FileRefused, Invalid
from tests.adoption.spreadsheets.sheets import (
    count_rows,
    import_file,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


def make_workbook(**sheets: Sequence[Sequence[Any]]) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name.replace("_", " "))
        for row in rows:
            sheet.append(row)
    return book


def save_workbook(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_row_numbers_count_blank_rows_of_the_sheet(shelter: Shelter) -> None:
    rows = (["code", "name", "species"], ["A1", "Rex", "Dog"], [], ["A2", "Bo", ""])
    result = import_file(
        shelter, save_workbook(make_workbook(Help=[["How to use this workbook"]], Animals=rows))
    )
    assert [(note.row, note.sheet) for note in result.refused] == [(4, "")]
    assert only_animal(shelter)["code"] == "A1"


FILES = Path(__file__).with_name("files")


@pytest.mark.parametrize(
    ("file", "animals", "reported"),
    [
        ("utf8-with-a-stray-byte.csv", {"A1": "Cariño", "A2": "Señor Gusto", "A3": "Rex"}, "not UTF-8"),
        ("mac-roman.csv", {"A1": "Cariño", "A2": "Señor Gusto"}, "is read as Mac Roman."),
        ("shift-jis.csv", {"J1": "ポチ"}, "is read as Shift-JIS"),
        ("two-sheets.xlsx", {"A1": "Rex", "A2": "Tom", "A3": "Tim"}, ""),
        ("lists-on-the-first-sheet.xlsx", {"A2": "Tom"}, 'The sheet "Lists" is not read: it does'),
        ("instructions-on-the-first-sheet.xlsx", {"A2": "Tom"}, 'The sheet "Read me" is not read'),
        ("strict.xlsx", {"A1": "Rex", "A2": "Tom"}, ""),
        ("serial-in-1904.xlsx", {"A1": "Rex"}, ""),
        ("last-row-short.csv", {"1": "a", "2": "b", "3": "c"}, ""),
    ],
)
def test_an_imported_workbook_reports_its_ignored_parts(
    shelter: Shelter, file: str, animals: dict[str, str], reported: str
) -> None:
    result = import_file(shelter, (FILES / file).read_bytes())
    assert {animal["code"]: animal["name"] for animal in stored_animals(shelter)} == animals
    messages = " ".join([*result.notes, *(note.reason for note in (*result.refused, *result.warnings))])
    assert (reported in messages) if reported else messages == ""


SHEETS = {
    "Dogs": [["code", "name", "species"], ["D1", "Rex", "Dog"], [None, None, "Dog"]],
    "Cats": [
        ["species", "name", "Animal ID", "colour"],
        ["Cat", "Tom", "C1", "Black"],
        ["Cat", None, None, "x"],
    ],
    "Staff": [["Name", "Phone"], ["Ann", "555"]],
    "Old": [["code", "name", "species"], ["X1", "Gone", "Dog"]],
}


def test_every_visible_sheet_of_animals_is_read_and_messages_name_the_sheet(shelter: Shelter) -> None:
    book = make_workbook(**SHEETS)
    book["Old"].sheet_state = "hidden"
    result = import_file(shelter, save_workbook(book))
    assert [(note.row, note.sheet) for note in result.refused] == [(3, "Dogs"), (3, "Cats")]
    assert {animal["code"]: animal["colours"] for animal in stored_animals(shelter)} == {
        "D1": None,
        "C1": "Black",
    }
    assert result.notes == [
        'The sheet "Staff" is not read: it does not seem to list animals.',
        'The hidden sheet "Old" is not read.',
    ]
    assert result.as_json()["refused"][1]["sheet"] == "Cats"
    assert count_rows(import_file(shelter, save_workbook(book), sheets=("Old",)))[1] == 1
    with pytest.raises(Invalid, match='no sheet "Birds"'):
        import_file(shelter, save_workbook(book), sheets=("Birds",))


def test_animals_without_a_code_on_two_sheets_are_two_animals(shelter: Shelter) -> None:
    header = ["name", "species"]
    book = make_workbook(Dogs=[header, ["Rex", "Dog"]], Cats=[header, ["Tom", "Cat"]])
    assert count_rows(import_file(shelter, save_workbook(book))) == (2, 2, 0, 0, 0)
    assert [animal["name"] for animal in stored_animals(shelter)] == ["Rex", "Tom"]


def test_a_sheet_named_after_a_species_sets_the_species(shelter: Shelter) -> None:
    header = ["code", "name", "breed"]
    book = make_workbook(Dogs=[header, ["D1", "Rex", "Pug"]], Cats=[["name", "code"], ["Tom", "C1"]])
    import_file(shelter, save_workbook(book))
    assert [(animal["code"], animal["category"]) for animal in stored_animals(shelter)] == [
        ("D1", "Dog"),
        ("C1", "Cat"),
    ]
    import_file(shelter, save_workbook(make_workbook(Rabbits=[header, ["R1", "Bun", ""]])))
    assert stored_animals(shelter)[2]["category"] == "Rabbit"


def test_a_file_with_animals_only_on_a_hidden_sheet_is_rejected(shelter: Shelter) -> None:
    book = make_workbook(Old=SHEETS["Old"], Notes=[["a", "b"], ["c", "d"]])
    book["Old"].sheet_state = "hidden"
    with pytest.raises(FileRefused, match='hidden sheet: "Old"'):
        import_file(shelter, save_workbook(book))
