"""Exports of animals in each format, with and without private fields.

The exported files are also imported again.
"""

import csv
import io
import json
import re
from datetime import date, datetime
from typing import Any

import openpyxl
import pytest
from sqlalchemy import select

from adoption.animals.models import Animal, CareRecord
from adoption.audit.models import AuditEntry
from adoption.spreadsheets.importer import import_animals
from adoption.storage.database import reading, transaction
from tests import factories
from tests.adoption.spreadsheets.test_export import insert_animal
from tests.cast import Colleague, Shelter
from tests.factories import remove_animals

HOSTILE = [
    "=1+1",
    "'=1",
    '"quoted", and; more',
    "two\r\nlines\n",
    " blanks ",
    "Zoë 🐕",
    "_x000D_",
    "\x1f\t",
    "+@-",
]


ANIMALS = len(HOSTILE) + 4


def download(who: Colleague, kind: str, private: bool = False) -> bytes:
    form: dict[str, object] = {"format": kind, **({"private": "on"} if private else {})}
    answer = who.post("export", form)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="{who.slug}-animals.')
    assert answer.content_length == len(answer.data)
    return answer.data


def furnish(of: Colleague) -> None:
    shelter = Shelter(of.client, of.account_id, of.project_id, of.slug, "")
    for number, text in enumerate(HOSTILE):
        words = dict.fromkeys(("description", "special_needs_note", "internal_notes", "surrenderer"), text)
        rest: dict[str, Any] = {"breed_primary": text, "colours": text, "fee_cents": 12550, "on_hold": True}
        rest["birth_date"] = date(2020, 2, 28)
        insert_animal(
            shelter, code=f"A{number}", name=f"Rex {number}", size="small", altered=True, **words, **rest
        )
    # Dates that Excel counts differently or lacks, and amounts without an exact binary form.
    days = (date(1899, 5, 1), date(1900, 1, 1), date(1900, 3, 1), date(9999, 12, 31))
    for number, (day, fee) in enumerate(zip(days, (1, 110, 2**31 - 1, 0), strict=True)):
        insert_animal(shelter, code=f"B{number}", birth_date=day, arrival_date=day, fee_cents=fee)


def emptied() -> None:
    with transaction() as session:
        session.query(Animal).delete()


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_export_import_and_export_again_gives_the_same_bytes(
    owner: Colleague, kind: str, private: bool
) -> None:
    furnish(owner)
    first = download(owner, kind, private)
    result = import_animals(owner.slug, io.BytesIO(first))
    assert (result.rows, result.unchanged) == (ANIMALS, ANIMALS)
    assert download(owner, kind, private) == first
    emptied()
    assert import_animals(owner.slug, io.BytesIO(first)).created == ANIMALS
    assert download(owner, kind, private) == first


def test_the_xlsx_export_has_the_rows_of_the_csv(owner: Colleague) -> None:
    furnish(owner)
    rows = list(csv.reader(io.StringIO(download(owner, "csv", private=True).decode("utf-8-sig"), newline="")))
    book = openpyxl.load_workbook(io.BytesIO(download(owner, "xlsx", private=True)))
    cells = [[cell.value or "" for cell in row] for row in book.active.iter_rows()]
    plain = [
        number for number, text in enumerate(HOSTILE, start=1) if "\r" not in text and "\x1f" not in text
    ]
    assert cells[0] == rows[0]
    fee, born = rows[0].index("fee"), rows[0].index("birth_date")
    for number in plain:
        if "_x" not in HOSTILE[number - 1]:
            assert (cells[number][fee], cells[number][born]) == (125.5, datetime(2020, 2, 28))  # noqa: DTZ001
            cells[number][fee], cells[number][born] = "125.50", "2020-02-28"
            assert cells[number] == rows[number]
    assert {cell.data_type for row in book.active.iter_rows() for cell in row} <= {"s", "n", "d"}, (
        "no formula"
    )
    assert book.active.column_dimensions["N"].width > 10


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json", "petfinder"])
def test_private_columns_are_exported_only_if_ticked(owner: Colleague, kind: str) -> None:
    animal_id = factories.animal(factories.Project(id=owner.project_id), "Rex", code="A1")
    with transaction() as session:
        session.add(CareRecord(animal_id=animal_id, microchip="981000000000001"))
    assert ("981000000000001" in text_of(download(owner, kind))) is False
    assert ("981000000000001" in text_of(download(owner, kind, private=True))) is (kind != "petfinder")


def text_of(content: bytes) -> str:
    if not content.startswith(b"PK"):
        return content.decode()
    return str([[cell.value for cell in row] for row in openpyxl.load_workbook(io.BytesIO(content)).active])


def test_the_json_export_has_types(owner: Colleague) -> None:
    shelter = factories.Project(id=owner.project_id)
    factories.animal(shelter, "Rex", good_with_cats=False, fee_cents=0)
    factories.animal(shelter, "Bo")
    found = json.loads(download(owner, "json"))
    assert [
        (each["name"], each["category"], each["good_with_cats"], each["fee_cents"]) for each in found
    ] == [
        ("Rex", "Dog", False, 0),
        ("Bo", "Dog", None, None),
    ]
    emptied()
    assert json.loads(download(owner, "json")) == []


def test_the_petfinder_export_uses_its_columns(owner: Colleague) -> None:
    shelter = factories.Project(id=owner.project_id)
    known = {"good_with_dogs": False, "good_with_cats": True, "size": "xlarge", "sex": "female", "code": "A1"}
    known |= {"shots_current": True, "declawed": False, "tags": '["quiet", "loves water"]'}
    factories.animal(shelter, "=Rex", photos=2, colours="Black, White", fee_cents=0, **known)
    factories.animal(shelter, "Hidden", listed=False)
    row, *others = csv.DictReader(io.StringIO(download(owner, "petfinder").decode(), newline=""))
    assert others == []
    assert (row["ID"], row["AnimalName"], row["Type"], row["Status"]) == ("A1", "\u00a0=Rex", "Dog", "A")
    assert (row["NoDogs"], row["NoCats"], row["NoKids"], row["Size"]) == ("1", "0", "", "XL")
    assert (row["primaryColor"], row["secondaryColor"], row["adoption_fee_waived"]) == ("Black", "White", "1")
    assert (row["Shots"], row["Declawed"], row["tags"]) == ("1", "0", "quiet, loves water")
    assert row["photo2"].endswith(".webp")
    assert row["photo2"].startswith("http")
    assert row["photo3"] == ""


def test_removed_animals_and_other_shelters_are_not_exported(owner: Colleague, outsider: Colleague) -> None:
    gone = factories.animal(factories.Project(id=owner.project_id), "Gone")
    remove_animals(owner.project_id, [gone])
    factories.animal(factories.Project(id=outsider.project_id), "Theirs")
    for kind in ("csv", "json", "petfinder"):
        text = download(owner, kind).decode()
        assert "Gone" not in text
        assert "Theirs" not in text


def test_an_export_is_in_the_audit_log(owner: Colleague) -> None:
    download(owner, "json", private=True)
    with reading() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "animals.exported")).one()
    assert (entry.actor, entry.detail) == (owner.email, "0 animals as json, with private fields")


def test_an_unknown_export_format_is_404(owner: Colleague) -> None:
    assert owner.post("export", {"format": "exe"}).status_code == 404


@pytest.mark.settings("embedded")
def test_a_csv_file_says_that_it_is_utf_8_and_petfinders_does_not(owner: Colleague) -> None:
    """Without a byte order mark, Excel reads a CSV file as Windows-1252."""
    factories.animal(factories.Project(id=owner.project_id), "Zo\u00eb")
    assert download(owner, "csv").startswith(b"\xef\xbb\xbfcode,name,")
    assert download(owner, "petfinder").startswith(b"ID,")


@pytest.mark.settings("embedded")
def test_the_page_lists_animals_that_petfinder_leaves_out(owner: Colleague) -> None:
    shelter = factories.Project(id=owner.project_id)
    factories.animal(shelter, "Complete", sex="male", birth_date=date(2020, 1, 1))
    factories.animal(shelter, "Grouped", sex="male", birth_date=None, age_group="adult")
    factories.animal(shelter, "Hidden", listed=False, sex=None, birth_date=None)
    assert "Petfinder leaves out" not in owner.get("export").text
    factories.animal(shelter, "Unknown sex", sex=None, birth_date=date(2020, 1, 1))
    factories.animal(shelter, "Nothing", sex=None, birth_date=None)
    text = owner.get("export").text
    assert "Petfinder leaves out 2 of your listed animals" in text
    assert re.findall(r">([\w ]+)</a>: no ([\w ]+)<", text) == [
        ("Unknown sex", "sex"),
        ("Nothing", "sex and age"),
    ]
