"""Files that are neither CSV nor XLSX: old workbooks, OpenDocument, web pages, JSON."""

import io
import json
import re
from pathlib import Path

import pytest

from adoption.errors import FileRefused
from adoption.spreadsheets.exports.export_formats import export_json
from adoption.spreadsheets.files.file_reader import open_sheet
from tests.adoption.spreadsheets.sheets import (
    count_rows,
    import_file,
    make_zip,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

FILES = Path(__file__).with_name("files")
pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("file", "cells", "notes"),
    [
        (
            "old-workbook.xls",
            [
                ["00012", "Zoë", "Dog", "2020-02-28", "985112000000001", "125.5", "yes"],
                ["A2", "Tom", "Cat", "", "12345678901234567168"],
            ],
            [
                'The sheet "Lists" is not read: it does not seem to list animals.',
                'The hidden sheet "Old" is not read.',
            ],
        ),
        (
            "plain.ods",
            [
                ["A1", "Rex", "Dog", "2020-02-28", "985112003456789", "125.5", "ok"],
                ["A2", "Tom", "Cat", "2021-01-01", "000012345", "99", "x"],
            ],
            [],
        ),
        ("html-table.xls", [["A1", "Rex", "Dog"]], []),
        (
            "records.json",
            [["A1", "Rex", "Dog", "2020-02-28", "yes", "125"], ["A2", "", "Cat", "", "", ""]],
            [],
        ),
    ],
)
def test_rows_are_read_from_xls_ods_html_and_json(
    file: str, cells: list[list[str]], notes: list[str]
) -> None:
    sheet = open_sheet(io.BytesIO((FILES / file).read_bytes()))
    assert [record.cells for record in sheet] == cells
    assert sheet.notes == notes
    sheet.close()


def test_a_number_rounded_by_a_workbook_is_reported_and_left_out(shelter: Shelter) -> None:
    result = import_file(shelter, (FILES / "old-workbook.xls").read_bytes())
    assert [(note.row, note.column) for note in result.warnings] == [(3, "Microchip")]
    assert "rounded" in result.warnings[0].reason
    assert [animal["microchip"] for animal in stored_animals(shelter)] == ["985112000000001", None]


def test_html_tables_are_read_like_in_a_browser() -> None:
    page = """<html><head><meta charset="windows-1252"><style>td {color: red}</style></head>
    <table><tr><td><b>Elm Road</b></td><td>Inventory</td></tr></table>
    <TABLE><TR><TH>Animal #<TH>Name<TH>Species<TH colspan=2>Color<TH>Photo
    <tr><td>A1<td>Zo\xeb &amp; co<td rowspan=2>Dog<td>Black<td>White<td><img src="https://pics.example/1.jpg">
    <tr><td>A2</td><td>Bo<br>(shy)</td><td colspan=2>Tan</td><td></td></tr></TABLE>"""
    sheet = open_sheet(io.BytesIO(page.encode("cp1252")))
    assert (sheet.encoding, sheet.sheets_read) == ("windows-1252", ["Table 2"])
    assert [record.cells for record in sheet] == [
        ["A1", "Zoë & co", "Dog", "Black", "White", "https://pics.example/1.jpg"],
        ["A2", "Bo\n(shy)", "Dog", "Tan", "", ""],
    ]
    sheet.close()


def test_an_excel_2003_xml_spreadsheet_is_read() -> None:
    page = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
    <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
              xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Dogs"><Table>
    <Row><Cell><Data ss:Type="String">Code</Data></Cell><Cell><Data ss:Type="String">Name</Data></Cell>
         <Cell><Data ss:Type="String">Species</Data></Cell></Row>
    <Row><Cell><Data ss:Type="String">A1</Data></Cell>
         <Cell ss:Index="3"><Data ss:Type="String">Dog</Data></Cell></Row>
    </Table></Worksheet></Workbook>"""
    sheet = open_sheet(io.BytesIO(page.encode()))
    assert (sheet.sheets, [record.cells for record in sheet]) == (["Dogs"], [["A1", "", "Dog"]])
    sheet.close()


ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "style")
)


def ods_of(rows: str, before: str = "") -> bytes:
    content = f"""<office:document-content {ODF}><office:automatic-styles><style:style style:name="t2">
    <style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body>
    <office:spreadsheet>{before}<table:table table:name="Animals">{rows}</table:table></office:spreadsheet>
    </office:body></office:document-content>"""
    return make_zip(content_xml=content.encode())


def odf_row(*cells: str, repeat: int = 1) -> str:
    texts = [
        f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
        for cell in cells
    ]
    return f'<table:table-row table:number-rows-repeated="{repeat}">{"".join(texts)}</table:table-row>'


def test_an_ods_file_is_read_without_its_hidden_sheet() -> None:
    rows = odf_row("code", "name") + odf_row("X", "Y")
    hidden = f'<table:table table:name="Old" table:style-name="t2">{rows}</table:table>'
    odd = """<table:table-row>
    <table:table-cell office:value-type="float" office:value="12"><text:p>00012</text:p></table:table-cell>
    <table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation>
      <text:p>a<text:s text:c="2"/>b</text:p><text:p>c</text:p></table:table-cell>
    <table:table-cell table:formula="of:=[.A1]"/>
    <table:table-cell office:value-type="date" office:date-value="2020-02-28T00:00:00"/>
    <table:table-cell office:value-type="boolean" office:boolean-value="true"/>
    <table:table-cell table:number-columns-repeated="16000"/></table:table-row>"""
    blank = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
    header = odf_row("code", "name", "species", "dob", "altered")
    sheet = open_sheet(
        io.BytesIO(ods_of(header + odf_row("A1", "Rex", "Dog", repeat=2) + odd + blank, hidden))
    )
    assert sheet.notes == ['The hidden sheet "Old" is not read.']
    *twins, last = sheet
    assert [(record.row, record.cells) for record in twins] == [
        (2, ["A1", "Rex", "Dog"]),
        (3, ["A1", "Rex", "Dog"]),
    ]
    assert last.cells == ["00012", "a  b\nc", "", "2020-02-28", "yes"]
    assert [(note.place, "without a stored value" in note.reason) for note in last.notes] == [(2, True)]
    sheet.close()


WIDE = f"""<table:table-row><table:table-cell table:number-columns-repeated="900">
<text:p>{"x" * 100_000}</text:p></table:table-cell></table:table-row>"""
ENTITY = b"""<!DOCTYPE x [<!ENTITY a "text">]><x>&a;</x>"""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (ods_of(odf_row("code", "name", "species") + WIDE), "more than 20,000,000 characters"),
        (make_zip(content_xml=ENTITY), "too large to be read"),
        (make_zip(xl__workbook_xml=b"", xl__texts_xml=ENTITY), "too large to be read"),
        (ods_of(odf_row("code", "name") + odf_row("A1", "Rex", repeat=900_000)), "repeated more than"),
        (ods_of(odf_row("code", "x" * 18_000_000)), "too large to be read"),
        (ods_of("<table:table-row>"), "damaged"),
        (make_zip(content_xml=b"x", **{"META-INF__manifest_xml": b"<x:encryption-data/>"}), "locked"),
        (make_zip(**{"xl/workbook.bin": b"x"}), ".xlsb"),
        ("EncryptedPackage".encode("utf-16-le").join([b"\xd0\xcf\x11\xe0" + bytes(600)] * 2), "locked"),
        (b"[[1], [2]]", "no list of animals"),
        (b'[{"code": "A1"', "damaged at character 16"),
        (b'[{"a": ' * 100_000, "cannot be read"),
        (b'[{"code": ' + b"9" * 5_000 + b"}]", "cannot be read"),
        (b'<?xml version="1.0"?><pets/>', "This is XML"),
    ],
)
def test_an_unreadable_file_is_rejected_with_the_reason(content: bytes, sentence: str) -> None:
    with pytest.raises(FileRefused, match=sentence):
        open_sheet(io.BytesIO(content))


NOVA = {
    "id": 1234,
    "type": "Dog",
    "species": "Dog",
    "breeds": {"primary": "Beagle", "secondary": None, "mixed": True},
    "colors": {"primary": "Black", "secondary": "White"},
    "gender": "Female",
    "size": "Medium",
    "coat": "Short",
    "attributes": {
        "spayed_neutered": True,
        "house_trained": False,
        "declawed": False,
        "special_needs": False,
        "shots_current": True,
    },
    "tags": ["Cute", "Loves water"],
    "environment": {"children": True, "dogs": True, "cats": None},
    "name": "Nova",
    "description": "Kind",
    "photos": [{"small": "https://p.example/s.jpg", "full": "https://p.example/f.jpg"}],
    "status": "adoptable",
}
PETFINDER = json.dumps({"animals": [NOVA], "pagination": {"count_per_page": 20}})


NOVA_HERE = {
    "code": "1234",
    "name": "Nova",
    "category": "Dog",
    "sex": "female",
    "breed_primary": "Beagle",
    "breed_mixed": True,
    "altered": True,
    "good_with_children": True,
    "good_with_cats": None,
    "house_trained": False,
    "declawed": False,
    "shots_current": True,
    "tags": '["Cute", "Loves water"]',
}


def test_petfinder_json_is_read(shelter: Shelter) -> None:
    assert import_file(shelter, PETFINDER).refused == []
    animal = only_animal(shelter)
    assert {key: animal[key] for key in NOVA_HERE} == NOVA_HERE
    assert animal["colours"] == "Black, White"
    sheet = open_sheet(io.BytesIO(PETFINDER.encode()))
    (record,) = sheet
    assert record.cells[sheet.layout.photos[0].place] == "https://p.example/f.jpg"
    sheet.close()


TWO = '{"code": "A1", "name": "Rex", "species": "Dog"}, {"code": "A2", "name": "Bo", "species": "Cat"}'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"count": 2, "tags": ["x"], "pets": [{TWO}]}}',
        TWO.replace("}, ", ', "photos": [{"url": "u"}]}\n'),
        re.sub('"species": ("[A-z]+")', r'"category": {"id": 1, "name": \1}', f"[{TWO}]"),
    ],
)
def test_animals_are_found_in_json_of_common_shapes(shelter: Shelter, text: str) -> None:
    assert count_rows(import_file(shelter, text))[1] == 2
    assert [(animal["code"], animal["category"]) for animal in stored_animals(shelter)] == [
        ("A1", "Dog"),
        ("A2", "Cat"),
    ]


def test_our_json_export_imported_again_changes_nothing(shelter: Shelter) -> None:
    import_file(
        shelter,
        "code,name,species,description,fee,dob,microchip,good with dogs\n"
        "A1,Rex,Dog,\"=SUM(A1)\n'quoted'\",125.50,2020-02-28,985112000000001,yes\n,Tom,Cat,,,,,\n",
    )
    before, file = stored_animals(shelter), io.BytesIO()
    export_json(shelter.slug, file, private=True)
    assert count_rows(import_file(shelter, file.getvalue(), clear_blanks=True)) == (2, 0, 0, 2, 0)
    assert stored_animals(shelter) == before
