"""CSV files: delimiters, quotes, line breaks and incomplete rows."""

import io

import pytest

from adoption.errors import FileRefused
from adoption.spreadsheets.files.csv_rows import ROW_LONGEST, CsvDialect, CsvReader, Scan
from tests.adoption.spreadsheets.sheets import (
    count_rows,
    import_file,
    make_csv,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


def test_commas_in_texts_do_not_hide_a_semicolon_delimiter(shelter: Shelter) -> None:
    import_file(shelter, "code;name;species\nA1;Salt, Pepper, and Son, the 3rd;Dog\n")
    assert only_animal(shelter)["name"] == "Salt, Pepper, and Son, the 3rd"


def test_the_sep_line_for_excel_is_skipped(shelter: Shelter) -> None:
    result = import_file(shelter, "sep=;\r\ncode;name;species\r\nA1;Rex;\r\n")
    assert [note.row for note in result.refused] == [2]


def test_spaces_after_delimiters_are_removed(shelter: Shelter) -> None:
    import_file(shelter, 'code, name, species\nA1, "Rex, the dog", Dog\n')
    assert only_animal(shelter)["name"] == "Rex, the dog"


def test_row_numbers_are_those_of_a_spreadsheet_program(shelter: Shelter) -> None:
    text = 'code,name,species,description\nA1,Rex,Dog,"two\nlines"\n\nA2,Bo,,x\nA3,Al,Dog,x\nA4,Io,,x\n'
    result = import_file(shelter, text)
    assert [note.row for note in result.refused] == [4, 6]
    assert count_rows(result) == (4, 2, 0, 0, 2)
    assert stored_animals(shelter)[0]["description"] == "two\nlines"


def test_line_ends_of_old_macs_are_read(shelter: Shelter) -> None:
    assert count_rows(import_file(shelter, "code,name,species\rA1,Rex,Dog\rA2,Bo,Cat\r")) == (2, 2, 0, 0, 0)


def test_an_unclosed_quote_rejects_its_row_and_the_rest_is_imported(shelter: Shelter) -> None:
    rows = ["code,name,species,description"] + [f'A{n},Rex {n},Dog,"fine, {n}"' for n in range(2, 9)]
    rows[4] = 'A5,Rex 5,Dog,"never closed'
    result = import_file(shelter, "\n".join(rows) + "\n")
    ((row, column, value, reason, _),) = result.refused
    assert (row, column, value) == (5, "description", '"never closed')
    assert "never closed" in reason
    assert [animal["code"] for animal in stored_animals(shelter)] == ["A2", "A3", "A4", "A6", "A7", "A8"]


def test_an_unclosed_quote_before_rows_without_quotes_rejects_one_row(shelter: Shelter) -> None:
    text = 'code,name,species\nA1,"Rex,Dog\nA2,Bo,Cat\nA3,,\n'
    result = import_file(shelter, text)
    assert [(note.row, note.column) for note in result.refused] == [(2, "name"), (4, "species")]
    assert [animal["code"] for animal in stored_animals(shelter)] == ["A2"]


def test_text_lines_after_an_unclosed_quote_are_not_rows(shelter: Shelter) -> None:
    text = 'code,name,species,description\nA1,Rex,Dog,"first\nsecond line\nthird line\nA2,Bo,Cat,fine\n'
    result = import_file(shelter, text)
    assert count_rows(result) == (2, 1, 0, 0, 1)
    assert only_animal(shelter)["code"] == "A2"


class CountingDialect(CsvDialect):
    """A dialect that counts the characters that it scans."""

    scanned = 0

    def scan(self, line: str, inside: bool) -> Scan:
        type(self).scanned += len(line)
        return super().scan(line, inside)


def test_the_search_for_a_closing_quote_is_bounded() -> None:
    line = "A1,Rex,Dog," + "long walks " * 90 + "\n"
    text = 'A0,Rex,Dog,"open\n' + line * 10_000
    rows = list(CsvReader(io.StringIO(text), CountingDialect(","), width=4))
    assert (len(rows), rows[0].trouble is not None, rows[1].trouble) == (10_001, True, None)
    assert CountingDialect.scanned < len(text) + 2 * ROW_LONGEST


def test_a_file_of_unmatched_quotes_is_rejected(shelter: Shelter) -> None:
    tangle = '",x"y,"\n' * 400_000
    with pytest.raises(FileRefused, match="quotation marks do not match"):
        import_file(shelter, "code,name,species\n" + tangle)


def test_quotes_inside_a_text_are_kept(shelter: Shelter) -> None:
    import_file(shelter, 'code,name,species\nA1,"Rex ""the"" dog",Dog\nA2,5" Bo,Dog\n')
    assert [animal["name"] for animal in stored_animals(shelter)] == ['Rex "the" dog', '5" Bo']


def test_a_row_with_more_cells_than_the_header_is_rejected(shelter: Shelter) -> None:
    ((row, _, value, reason, _),) = import_file(shelter, "code,name,species\nA1,Salt, Pepper,Dog\n").refused
    assert (row, value) == (2, "Dog")
    assert "4 cells, but the header has 3" in reason


def test_missing_cells_at_the_end_of_a_row_are_blank(shelter: Shelter) -> None:
    assert (
        count_rows(import_file(shelter, "code,name,species,breed,colour\nA1,Rex,Dog\nA2,Bo,Cat,x,y\n"))[1]
        == 2
    )


def test_the_incomplete_last_row_of_a_truncated_file_is_rejected(shelter: Shelter) -> None:
    ((row, _, _, reason, _),) = import_file(shelter, "code,name,species,breed\nA1,Rex,Do").refused
    assert (row, "middle of this row" in reason) == (2, True)


@pytest.mark.parametrize("letter", ["\x00", "x" * 40_000])
def test_a_cell_with_a_null_byte_or_40000_characters_rejects_its_row(shelter: Shelter, letter: str) -> None:
    result = import_file(
        shelter, make_csv(["code", "name", "species"], ["A1", letter, "Dog"], ["A2", "Bo", "Dog"])
    )
    assert [(note.row, note.column) for note in result.refused] == [(2, "name")]
    assert len(result.refused[0].value) <= 200
    assert only_animal(shelter)["code"] == "A2"


def test_a_cell_over_the_limit_is_reported_and_its_row_is_imported(shelter: Shelter) -> None:
    photo = "data:image/jpeg;base64," + "A" * 1_400_000
    rows = [["A1", "Rex", "Dog", "x" * 140_000, photo], ["A2", "Bo", "Cat", "fine", ""]]
    header = ["code", "name", "species", "description", "photo"]
    result = import_file(shelter, make_csv(header, *rows), photos=True)
    assert count_rows(result) == (2, 2, 0, 0, 0)
    assert [(note.row, note.column, note.reason[:26]) for note in result.warnings] == [
        (2, "description", "has 140,000 characters. Th"),
        (2, "photo", "is a photo inside the cell"),
    ]
