"""Choices about a whole file on the import page: its encoding and its sheets."""

import io
import re

import openpyxl
import pytest
from sqlalchemy import select

from adoption.animals.models import Animal
from adoption.imports import import_job
from adoption.imports.models import Import
from adoption.storage.database import reading
from tests.cast import Colleague

pytestmark = pytest.mark.settings("embedded")


def upload(who: Colleague, content: bytes, name: str) -> str:
    """Upload a file. Return the path of its page."""
    answer = who.post("imports", {"file": (io.BytesIO(content), name)})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def names() -> set[str]:
    with reading() as session:
        return set(session.scalars(select(Animal.name)))


def test_an_ambiguous_encoding_shows_samples_and_asks(owner: Colleague) -> None:
    path = upload(owner, "code,name,species\nA1,Zo\u00eb,Dog\n".encode("mac_roman"), "mac.csv")
    text = owner.get(path).text
    assert "Which of these lines is spelled correctly?" in text
    assert re.findall(r'name="encoding" value="([^"]+)">.*?>(Zo.)<', text)[:2] == [
        ("mac_roman", "Zo\u00eb"),
        ("cp850", "Zo\u00e6"),
    ]
    columns = {"columns": "1", "column-0": "code", "column-1": "name", "column-2": "species"}
    refused = owner.post(f"{path}/start", columns | {"run": "import"})
    assert (refused.status_code, "Choose the line whose letters look right" in refused.text) == (422, True)
    assert (
        owner.post(f"{path}/start", columns | {"run": "import", "encoding": "mac_roman"}).status_code == 303
    )
    import_job.run_waiting()
    assert names() == {"Zo\u00eb"}


def test_utf_8_with_an_invalid_byte_is_read_and_other_encodings_can_be_chosen(owner: Colleague) -> None:
    content = "code,name,species\nA1,Cari\u00f1o,Dog\nA2,Jos\u00e9,Cat\n".encode() + b"A3,it\x92s,Dog\n"
    path = upload(owner, content, "animals.csv")
    text = owner.get(path).text
    assert "Choose another line if the preview shows wrong letters." in text
    assert re.findall(r'name="encoding" value="([^"]+)"', text)[0] == "utf-8"
    assert "Cari\u00f1o \u00b7 Jos\u00e9 \u00b7 it\u2019s" in text
    for encoding, name in (("cp1252", "Jos\u00c3\u00a9"), ("utf-8", "it\u2019s")):
        owner.post(f"{path}/columns", {"columns": "1", "encoding": encoding})
        assert f'dir="auto">{name}</span>' in owner.get(path).text


def test_sheets_are_chosen_and_the_columns_follow(owner: Colleague) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Dogs"
    for row in (["code", "name", "species"], ["D1", "Rex", "Dog"]):
        book.active.append(row)
    old = book.create_sheet("Former cats")
    old.sheet_state = "hidden"
    for row in (["species", "Animal name", "code"], ["Cat", "Tom", "C1"]):
        old.append(row)
    file = io.BytesIO()
    book.save(file)
    path = upload(owner, file.getvalue(), "animals.xlsx")
    text = owner.get(path).text
    assert "The hidden sheet &#34;Former cats&#34; is not read." in text
    assert re.findall(r'name="sheet" value="([^"]+)"( checked)?', text) == [
        ("Dogs", " checked"),
        ("Former cats", ""),
    ]
    columns = {"columns": "1", "column-0": "code", "column-1": "name", "column-2": "species"}
    assert owner.post(f"{path}/columns", columns | {"sheet": "Former cats"}).status_code == 303
    assert "Tom" in owner.get(path).text
    owner.post(f"{path}/start", {"run": "import"})
    import_job.run_waiting()
    assert names() == {"Tom"}
    with reading() as session:
        assert [each.state for each in session.scalars(select(Import))] == ["done"]


def test_a_rejected_row_of_the_preview_names_its_sheet(owner: Colleague) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Dogs"
    for row in (["code", "name", "species"], ["D1", "Rex", "Dog"]):
        book.active.append(row)
    for row in (["code", "name", "species"], ["C1", "Tom", ""]):
        (book["Cats"] if "Cats" in book.sheetnames else book.create_sheet("Cats")).append(row)
    file = io.BytesIO()
    book.save(file)
    text = owner.get(upload(owner, file.getvalue(), "animals.xlsx")).text
    rejected = re.search(r"<tr>(?:(?!</tr>).)*Rejected.*?</tr>", text, re.DOTALL)
    assert rejected is not None
    assert "> Cats</span>" in rejected[0]


def test_columns_of_an_unknown_header_can_be_chosen(
    owner: Colleague,
) -> None:
    path = upload(owner, b"Qa;Qb;Qc\nA1;Rex;Dog\nA2;Bo;Cat\n", "unknown.csv")
    text = owner.get(path).text
    assert "Qb" in text
    messages = {"columns": "1", "column-0": "code", "column-1": "name", "column-2": "species"}
    assert owner.post(f"{path}/start", {"columns": "1", "run": "import"}).status_code == 422
    assert owner.post(f"{path}/start", messages | {"run": "import"}).status_code == 303
    import_job.run_waiting()
    assert names() == {"Rex", "Bo"}


def test_a_web_page_named_xls_and_json_are_uploaded_like_any_spreadsheet(owner: Colleague) -> None:
    page = "<table><tr><th>Animal #<th>Name<th>Species<tr><td>A1<td>Rex<td>Dog</table>"
    for content, name in (
        (page, "report.xls"),
        ('[{"code": "A2", "name": "Bo", "species": "Cat"}]', "a.json"),
    ):
        path = upload(owner, content.encode(), name)
        owner.post(f"{path}/start", {"run": "import"})
        import_job.run_waiting()
    assert names() == {"Rex", "Bo"}
