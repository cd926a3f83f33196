"""Which rows a file holds: encodings, delimiters, quotes, line breaks, workbooks, and what is none."""

import io
import zipfile
from contextlib import suppress
from datetime import date, datetime

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adoption.animals.spreadsheets import file_reader
from adoption.animals.spreadsheets.csv_reader import ROW_LONGEST, CsvDialect, CsvReader, Scan
from adoption.animals.spreadsheets.file_reader import open_sheet
from adoption.animals.spreadsheets.xlsx_reader import COLUMNS_MOST, sheets_of
from adoption.animals.spreadsheets.zip_bomb_guard import TooManyRows, refuse_swollen
from adoption.errors import FileRefused, Refusal
from tests.adoption.animals.spreadsheet import counts, csv_of, kept, only, take_in, xlsx_of
from tests.cast import Shelter


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encoding_and_delimiter_are_found_out(shelter: Shelter, encoding: str, delimiter: str) -> None:
    text = "code,name,species,breed\r\nA1,Cariño,Cat,Siamese\r\n".replace(",", delimiter)
    take_in(shelter, text.encode(encoding))
    assert (only(shelter)["code"], only(shelter)["name"]) == ("A1", "Cariño")


def test_a_comma_in_the_text_does_not_mislead_about_semicolons(shelter: Shelter) -> None:
    take_in(shelter, "code;name;species\nA1;Salt, Pepper, and Son, the 3rd;Dog\n")
    assert only(shelter)["name"] == "Salt, Pepper, and Son, the 3rd"


def test_the_line_that_tells_excel_its_delimiter_is_no_row(shelter: Shelter) -> None:
    result = take_in(shelter, "sep=;\r\ncode;name;species\r\nA1;Rex;\r\n")
    assert [note.row for note in result.refused] == [2]


def test_spaces_behind_delimiters_are_not_part_of_a_header_or_cell(shelter: Shelter) -> None:
    take_in(shelter, 'code, name, species\nA1, "Rex, the dog", Dog\n')
    assert only(shelter)["name"] == "Rex, the dog"


def test_a_title_above_the_header_is_passed_over(shelter: Shelter) -> None:
    result = take_in(shelter, "Animals of June,,\n\ncode,name,species\nA1,Rex,\n")
    assert [note.row for note in result.refused] == [4]


def test_rows_count_as_a_spreadsheet_shows_them(shelter: Shelter) -> None:
    text = 'code,name,species,description\nA1,Rex,Dog,"two\nlines"\n\nA2,Bo,,x\nA3,Al,Dog,x\nA4,Io,,x\n'
    result = take_in(shelter, text)
    assert [note.row for note in result.refused] == [4, 6]
    assert counts(result) == (4, 2, 0, 0, 2)
    assert kept(shelter)[0]["description"] == "two\nlines"


def test_old_line_ends_are_line_ends(shelter: Shelter) -> None:
    assert counts(take_in(shelter, "code,name,species\rA1,Rex,Dog\rA2,Bo,Cat\r")) == (2, 2, 0, 0, 0)


def test_an_unclosed_quote_is_told_where_it_opened_and_the_rest_goes_in(shelter: Shelter) -> None:
    rows = ["code,name,species,description"] + [f'A{n},Rex {n},Dog,"fine, {n}"' for n in range(2, 9)]
    rows[4] = 'A5,Rex 5,Dog,"never closed'
    result = take_in(shelter, "\n".join(rows) + "\n")
    ((row, column, value, reason),) = result.refused
    assert (row, column, value) == (5, "description", '"never closed')
    assert "never closed" in reason
    assert [animal["code"] for animal in kept(shelter)] == ["A2", "A3", "A4", "A6", "A7", "A8"]


def test_an_unclosed_quote_without_another_quote_behind_it_costs_one_row(shelter: Shelter) -> None:
    text = 'code,name,species\nA1,"Rex,Dog\nA2,Bo,Cat\nA3,,\n'
    result = take_in(shelter, text)
    assert [(note.row, note.column) for note in result.refused] == [(2, "name"), (4, "species")]
    assert [animal["code"] for animal in kept(shelter)] == ["A2"]


def test_lines_of_the_text_that_an_unclosed_quote_held_are_no_rows(shelter: Shelter) -> None:
    text = 'code,name,species,description\nA1,Rex,Dog,"first\nsecond line\nthird line\nA2,Bo,Cat,fine\n'
    result = take_in(shelter, text)
    assert counts(result) == (2, 1, 0, 0, 1)
    assert only(shelter)["code"] == "A2"


class Counting(CsvDialect):
    """A dialect that counts the letters it is given to look through."""

    looked_through = 0

    def scan(self, line: str, inside: bool) -> Scan:
        type(self).looked_through += len(line)
        return super().scan(line, inside)


def test_an_unclosed_quote_in_a_big_file_is_looked_for_within_bounds() -> None:
    line = "A1,Rex,Dog," + "long walks " * 90 + "\n"
    text = 'A0,Rex,Dog,"open\n' + line * 10_000
    rows = list(CsvReader(io.StringIO(text), Counting(","), width=4))
    assert (len(rows), rows[0].trouble is not None, rows[1].trouble) == (10_001, True, None)
    assert Counting.looked_through < len(text) + 2 * ROW_LONGEST


@pytest.mark.settings("embedded")
def test_quotes_that_match_nowhere_refuse_the_file(shelter: Shelter) -> None:
    tangle = '",x"y,"\n' * 400_000
    with pytest.raises(FileRefused, match="quotation marks of this file do not match"):
        take_in(shelter, "code,name,species\n" + tangle)


def test_quotes_within_a_text_are_letters(shelter: Shelter) -> None:
    take_in(shelter, 'code,name,species\nA1,"Rex ""the"" dog",Dog\nA2,5" Bo,Dog\n')
    assert [animal["name"] for animal in kept(shelter)] == ['Rex "the" dog', '5" Bo']


def test_a_row_with_too_many_cells_is_refused(shelter: Shelter) -> None:
    ((row, _, value, reason),) = take_in(shelter, "code,name,species\nA1,Salt, Pepper,Dog\n").refused
    assert (row, value) == (2, "Dog")
    assert "4 cells and the header 3" in reason


def test_a_row_without_its_last_cells_is_taken_as_blank_there(shelter: Shelter) -> None:
    assert counts(take_in(shelter, "code,name,species,breed,colour\nA1,Rex,Dog\nA2,Bo,Cat,x,y\n"))[1] == 2


def test_a_file_that_was_cut_off_does_not_bring_half_a_row(shelter: Shelter) -> None:
    ((row, _, _, reason),) = take_in(shelter, "code,name,species,breed\nA1,Rex,Do").refused
    assert (row, "middle of this row" in reason) == (2, True)


def test_a_repeated_header_is_no_animal(shelter: Shelter) -> None:
    result = take_in(shelter, "code,name,species\nA1,Rex,Dog\ncode,name,species\nA2,Bo,Cat\n")
    assert [note.row for note in result.refused] == [3]


@pytest.mark.parametrize("letter", ["\x00", "x" * 40_000])
def test_a_cell_that_nobody_wrote_refuses_its_row_alone(shelter: Shelter, letter: str) -> None:
    result = take_in(shelter, csv_of(["code", "name", "species"], ["A1", letter, "Dog"], ["A2", "Bo", "Dog"]))
    assert [(note.row, note.column) for note in result.refused] == [(2, "name")]
    assert len(result.refused[0].value) <= 200
    assert only(shelter)["code"] == "A2"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty"),
        (b"\xef\xbb\xbf\n\n", "The file is empty"),
        (b"code,name,species\n", "a header and no rows"),
        (b"this,that\n1,2\n", 'No column of the header is known: "this", "that"'),
        (b"name,species,name\nRex,Dog,Bo\n", 'names "name" twice, in columns 1 and 3'),
        (b"name,breed\nRex,Beagle\n", "--category Dog"),
        (b"species,breed\nDog,Beagle\n", "No column names the animals"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n...", "picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", ".xls"),
        (b"<html><table><tr><td>name</td></tr></table>", "web page"),
        (b"PK\x03\x04 no archive", "damaged"),
    ],
)
def test_what_is_no_spreadsheet_of_animals_is_refused_with_the_mend(
    shelter: Shelter, content: bytes, sentence: str
) -> None:
    with pytest.raises(FileRefused) as refusal:
        take_in(shelter, content)
    assert sentence in refusal.value.sentence
    assert kept(shelter) == []


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return file.getvalue()


def test_another_programs_document_is_no_workbook(shelter: Shelter) -> None:
    with pytest.raises(FileRefused, match="save it as XLSX or CSV"):
        take_in(shelter, zipped(content_xml=b"<office/>"))


MAIN = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "content",
    [
        b"<row>" + b"<c/>" * 200_000 + b"</row>",
        b"<row>" + b"<row/><c/>" * 100_000 + b"</row>",
        b"<row/>" * 2_100_000,
        b"<row><c><v>" + b"9" * 18_000_000 + b"</v></c></row>",
    ],
    ids=["cells", "rows within a row", "rows", "a text"],
)
def test_a_workbook_that_unpacks_to_more_than_memory_holds_is_not_read(
    shelter: Shelter, content: bytes
) -> None:
    sheet = b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (MAIN, content)
    with pytest.raises(FileRefused, match="more than can be read at once"):
        take_in(shelter, zipped(xl__workbook_xml=b"", xl__worksheets__sheet1_xml=sheet))


ROWS_OF_TEXTS = b"<row>%s</row>" % (b"<si/>" * 1_000)


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "strings",
    [
        b"<sst %s>%s</sst>" % (MAIN, b"<si/>" * 2_100_000),
        b"<sst %s><a>%s</a></sst>" % (MAIN, ROWS_OF_TEXTS * 2_100),
        b"<worksheet %s><a>%s</a></worksheet>" % (MAIN, ROWS_OF_TEXTS),
        b"<sst %s>%s</sst>" % (MAIN, (b"<si><t>%s</t></si>" % (b"a" * 1_000_000)) * 65),
    ],
    ids=["texts", "texts in rows", "texts in a sheet", "long texts"],
)
def test_shared_texts_are_bounded_whatever_they_look_like(shelter: Shelter, strings: bytes) -> None:
    with pytest.raises(FileRefused, match="more than can be read at once"):
        take_in(shelter, zipped(xl__workbook_xml=b"", xl__called_otherwise_xml=strings))


def test_a_row_is_kept_no_wider_than_any_file_is() -> None:
    sheet = open_sheet(io.BytesIO(xlsx_of(["name", "species"], ["Rex", "Dog", *[None] * 16_000, "x"])))
    assert [len(record.cells) for record in sheet] == [COLUMNS_MOST]
    sheet.close()


def test_more_than_the_disk_should_hold_is_refused(shelter: Shelter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_reader, "KEPT_MOST", 100)
    with pytest.raises(FileRefused, match="holds too much"):
        take_in(shelter, csv_of(["name", "species"], *[["Rex", "Dog"]] * 9))


def sheet_of(rows: bytes) -> io.BytesIO:
    return io.BytesIO(b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (MAIN, rows))


def test_a_workbook_of_too_many_rows_is_read_no_further_than_to_the_first_too_many() -> None:
    part = sheet_of(b"<row><c><v>1</v></c></row>" * 200_000)
    with pytest.raises(TooManyRows):
        refuse_swollen(part, 10)
    assert part.tell() <= 1 << 20
    with pytest.raises(FileRefused, match="more than 10 rows"):
        list(sheets_of(io.BytesIO(xlsx_of(*[["name"]] * 100)), 10))


def test_rows_without_a_value_are_not_counted() -> None:
    blank = b'<row><c s="1"/><c t="s"/></row>' * 1_000
    texts = b"<row><c><is><t>Rex</t></is></c><c><v>1</v></c></row>" * 10
    refuse_swollen(sheet_of(blank + texts + blank), 10)
    with pytest.raises(TooManyRows):
        refuse_swollen(sheet_of(blank + texts + blank), 9)


@pytest.mark.settings("embedded")
def test_a_workbook_that_unpacks_to_an_absurd_size_is_not_unpacked(shelter: Shelter) -> None:
    with pytest.raises(FileRefused, match="unpacks to 310 MB"):
        take_in(shelter, zipped(xl__workbook_xml=b"", xl__worksheets__sheet1_xml=bytes(310_000_000)))


def test_numbers_of_a_workbook_stay_as_they_are_shown(shelter: Shelter) -> None:
    book = openpyxl.Workbook()
    book.active.append(["code", "name", "species", "microchip", "fee"])
    book.active.append([10234, 36, "Dog", 981020023666391, 125.5])
    book.active.append([7, "036", "Dog", None, 80])
    book.active["A3"].number_format = "00000"
    file = io.BytesIO()
    book.save(file)
    take_in(shelter, file.getvalue())
    first, second = kept(shelter)
    assert (first["code"], first["name"], first["microchip"]) == ("10234", "36", "981020023666391")
    assert (first["fee_cents"], second["fee_cents"]) == (12550, 8000)
    assert (second["code"], second["name"]) == ("00007", "036")


def test_days_of_a_workbook_are_days(shelter: Shelter) -> None:
    # A cell of a workbook is in no zone.
    rows = [datetime(2020, 2, 29, 13, 30), 43890, "2/29/2020"]  # noqa: DTZ001
    take_in(shelter, xlsx_of(["code", "species", "birth date"], *(["A", "Dog", day] for day in rows[:1])))
    take_in(
        shelter, xlsx_of(["code", "species", "birth date"], *([f"B{day}", "Dog", day] for day in rows[1:]))
    )
    assert {animal["birth_date"] for animal in kept(shelter)} == {date(2020, 2, 29)}


def test_a_formula_that_failed_is_refused_or_told(shelter: Shelter) -> None:
    result = take_in(
        shelter,
        xlsx_of(["code", "name", "species", "size"], ["A", "#N/A", "Dog"], ["B", "Bo", "Dog", "#REF!"]),
    )
    assert [(note.row, note.column) for note in result.refused] == [(2, "name")]
    assert [(note.row, note.column) for note in result.warnings] == [(3, "size")]


def test_the_first_sheet_with_a_header_is_read_and_its_blank_rows_are_counted(shelter: Shelter) -> None:
    book = openpyxl.Workbook()
    book.active.append(["How to use this workbook"])
    sheet = book.create_sheet("Animals")
    for row in (["code", "name", "species"], ["A1", "Rex", "Dog"], [], ["A2", "Bo", ""]):
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    result = take_in(shelter, file.getvalue())
    assert [note.row for note in result.refused] == [4]
    assert only(shelter)["code"] == "A1"


HEADERS = st.sampled_from(
    [
        b"",
        b"code,name,species,birth date,fee\n",
        b"code,name\n",
        b"name;species;description\n",
        b"sheltercode,animalname,speciesname,movementdate,returndate\n",
        b"breed_primary,breed_secondary,breed_mixed,breed_unknown,code,name,species\n",
        b"\xff\xfe",
        b"PK\x03\x04",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    header=HEADERS,
    content=st.one_of(
        st.binary(max_size=400), st.text("\",;\n\r\x00ab1/.-'é<&", max_size=400).map(str.encode)
    ),
)
def test_any_bytes_give_a_result_or_a_refusal(shelter: Shelter, header: bytes, content: bytes) -> None:
    with suppress(Refusal):
        counts(take_in(shelter, header + content, dry_run=True))
