"""Good with, size, coat and special needs in spreadsheets."""

import pytest

from tests.adoption.spreadsheets.sheets import (
    import_file,
    import_row,
    import_shelter_manager_row,
    only_animal,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("code", "good"), [("0", True), ("1", False), ("2", None), ("12", None), ("Yes", True)]
)
def test_zero_means_good_with_in_shelter_manager(shelter: Shelter, code: str, good: bool | None) -> None:
    animal = import_shelter_manager_row(
        shelter, GOODWITHCATS=code, GOODWITHDOGS=code, ANIMALGOODWITHKIDS=code, housetrained=code
    )
    assert {animal["good_with_cats"], animal["good_with_dogs"], animal["good_with_children"]} == {good}
    assert animal["house_trained"] == good


@pytest.mark.parametrize(("code", "good"), [("1", False), ("0", True), ("", None)])
def test_petfinder_columns_mean_not_good_with(shelter: Shelter, code: str, good: bool | None) -> None:
    animal = import_row(shelter, NoDogs=code, NoCats=code, NoKids=code)
    assert {animal["good_with_cats"], animal["good_with_dogs"], animal["good_with_children"]} == {good}


@pytest.mark.parametrize(
    ("word", "answer"),
    [("yes", True), ("TRUE", True), ("1", True), ("✓", True), ("N", False), ("0", False), ("unknown", None)],
)
def test_good_with_cells_distinguish_yes_no_and_unknown(
    shelter: Shelter, word: str, answer: bool | None
) -> None:
    assert import_row(shelter, GoodWKids=word)["good_with_children"] is answer


@pytest.mark.parametrize(
    ("word", "size"),
    [("S", "small"), ("Med.", "medium"), ("Large 61-100 lbs", "large"), ("Extra Large", "xlarge")],
)
def test_sizes_are_read(shelter: Shelter, word: str, size: str) -> None:
    assert import_row(shelter, size=word)["size"] == size


def test_an_unknown_word_is_reported_and_the_stored_value_stays(shelter: Shelter) -> None:
    import_row(shelter, size="S", coat="Long")
    result = import_file(shelter, "code,species,size,coat\nA1,Dog,bulky,furry\n")
    assert [(note.column, note.value) for note in result.warnings] == [("size", "bulky"), ("coat", "furry")]
    assert (only_animal(shelter)["size"], only_animal(shelter)["coat"]) == ("small", "long")


def test_special_needs_in_words_become_the_note(shelter: Shelter) -> None:
    animal = import_row(shelter, specialNeeds="Needs a daily tablet")
    assert (animal["special_needs"], animal["special_needs_note"]) == (True, "Needs a daily tablet")
