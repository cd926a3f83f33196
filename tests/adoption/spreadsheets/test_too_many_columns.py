"""Files with more columns than any list of animals has."""

import csv
import io
from collections.abc import Callable

import pytest

from adoption.errors import FileRefused
from adoption.spreadsheets.files.file_reader import open_sheet
from adoption.spreadsheets.files.row_store import COLUMNS_MOST

FileOf = Callable[[list[list[str]]], io.BytesIO]
WIDE = COLUMNS_MOST * 3


def text_of(rows: list[list[str]]) -> io.BytesIO:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return io.BytesIO(text.getvalue().encode())


def html_of(rows: list[list[str]]) -> io.BytesIO:
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return io.BytesIO(f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>".encode())


@pytest.mark.parametrize("row", [0, 1])
def test_a_row_with_over_1000_columns_is_rejected(row: int) -> None:
    rows = [["name", "species"], ["Rex", "Dog"]]
    rows[row] += [f"c{number}" for number in range(WIDE)]
    with pytest.raises(FileRefused) as refused:
        open_sheet(text_of(rows))
    assert refused.value.sentence.startswith(f"Row {row + 1} has more than 1,000 columns.")


@pytest.mark.parametrize("file_of", [text_of, html_of])
def test_blank_columns_at_the_end_are_ignored(file_of: FileOf) -> None:
    blank = [""] * WIDE
    sheet = open_sheet(file_of([["name", "species", *blank], ["Rex", "Dog", *blank]]))
    assert [each.cells[:2] for each in sheet] == [["Rex", "Dog"]]
    assert len(next(iter(sheet)).cells) <= COLUMNS_MOST
    sheet.close()
