"""Files in the format of each shelter program, and small files of other shelters.

The columns are from each program's documentation. The contents are made up.

Each file in ``files`` has sections: a title after ``==``, the rows of a spreadsheet, and after ``--`` the
animals as they are then, by code. A line after ``!`` is about the whole import: ``! refused ROW COLUMN``,
``! warned ROW COLUMN``, ``! not used COLUMN, COLUMN``. Nothing else may be refused or warned about.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from adoption.spreadsheets.importer import ImportCallbacks
from tests.adoption.spreadsheets.sheets import import_file, stored_animals
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")

FILES = Path(__file__).parent / "files"


class Section(NamedTuple):
    title: str
    rows: str
    animals: list[dict[str, str]]
    demands: list[str]


def sections_of(name: str) -> Iterator[Section]:
    for section in (FILES / name).read_text().split("== ")[1:]:
        title, _, rest = section.partition("\n")
        rows, _, expected = rest.partition("\n--\n")
        lines = expected.strip().splitlines()
        animals = list(csv.DictReader([line for line in lines if not line.startswith("!")]))
        yield Section(title, rows + "\n", animals, [line[2:] for line in lines if line.startswith("!")])


def shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: ""}[value]
    return str(value)


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.glob("*.txt")))
def test_exports_of_each_program_are_read(shelter: Shelter, name: str) -> None:
    for section in sections_of(name):
        result = import_file(shelter, section.rows)
        now = {animal["code"]: animal for animal in stored_animals(shelter)}
        animals = [
            {key: shown(now[each["code"]][key]) if each["code"] in now else "missing" for key in each}
            for each in section.animals
        ]
        found = {f"refused {note.row} {note.column}" for note in result.refused}
        found |= {f"warned {note.row} {note.column}" for note in result.warnings}
        not_used = [header for header, field in result.columns.items() if field is None]
        if any(demand.startswith("not used") for demand in section.demands):
            found.add(f"not used {', '.join(not_used)}")
        assert (section.title, animals, found) == (section.title, section.animals, set(section.demands))


class Photos(ImportCallbacks):
    def __init__(self) -> None:
        self.addresses: dict[str | None, list[str]] = {}

    def writing(self, session: Any, written: Any, rows: int, of: int) -> None:
        self.addresses |= {
            each.parsed.code: [address for _, address in each.parsed.photos] for each in written
        }


def test_photos_in_further_rows_belong_to_their_animal(shelter: Shelter) -> None:
    (export,) = (
        each for each in sections_of("shelter_manager.txt") if each.title.startswith("Its own export")
    )
    photos = Photos()
    result = import_file(shelter, export.rows, photos=True, callbacks=photos)
    assert photos.addresses["D1"] == ["https://example.org/d1.jpg", "https://example.org/d1-2.jpg"]
    assert result.further == 4


def test_photo_cells_without_a_web_address_are_reported(shelter: Shelter) -> None:
    rows = (
        "code,name,species,photo1,Photo 2\n"
        "1,a,Dog,www.example.org/a.jpg,rex.jpg\n"
        "2,b,Dog,data:image/png;base64,x\n"
        "3,c,Dog,https://example.org/a.jpg,none\n"
    )
    found = [(note.row, note.column) for note in import_file(shelter, rows, photos=True).warnings]
    assert found == [(2, "photo1"), (2, "Photo 2"), (3, "photo1"), (3, "Photo 2")]
