"""Status, holds and visibility in spreadsheets."""

import pytest

from tests.adoption.spreadsheets.sheets import (
    import_file,
    import_row,
    import_shelter_manager_row,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("written", "status", "listed", "on_hold"),
    [
        ("A", "available", True, None),
        ("Adoptable", "available", True, None),
        ("Adoption Pending", "pending", True, None),
        ("X", "sold", True, None),
        ("Adopted", "sold", True, None),
        ("H", "available", False, True),
        ("Hold - Stray", "available", False, True),
        ("F", "available", False, None),
        ("Euthanized", "available", False, None),
    ],
)
def test_status_words_are_read(
    shelter: Shelter, written: str, status: str, listed: bool, on_hold: bool | None
) -> None:
    animal = import_row(shelter, status=written)
    assert (animal["status"], animal["listed"], animal["on_hold"]) == (status, listed, on_hold)


@pytest.mark.parametrize(
    ("movement", "returned", "status", "listed"),
    [
        ("Adoption", "", "sold", True),
        ("Adoption", "2024-02-03", "available", True),
        ("Adoption", "0000-00-00", "sold", True),
        ("Foster", "", "available", True),
        ("Transfer", "", "available", False),
        ("Reclaimed", "", "available", False),
        ("Reclaimed", "2024-02-03", "available", True),
        ("Escaped", "", "available", False),
        ("Stolen", "", "available", False),
        ("", "", "sold", True),  # according to ShelterManager's manual
        ("0", "", "pending", True),
        ("2", "", "available", True),
        ("5", "", "available", False),
    ],
)
def test_the_movement_type_sets_the_status(
    shelter: Shelter, movement: str, returned: str, status: str, listed: bool
) -> None:
    animal = import_shelter_manager_row(
        shelter, movementtype=movement, movementdate="2024-01-02", returndate=returned
    )
    assert (animal["status"], animal["listed"]) == (status, listed)


def test_a_trial_adoption_is_pending(shelter: Shelter) -> None:
    assert import_shelter_manager_row(shelter, movementtype="Adoption", istrial="1")["status"] == "pending"


def test_only_a_date_of_death_hides_a_dead_animal(shelter: Shelter) -> None:
    assert (
        import_shelter_manager_row(
            shelter, movementtype="Foster", deceaseddate="", deceasedreason="Died in care"
        )["listed"]
        is True
    )
    assert (
        import_shelter_manager_row(
            shelter, movementtype="Foster", deceaseddate="2024-01-02", deceasedreason=""
        )["listed"]
        is False
    )


def test_an_animal_that_died_after_its_return_is_hidden(shelter: Shelter) -> None:
    died = import_shelter_manager_row(
        shelter, movementtype="Adoption", returndate="2024-01-02", deceaseddate="2024-01-03"
    )
    assert died["listed"] is False


@pytest.mark.parametrize("column", ["ANIMALNOTFORADOPTION", "ANIMALNONSHELTER"])
def test_an_animal_not_for_adoption_is_hidden(shelter: Shelter, column: str) -> None:
    assert import_shelter_manager_row(shelter, **{column: "1"})["listed"] is False
    assert import_shelter_manager_row(shelter, **{column: "0"})["listed"] is True


@pytest.mark.parametrize(
    ("column", "word", "on_hold", "in_quarantine", "listed"),
    [
        ("IsHold", "1", True, False, False),
        ("IsHold", "0", None, None, True),
        ("IsQuarantine", "yes", False, True, False),
        ("Hold_Request", "QUARANTINE", False, True, False),
        ("Hold_Request", "ADOP RESCU", None, None, True),
        ("Hold_Request", "DD/AGG", True, False, False),
    ],
)
def test_holds_and_quarantine_hide_an_animal(
    shelter: Shelter, column: str, word: str, on_hold: bool | None, in_quarantine: bool | None, listed: bool
) -> None:
    animal = import_row(shelter, **{column: word})
    assert (animal["on_hold"], animal["in_quarantine"], animal["listed"]) == (on_hold, in_quarantine, listed)


def test_an_unknown_outcome_hides_the_animal_and_is_reported(shelter: Shelter) -> None:
    result = import_file(shelter, "Animal_Id,Animal_Type,Outcome_Type\nA1,DOG,OTHERWISE\n")
    assert [(note.row, note.column) for note in result.warnings] == [(2, "Outcome_Type")]
    assert only_animal(shelter)["listed"] is False


def test_a_kennel_status_other_than_available_hides_the_animal(shelter: Shelter) -> None:
    file = "Animal_Id,Animal_Type,Kennel_Status,Outcome_Type\nA1,DOG,IMPOUNDED,\nA2,DOG,AVAILABLE,\n"
    import_file(shelter, file)
    assert [animal["listed"] for animal in stored_animals(shelter)] == [False, True]


PETHARBOR = "impound_no,Animal_ID,Record_Type,Animal_Name,animal_type,Date,Date_Type\n"


def test_lost_reports_are_rejected_and_found_animals_are_hidden(shelter: Shelter) -> None:
    rows = (
        "K1,A1,LOST,Riley,Dog,04/13/2017 12:00:00 AM,Date Lost\n"
        "K2,A2,FOUND,,Dog,04/13/2017 12:00:00 AM,Date Found\n"
        "K3,A3,FOUND,,Cat,04/19/2017 12:00:00 AM,Received on\n"
        "K4,A4,FOUND,,Dead Cat,04/19/2017 12:00:00 AM,Received on\n"
        "K5,A5,ADOPTABLE,Bo,Cat,04/19/2017 12:00:00 AM,Received on\n"
    )
    result = import_file(shelter, PETHARBOR + rows)
    assert [(note.row, note.column) for note in result.refused] == [(2, "Record_Type"), (3, "Date_Type")]
    assert [(animal["code"], animal["listed"]) for animal in stored_animals(shelter)] == [
        ("A3", False),
        ("A4", False),
        ("A5", True),
    ]
