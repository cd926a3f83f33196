"""Workbooks that would not fit into memory when unpacked. They are rejected."""

import io

import pytest

from adoption.errors import FileRefused
from adoption.spreadsheets.files import zip_bomb_guard
from adoption.spreadsheets.files.xlsx_reader import read_xlsx
from adoption.spreadsheets.files.zip_bomb_guard import TooManyRows, check_part
from tests.adoption.spreadsheets.sheets import (
    import_file,
    make_xlsx,
    make_zip,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")

MAIN = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


@pytest.mark.parametrize(
    "content",
    [
        b"<row>" + b"<c/>" * 101_000 + b"</row>",
        b"<row>" + b"<row/><c/>" * 51_000 + b"</row>",
        b"<row/>" * 21_000,
        b"<row><c><v>" + b"9" * 18_000_000 + b"</v></c></row>",
    ],
    ids=["cells", "rows within a row", "rows", "a text"],
)
def test_a_zip_bomb_of_cells_is_rejected(
    shelter: Shelter, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_bomb_guard, "HELD_MOST", 20_000)
    sheet = b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (MAIN, content)
    with pytest.raises(FileRefused, match="too large to be read"):
        import_file(shelter, make_zip(xl__workbook_xml=b"", xl__worksheets__sheet1_xml=sheet))


ROWS_OF_TEXTS = b"<row>%s</row>" % (b"<si/>" * 1_000)


@pytest.mark.parametrize(
    "strings",
    [
        b"<sst %s>%s</sst>" % (MAIN, b"<si/>" * 101_000),
        b"<sst %s><a>%s</a></sst>" % (MAIN, ROWS_OF_TEXTS * 101),
        b"<worksheet %s><a>%s</a></worksheet>" % (MAIN, ROWS_OF_TEXTS),
        b"<sst %s>%s</sst>" % (MAIN, (b"<si><t>%s</t></si>" % (b"a" * 1_000_000)) * 65),
    ],
    ids=["texts", "texts in rows", "texts in a sheet", "long texts"],
)
def test_a_zip_bomb_of_shared_strings_is_rejected(shelter: Shelter, strings: bytes) -> None:
    with pytest.raises(FileRefused, match="too large to be read"):
        import_file(shelter, make_zip(xl__workbook_xml=b"", xl__called_otherwise_xml=strings))


def sheet_of(rows: bytes) -> io.BytesIO:
    return io.BytesIO(b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (MAIN, rows))


def test_reading_stops_at_the_first_row_over_the_limit() -> None:
    part = sheet_of(b"<row><c><v>1</v></c></row>" * 200_000)
    with pytest.raises(TooManyRows):
        check_part(part, 10)
    assert part.tell() <= 1 << 20
    with pytest.raises(FileRefused, match="more than 10 rows"):
        read_xlsx(io.BytesIO(make_xlsx(*[["name"]] * 100)), rows_most=10)


def test_blank_rows_do_not_count_towards_the_row_limit() -> None:
    blank = b'<row><c s="1"/><c t="s"/></row>' * 1_000
    texts = b"<row><c><is><t>Rex</t></is></c><c><v>1</v></c></row>" * 10
    check_part(sheet_of(blank + texts + blank), 10)
    with pytest.raises(TooManyRows):
        check_part(sheet_of(blank + texts + blank), 9)


def test_a_zip_bomb_of_310_mb_is_not_unpacked(shelter: Shelter) -> None:
    with pytest.raises(FileRefused, match="unpacks to 310 MB"):
        import_file(shelter, make_zip(xl__workbook_xml=b"", xl__worksheets__sheet1_xml=bytes(310_000_000)))
