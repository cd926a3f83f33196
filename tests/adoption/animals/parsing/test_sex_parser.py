"""Sex and neutering in spreadsheets, together or in columns of their own."""

import pytest

from tests.adoption.spreadsheets.sheets import (
    import_file,
    import_row,
    import_shelter_manager_row,
    make_csv,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("written", "sex", "altered"),
    [
        ("Spayed Female", "female", True),
        ("Neutered Male", "male", True),
        ("Intact Male", "male", False),
        ("Unaltered", None, False),
        ("M", "male", None),
        ("N", "male", True),
        ("S", "female", True),
        ("Unknown", None, None),
        ("Female/Spayed", "female", True),
        ("Neutered Female", "female", True),
        ("Entire Male", "male", False),
        ("Castrated", "male", True),
        ("Male (Altered)", "male", True),
        ("Female - not spayed", "female", False),
        ("MC", "male", True),
        ("FN", "female", True),
        ("F/S", "female", True),
        ("♀", "female", None),
        ("♂ neutered", "male", True),
        ("hembra esterilizada", "female", True),
        ("weiblich, nicht kastriert", "female", False),
        ("去勢オス", "male", True),
    ],
)
def test_sex_and_neutered_are_read_from_one_cell(
    shelter: Shelter, written: str, sex: str | None, altered: bool | None
) -> None:
    animal = import_row(shelter, sex=written)
    assert (animal["sex"], animal["altered"]) == (sex, altered)


def test_a_spayed_neutered_column_has_its_own_words(shelter: Shelter) -> None:
    words = ("Spayed", "Neutered", "Altered", "Intact", "yes", "No", "not yet spayed", "unknown")
    rows = [[f"A{number}", "Dog", word] for number, word in enumerate(words)]
    result = import_file(shelter, make_csv(["code", "species", "Spayed/Neutered"], *rows))
    assert [note.value for note in result.warnings] == ["not yet spayed"]
    found = [(animal["sex"], animal["altered"]) for animal in stored_animals(shelter)]
    assert found[:4] == [("female", True), ("male", True), (None, True), (None, False)]
    assert found[4:] == [(None, True), (None, False), (None, None), (None, None)]


@pytest.mark.parametrize(("code", "sex"), [("0", "female"), ("1", "male"), ("2", None), ("Female", "female")])
def test_sex_codes_of_shelter_manager_are_read(shelter: Shelter, code: str, sex: str | None) -> None:
    assert import_shelter_manager_row(shelter, sex=code)["sex"] == sex
