"""Which rows a file holds: encodings, delimiters, quotes, line breaks, workbooks, and what is none."""

import io
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adoption.animals.spreadsheets import row_store
from adoption.animals.spreadsheets.csv_reader import ROW_LONGEST, CsvDialect, CsvReader, Scan
from adoption.animals.spreadsheets.file_reader import open_sheet
from adoption.animals.spreadsheets.row_store import COLUMNS_MOST
from adoption.animals.spreadsheets.text_encoding import EncodingUnsure, encoding_samples
from adoption.animals.spreadsheets.xlsx_reader import read_xlsx
from adoption.animals.spreadsheets.zip_bomb_guard import TooManyRows, check_part
from adoption.errors import FileRefused, Invalid, Refusal
from tests.adoption.animals.spreadsheet import counts, csv_of, kept, only, take_in, xlsx_of, zipped
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
    ((row, column, value, reason, _),) = result.refused
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
    ((row, _, value, reason, _),) = take_in(shelter, "code,name,species\nA1,Salt, Pepper,Dog\n").refused
    assert (row, value) == (2, "Dog")
    assert "4 cells and the header 3" in reason


def test_a_row_without_its_last_cells_is_taken_as_blank_there(shelter: Shelter) -> None:
    assert counts(take_in(shelter, "code,name,species,breed,colour\nA1,Rex,Dog\nA2,Bo,Cat,x,y\n"))[1] == 2


def test_a_file_that_was_cut_off_does_not_bring_half_a_row(shelter: Shelter) -> None:
    ((row, _, _, reason, _),) = take_in(shelter, "code,name,species,breed\nA1,Rex,Do").refused
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
        (b"this,that\n1,2\n", 'No column of the header was recognised: "this", "that"'),
        (b"name,species,name\nRex,Dog,Bo\n", 'has "name" twice, in columns 1 and 3'),
        (b"name,breed\nRex,Beagle\n", "No column has the species"),
        (b"species,breed\nDog,Beagle\n", "No column names the animals"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n...", "picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", "damaged"),
        (b"<html><table><tr><td>name</td></tr></table>", "no rows below it"),
        (b"<html><p>name</p></html>", "The file is empty"),
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


def test_another_programs_document_is_no_workbook(shelter: Shelter) -> None:
    with pytest.raises(FileRefused, match="save it as XLSX or CSV"):
        take_in(shelter, zipped(word__document_xml=b"<office/>"))


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
    with pytest.raises(FileRefused, match="too large to be read"):
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
    with pytest.raises(FileRefused, match="too large to be read"):
        take_in(shelter, zipped(xl__workbook_xml=b"", xl__called_otherwise_xml=strings))


def test_a_row_is_kept_no_wider_than_any_file_is() -> None:
    sheet = open_sheet(io.BytesIO(xlsx_of(["name", "species"], ["Rex", "Dog", *[None] * 16_000, "x"])))
    assert [len(record.cells) for record in sheet] == [COLUMNS_MOST]
    sheet.close()


def test_a_number_format_makes_no_cell_longer_than_excel_allows() -> None:
    book = openpyxl.Workbook()
    book.active.append(["code", "name", "species"])
    book.active.append([7, "Rex", "Dog"])
    book.active["A2"].number_format = "0" * 1_000_000
    file = io.BytesIO()
    book.save(file)
    sheet = open_sheet(file)
    assert [record.cells for record in sheet] == [["7", "Rex", "Dog"]]
    sheet.close()


def test_escaped_pairs_in_a_workbook_are_letters_and_halves_are_reported() -> None:
    rows = ["code", "name", "species"], ["A1", "Rex_xD83D__xDE00_", "Dog"], ["A2", "Bo_xD800_", "Dog"]
    sheet = open_sheet(io.BytesIO(xlsx_of(*rows)))
    whole, half = sheet
    assert (whole.cells[1], whole.notes) == ("Rex\U0001f600", [])
    assert half.cells[1] == "Bo\ufffd"
    assert ["could not be read" in note.reason for note in half.notes] == [True]
    sheet.close()


def test_more_than_the_disk_should_hold_is_refused(shelter: Shelter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_store, "KEPT_MOST", 100)
    with pytest.raises(FileRefused, match="file is too large"):
        take_in(shelter, csv_of(["name", "species"], *[["Rex", "Dog"]] * 9))


def sheet_of(rows: bytes) -> io.BytesIO:
    return io.BytesIO(b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (MAIN, rows))


def test_a_workbook_of_too_many_rows_is_read_no_further_than_to_the_first_too_many() -> None:
    part = sheet_of(b"<row><c><v>1</v></c></row>" * 200_000)
    with pytest.raises(TooManyRows):
        check_part(part, 10)
    assert part.tell() <= 1 << 20
    with pytest.raises(FileRefused, match="more than 10 rows"):
        read_xlsx(io.BytesIO(xlsx_of(*[["name"]] * 100)), rows_most=10)


def test_rows_without_a_value_are_not_counted() -> None:
    blank = b'<row><c s="1"/><c t="s"/></row>' * 1_000
    texts = b"<row><c><is><t>Rex</t></is></c><c><v>1</v></c></row>" * 10
    check_part(sheet_of(blank + texts + blank), 10)
    with pytest.raises(TooManyRows):
        check_part(sheet_of(blank + texts + blank), 9)


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


def workbook(**sheets: Sequence[Sequence[Any]]) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name.replace("_", " "))
        for row in rows:
            sheet.append(row)
    return book


def saved(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_blank_rows_of_the_sheet_with_the_animals_are_counted(shelter: Shelter) -> None:
    rows = (["code", "name", "species"], ["A1", "Rex", "Dog"], [], ["A2", "Bo", ""])
    result = take_in(shelter, saved(workbook(Help=[["How to use this workbook"]], Animals=rows)))
    assert [(note.row, note.sheet) for note in result.refused] == [(4, "")]
    assert only(shelter)["code"] == "A1"


FILES = Path(__file__).with_name("files")


@pytest.mark.settings("embedded")
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
def test_a_file_gives_its_animals_and_reports_what_is_left_out(
    shelter: Shelter, file: str, animals: dict[str, str], reported: str
) -> None:
    result = take_in(shelter, (FILES / file).read_bytes())
    assert {animal["code"]: animal["name"] for animal in kept(shelter)} == animals
    said = " ".join([*result.notes, *(note.reason for note in (*result.refused, *result.warnings))])
    assert (reported in said) if reported else said == ""


@pytest.mark.settings("embedded")
def test_a_stray_byte_is_reported_with_its_cell_and_the_rest_stays_utf_8(shelter: Shelter) -> None:
    content = (FILES / "utf8-with-a-stray-byte.csv").read_bytes()
    result = take_in(shelter, content + b"A4,Zo\xc3\xab,Cat,DSH,F,cut off \xe2\x80\n")
    assert [(note.row, note.column) for note in result.warnings] == [(4, "description"), (5, "description")]
    assert [animal["description"] for animal in kept(shelter)[2:]] == ["it\u2019s", "cut off"]


@pytest.mark.settings("embedded")
def test_a_serial_date_of_a_1904_workbook_is_its_day(shelter: Shelter) -> None:
    take_in(shelter, (FILES / "serial-in-1904.xlsx").read_bytes())
    assert only(shelter)["birth_date"] == date(2020, 2, 28)


@pytest.mark.settings("embedded")
def test_a_formula_without_a_value_clears_nothing(shelter: Shelter) -> None:
    take_in(shelter, (FILES / "values.xlsx").read_bytes())
    before = kept(shelter)
    result = take_in(shelter, (FILES / "formulas-without-values.xlsx").read_bytes(), clear_blanks=True)
    assert kept(shelter) == before
    told = [*result.refused, *result.warnings]
    assert {note.column for note in told} == {"birth date", "description", "fee"}
    assert all("formula without a stored value" in note.reason for note in told)


@pytest.mark.settings("embedded")
def test_a_cell_beyond_the_limit_is_reported_and_its_row_is_imported(shelter: Shelter) -> None:
    photo = "data:image/jpeg;base64," + "A" * 1_400_000
    rows = [["A1", "Rex", "Dog", "x" * 140_000, photo], ["A2", "Bo", "Cat", "fine", ""]]
    header = ["code", "name", "species", "description", "photo"]
    result = take_in(shelter, csv_of(header, *rows), photos=True)
    assert counts(result) == (2, 2, 0, 0, 0)
    assert [(note.row, note.column, note.reason[:26]) for note in result.warnings] == [
        (2, "description", "has 140,000 characters. Th"),
        (2, "photo", "is a photo inside the cell"),
    ]


SAYS_SHEETS = {
    "Dogs": [["code", "name", "species"], ["D1", "Rex", "Dog"], [None, None, "Dog"]],
    "Cats": [
        ["species", "name", "Animal ID", "colour"],
        ["Cat", "Tom", "C1", "Black"],
        ["Cat", None, None, "x"],
    ],
    "Staff": [["Name", "Phone"], ["Ann", "555"]],
    "Old": [["code", "name", "species"], ["X1", "Gone", "Dog"]],
}


@pytest.mark.settings("embedded")
def test_every_visible_sheet_of_animals_is_read_and_messages_name_the_sheet(shelter: Shelter) -> None:
    book = workbook(**SAYS_SHEETS)
    book["Old"].sheet_state = "hidden"
    result = take_in(shelter, saved(book))
    assert [(note.row, note.sheet) for note in result.refused] == [(3, "Dogs"), (3, "Cats")]
    assert {animal["code"]: animal["colours"] for animal in kept(shelter)} == {"D1": None, "C1": "Black"}
    assert result.notes == [
        'The sheet "Staff" is not read: it does not seem to list animals.',
        'The hidden sheet "Old" is not read.',
    ]
    assert result.as_json()["refused"][1]["sheet"] == "Cats"
    assert counts(take_in(shelter, saved(book), sheets=("Old",)))[1] == 1
    with pytest.raises(Invalid, match='no sheet "Birds"'):
        take_in(shelter, saved(book), sheets=("Birds",))


@pytest.mark.settings("embedded")
def test_animals_without_a_code_on_two_sheets_are_two_animals(shelter: Shelter) -> None:
    header = ["name", "species"]
    book = workbook(Dogs=[header, ["Rex", "Dog"]], Cats=[header, ["Tom", "Cat"]])
    assert counts(take_in(shelter, saved(book))) == (2, 2, 0, 0, 0)
    assert [animal["name"] for animal in kept(shelter)] == ["Rex", "Tom"]


@pytest.mark.settings("embedded")
def test_a_sheet_that_is_called_after_a_species_gives_it_to_its_animals(shelter: Shelter) -> None:
    header = ["code", "name", "breed"]
    book = workbook(Dogs=[header, ["D1", "Rex", "Pug"]], Cats=[["name", "code"], ["Tom", "C1"]])
    take_in(shelter, saved(book))
    assert [(animal["code"], animal["category"]) for animal in kept(shelter)] == [
        ("D1", "Dog"),
        ("C1", "Cat"),
    ]
    take_in(shelter, saved(workbook(Rabbits=[header, ["R1", "Bun", ""]])))
    assert kept(shelter)[2]["category"] == "Rabbit"


@pytest.mark.settings("embedded")
def test_animals_on_a_hidden_sheet_alone_refuse_the_file(shelter: Shelter) -> None:
    book = workbook(Old=SAYS_SHEETS["Old"], Notes=[["a", "b"], ["c", "d"]])
    book["Old"].sheet_state = "hidden"
    with pytest.raises(FileRefused, match='hidden sheet: "Old"'):
        take_in(shelter, saved(book))


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "above", [[[]] * 25, [["Elm Road Rescue"]] * 25, [["Elm Road", "Ohio", "2024"], []] * 13]
)
def test_a_header_is_found_below_many_rows(shelter: Shelter, above: list[list[str]]) -> None:
    rows = [*above, ["code", "name", "species"], ["A1", "Rex", "Dog"]]
    assert counts(take_in(shelter, xlsx_of(*rows)))[1] == 1


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "row", [["Grand total", "2", "Dog 1"], ["Total:", "1 animal", "1 dog"], ["Page 1 of 3"], ["Total"]]
)
def test_a_row_that_sums_up_is_reported_and_no_animal(shelter: Shelter, row: list[str]) -> None:
    rows = [["code", "name", "species"], ["A1", "Rex", "Dog"], ["A2", "Total", "Dog"], row]
    result = take_in(shelter, csv_of(*rows), category="Dog")
    assert [animal["name"] for animal in kept(shelter)] == ["Rex", "Total"]
    assert [(note.row, note.value) for note in result.refused] == [(4, row[0])]


@pytest.mark.settings("embedded")
def test_samples_of_encodings_are_words_that_they_read_differently() -> None:
    content = "code,name,species,status\n1,Señor,Dog,verfügbar\n2,Jürgen,Cat,privé\n".encode("cp1252")
    samples = encoding_samples(io.BytesIO(content))
    assert (samples["cp1252"], samples["cp1250"]) == ("Señor", "Seńor")


@pytest.mark.parametrize(
    ("encoding", "text", "is_found"),
    [
        ("cp1252", "Cariño,Zoë,L\u2019été,Müller", True),
        ("cp1250", "Příliš,Šárka,Čert", True),
        ("cp1250", "Żółw,Łatka,mała", True),
        ("cp1251", "Мурка,Барсик,кошка", True),
        ("koi8_r", "Мурка,Барсик,кошка", True),
        ("mac_roman", "Núñez,Señor,it\u2019s", True),
        ("cp932", "ハチ,とても元気です,犬", True),
        ("gb18030", "小白,中华田园犬,狗", True),
        ("cp850", "Müller,Schäfer,Größe", True),
        ("cp1251", "ЖУЧКА", False),
        ("euc_kr", "바둑이,진돗개", False),
        ("mac_roman", "Zoë", False),
    ],
)
def test_an_encoding_is_found_by_its_words_or_asked_for(encoding: str, text: str, is_found: bool) -> None:
    content = f"code,name,species,breed\nA1,{text.replace(',', ' ')},Dog,x\n".encode(encoding)
    chosen = None
    if not is_found:
        with pytest.raises(EncodingUnsure, match=f"{encoding}: ") as unsure:
            open_sheet(io.BytesIO(content))
        assert text.split(",")[0] in unsure.value.samples[encoding]
        chosen = encoding
    sheet = open_sheet(io.BytesIO(content), encoding=chosen)
    assert next(iter(sheet)).cells[1] == text.replace(",", " ")
    sheet.close()


@pytest.mark.settings("embedded")
def test_an_unknown_encoding_is_refused(shelter: Shelter) -> None:
    for name in ("klingon", "rot13", "base64"):
        with pytest.raises(Invalid, match="encoding: is not known"):
            take_in(shelter, "code,name\nA1,Rex\n", encoding=name)


@pytest.mark.settings("embedded")
def test_garbled_text_is_reported_with_what_it_means(shelter: Shelter) -> None:
    garbled = [text.encode().decode("cp1252") for text in ("Cariño", "it\u2019s")]
    result = take_in(
        shelter, csv_of(["code", "name", "species", "notes"], ["A1", garbled[0], "Dog", garbled[1]])
    )
    assert [note.reason for note in result.warnings] == [
        "looks garbled: it probably means 'Cariño'",
        "looks garbled: it probably means 'it\u2019s'",
    ]


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
