"""Names of animals in spreadsheets."""

import pytest

from tests.adoption.spreadsheets.sheets import (
    import_file,
    import_row,
    import_shelter_manager_row,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("*Padmé", "Padmé"),
        ("036", "036"),
        ("Cari&#241;o", "Cariño"),
        ("Mr.\u00a0 T", "Mr. T"),
        ("S'Mores", "S'Mores"),
        ("DJ", "DJ"),
        ("", "A1"),
        ("'=Rex", "=Rex"),
        ("'Tis", "'Tis"),
    ],
)
def test_a_name_is_kept_as_written(shelter: Shelter, written: str, name: str) -> None:
    assert import_row(shelter, name=written)["name"] == name


def test_backticks_of_shelter_manager_become_apostrophes(shelter: Shelter) -> None:
    assert import_shelter_manager_row(shelter, animalname="Mango Ma`am")["name"] == "Mango Ma'am"


def test_names_all_in_capitals_become_title_case(shelter: Shelter) -> None:
    import_file(shelter, "code,name,species\nA1,OLD MAX,DOG\nA2,BELLA,DOG\nA3,O'MALLEY,CAT\n")
    assert [animal["name"] for animal in stored_animals(shelter)] == ["Old Max", "Bella", "O'malley"]


def test_a_single_name_in_capitals_is_kept(shelter: Shelter) -> None:
    import_file(shelter, "code,name,species\nA1,MAX,Dog\nA2,Bella,Dog\nA3,TIM,Cat\n")
    assert [animal["name"] for animal in stored_animals(shelter)] == ["MAX", "Bella", "TIM"]


def test_a_row_with_neither_name_nor_code_is_rejected(shelter: Shelter) -> None:
    ((row, column, _, reason, _),) = import_file(shelter, "code,name,species\n,,Dog\n").refused
    assert (row, column) == (2, "name")
    assert "neither a name nor a code" in reason


def test_a_name_of_over_200_characters_is_rejected(shelter: Shelter) -> None:
    ((_, column, _, reason, _),) = import_file(shelter, f"code,name,species\nA1,{'x' * 201},Dog\n").refused
    assert (column, reason) == ("name", "must have 200 characters at most, not 201")
