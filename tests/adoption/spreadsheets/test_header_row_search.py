"""The search for the header below titles, and rows that are not animals."""

import pytest

from tests.adoption.spreadsheets.sheets import (
    count_rows,
    import_file,
    make_csv,
    make_xlsx,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


def test_a_title_above_the_header_is_skipped(shelter: Shelter) -> None:
    result = import_file(shelter, "Animals of June,,\n\ncode,name,species\nA1,Rex,\n")
    assert [note.row for note in result.refused] == [4]


def test_a_repeated_header_row_is_rejected(shelter: Shelter) -> None:
    result = import_file(shelter, "code,name,species\nA1,Rex,Dog\ncode,name,species\nA2,Bo,Cat\n")
    assert [note.row for note in result.refused] == [3]


@pytest.mark.parametrize(
    "above", [[[]] * 25, [["Elm Road Rescue"]] * 25, [["Elm Road", "Ohio", "2024"], []] * 13]
)
def test_a_header_is_found_below_many_rows(shelter: Shelter, above: list[list[str]]) -> None:
    rows = [*above, ["code", "name", "species"], ["A1", "Rex", "Dog"]]
    assert count_rows(import_file(shelter, make_xlsx(*rows)))[1] == 1


@pytest.mark.parametrize(
    "row", [["Grand total", "2", "Dog 1"], ["Total:", "1 animal", "1 dog"], ["Page 1 of 3"], ["Total"]]
)
def test_a_total_row_is_reported_and_not_imported(shelter: Shelter, row: list[str]) -> None:
    rows = [["code", "name", "species"], ["A1", "Rex", "Dog"], ["A2", "Total", "Dog"], row]
    result = import_file(shelter, make_csv(*rows), category="Dog")
    assert [animal["name"] for animal in stored_animals(shelter)] == ["Rex", "Total"]
    assert [(note.row, note.value) for note in result.refused] == [(4, row[0])]
