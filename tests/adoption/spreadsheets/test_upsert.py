"""Creation and updates of animals by an import, each once. A repeated import changes nothing."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import update

from adoption.animals.models import Animal, CareRecord
from adoption.errors import Invalid, NotFound
from adoption.spreadsheets import importer
from adoption.storage.database import transaction
from tests.adoption.spreadsheets.sheets import (
    TODAY,
    count_rows,
    import_file,
    make_csv,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter
from tests.factories import remove_animals

THREE = "code,name,species,breed\nA1,Rex,Dog,Beagle\nA2,Bo,Cat,Siamese\nA3,Al,Dog,Pug\n"


def test_importing_the_same_file_again_changes_nothing(shelter: Shelter) -> None:
    assert count_rows(import_file(shelter, THREE)) == (3, 3, 0, 0, 0)
    before = stored_animals(shelter)
    assert count_rows(import_file(shelter, THREE, now=TODAY.replace(month=9))) == (3, 0, 0, 3, 0)
    assert stored_animals(shelter) == before


def test_a_known_code_updates_the_fields_that_differ(shelter: Shelter) -> None:
    import_file(shelter, THREE)
    later = TODAY.replace(month=9)
    result = import_file(shelter, THREE.replace("Siamese", "Persian"), now=later)
    assert count_rows(result) == (3, 0, 1, 2, 0)
    assert [(a["breed_primary"], a["updated_at"]) for a in stored_animals(shelter)] == [
        ("Beagle", TODAY),
        ("Persian", later),
        ("Pug", TODAY),
    ]


def test_animals_missing_from_the_file_are_not_deleted(shelter: Shelter) -> None:
    import_file(shelter, THREE)
    import_file(shelter, "code,name,species\nA9,New,Dog\n")
    assert [animal["code"] for animal in stored_animals(shelter)] == ["A1", "A2", "A3", "A9"]


def test_the_same_code_in_another_project_is_another_animal(shelter: Shelter, neighbour: Shelter) -> None:
    import_file(shelter, THREE)
    import_file(neighbour, THREE.replace("Rex", "Max"))
    assert stored_animals(shelter)[0]["name"] == "Rex"
    assert stored_animals(neighbour)[0]["name"] == "Max"


def test_a_blank_cell_clears_a_value_only_with_clear_blanks(shelter: Shelter) -> None:
    import_file(shelter, "code,name,species,breed,fee,description\nA1,Rex,Dog,Beagle,90,Good\n")
    before, blanks = only_animal(shelter), "code,breed,description,size\nA1,,,\n"
    for dry_run in (True, False):
        result = import_file(shelter, blanks, dry_run=dry_run)
        assert (count_rows(result), result.blanks, only_animal(shelter)) == ((1, 0, 0, 1, 0), 2, before)
    result = import_file(shelter, blanks, clear_blanks=True)
    assert (count_rows(result), result.blanks) == ((1, 0, 1, 0, 0), 2)
    animal = only_animal(shelter)
    assert (animal["breed_primary"], animal["description"], animal["fee_cents"]) == (None, "", 9000)


def test_a_blank_name_or_status_keeps_the_stored_value(shelter: Shelter) -> None:
    import_file(shelter, "code,name,species,status\nA1,Rex,Dog,pending\n")
    assert count_rows(import_file(shelter, "code,name,species,status\nA1,,Dog,\n")) == (1, 0, 0, 1, 0)
    assert (only_animal(shelter)["name"], only_animal(shelter)["status"]) == ("Rex", "pending")


def test_without_a_species_column_only_known_animals_are_imported(shelter: Shelter) -> None:
    import_file(shelter, THREE)
    for dry_run in (True, False):
        result = import_file(shelter, "code,fee\nA1,90\nA9,80\n", dry_run=dry_run)
        assert count_rows(result) == (2, 0, 1, 0, 1)
        assert [(note.row, note.column) for note in result.refused] == [(3, None)]


def test_a_row_with_neither_code_nor_species_is_rejected(shelter: Shelter) -> None:
    import_file(shelter, THREE)
    result = import_file(shelter, "code,name,fee\nA1,Rex,90\n,Bo,80\n")
    assert count_rows(result) == (2, 0, 1, 0, 1)
    assert "this new animal has no species" in result.refused[0].reason


def test_a_dry_run_reports_the_same_and_writes_nothing(shelter: Shelter) -> None:
    import_file(shelter, THREE)
    file = "code,name,species,born,size\nA1,Max,Dog,,M\nA8,Xi,,,\n"
    file += "A9,Yo,Emu,31/02/2020,\nB1,Zed,Emu,2020-01-31,odd\n"
    before = stored_animals(shelter)
    dry = import_file(shelter, file, dry_run=True).as_json()
    assert stored_animals(shelter) == before
    real = import_file(shelter, file).as_json()
    assert (dry.pop("dry_run"), real.pop("dry_run")) == (True, False)
    assert dry == real


STAYS = "sheltercode,animalname,speciesname,movementdate,movementtype,returndate\n"


@pytest.mark.parametrize("newest_first", [True, False])
def test_duplicate_rows_of_an_animal_are_merged_with_the_values_of_the_newest_stay(
    shelter: Shelter, newest_first: bool
) -> None:
    rows = [
        "D1,Rex,Dog,2024-01-02,Foster,2024-01-20\n",
        "D1,Rex,Dog,2024-02-02,Adoption,2024-02-20\n",
        "D1,Rex,Dog,2024-03-02,Adoption,\n",
    ]
    file = STAYS + "".join(reversed(rows) if newest_first else rows)
    first = import_file(shelter, file)
    assert (first.rows, first.created, first.updated + first.unchanged) == (3, 1, 2)
    assert only_animal(shelter)["status"] == "sold"
    assert count_rows(import_file(shelter, file)) == (3, 0, 0, 3, 0)


def test_a_repeated_row_is_unchanged(shelter: Shelter) -> None:
    file = "code,name,species\nA1,Rex,Dog\nA1,Rex,Dog\n"
    assert count_rows(import_file(shelter, file)) == (2, 1, 0, 1, 0)


def test_an_older_invalid_stay_does_not_reject_the_newest(shelter: Shelter) -> None:
    file = STAYS + "D1,Rex,,2024-01-02,Foster,\nD1,Rex,Dog,2024-02-02,Adoption,\n"
    assert count_rows(import_file(shelter, file)) == (2, 1, 0, 0, 1)


def test_stays_are_ordered_by_date_and_time_columns(shelter: Shelter) -> None:
    header = "Animal_Id,Animal_Type,Intake_Date,Intake_Time,Outcome_Type,Outcome_Date,Outcome_Time\n"
    rows = "A1,DOG,11/23/2024,16:21:00,ADOPTION,11/23/2024,17:00:00\n"
    rows += "A1,DOG,11/23/2024,9:21:00,TRANSFER,11/23/2024,9:40:00\n"
    import_file(shelter, header + rows)
    assert (only_animal(shelter)["status"], only_animal(shelter)["listed"]) == ("sold", True)


def test_an_adoptable_record_takes_precedence_over_a_found_record(shelter: Shelter) -> None:
    header = "impound_no,Animal_ID,Record_Type,Animal_Name,animal_type,Date,Date_Type\n"
    row = "K1,A1,{},Bo,Cat,04/19/2017,Received on\n"
    import_file(shelter, header + row.format("ADOPTABLE") + row.format("FOUND"))
    assert only_animal(shelter)["listed"] is True


# Animals without a code

KITTENS = "name,species,born,sex\nKitty,Cat,2024-04-01,F\nKitty,Cat,2024-04-01,M\nTom,Cat,,M\n"


def test_animals_without_a_code_are_matched_again(shelter: Shelter) -> None:
    assert count_rows(import_file(shelter, KITTENS)) == (3, 3, 0, 0, 0)
    assert count_rows(import_file(shelter, KITTENS)) == (3, 0, 0, 3, 0)
    assert [animal["sex"] for animal in stored_animals(shelter)] == ["female", "male", "male"]


def test_two_identical_rows_without_a_code_are_two_animals(shelter: Shelter) -> None:
    import_file(shelter, "name,species\nKitty,Cat\n")
    assert count_rows(import_file(shelter, "name,species\nKitty,Cat\nKitty,Cat\n")) == (2, 1, 0, 1, 0)


def test_a_different_birth_date_is_a_different_animal(shelter: Shelter) -> None:
    import_file(shelter, KITTENS)
    import_file(shelter, "name,species,born\nTom,Cat,2019-01-31\n")
    assert len(stored_animals(shelter)) == 4


def test_a_row_without_a_birth_date_matches_no_animal_of_a_different_row(shelter: Shelter) -> None:
    file = "name,species,born,breed\nTom,Cat,2020-01-31,Siamese\nTom,Cat,,Persian\n"
    for _ in range(2):
        import_file(shelter, file)
        assert [a["breed_primary"] for a in stored_animals(shelter)] == ["Siamese", "Persian"]


def test_an_animal_with_a_code_matches_no_row_without_a_code(shelter: Shelter) -> None:
    import_file(shelter, THREE)
    import_file(shelter, "name,species\nRex,Dog\n")
    assert [animal["code"] for animal in stored_animals(shelter)] == ["A1", "A2", "A3", None]


# One code, two animals

REX, TOM = "A1,Rex,Dog,2020-01-01\n", "A1,Tom,Cat,2021-01-01\n"
NAMES = "code,name,species,born\n"


def test_a_code_for_two_animals_in_a_file_is_a_question(shelter: Shelter) -> None:
    file = NAMES + REX + "A2,Bo,Dog,2022-01-01\n" + TOM
    for dry_run in (True, False, False):
        result = import_file(shelter, file, dry_run=dry_run)
        assert [(note.row, note.column, note.value) for note in result.refused] == [(4, "code", "A1")]
        assert "Rex (Dog, born 2020-01-01), in row 2" in result.refused[0].reason
    assert [each["name"] for each in stored_animals(shelter)] == ["Rex", "Bo"]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("stored", "row", "is_asked"),
    [
        (REX, TOM, True),
        (REX, "A1,Rex,Cat,2020-01-01\n", True),
        (REX, "A1,Max,Dog,2021-01-01\n", True),
        (REX, "A1,Max,Dog,2020-01-01\n", False),  # renamed
        (REX, "A1,Rex,Dog,2021-01-01\n", False),  # a corrected birth date
        (REX, "A1,Max,Dog,\n", False),
        (REX, "A1,REX ,Dog,2021-01-01\n", False),
        ("A1,Rex,Wombat,2020-01-01\n", REX, False),  # "Other" also stands for an unknown species
        ("A1,Rex,Wombat,2020-01-01\n", "A1,Max,Dog,2020-01-01\n", True),
        ("A1,,Dog,2020-01-01\n", "A1,Rex,Dog,2021-01-01\n", False),  # the animal's name was its code
    ],
)
def test_a_code_of_a_different_stored_animal_is_a_question(
    shelter: Shelter, stored: str, row: str, is_asked: bool
) -> None:
    import_file(shelter, NAMES + stored)
    before = stored_animals(shelter)
    result = import_file(shelter, NAMES + row)
    assert len(result.refused) == len(result.clashes) == is_asked
    assert (stored_animals(shelter) == before) == is_asked


def test_the_second_animal_of_a_duplicate_code_gets_a_new_code(shelter: Shelter) -> None:
    file = NAMES + REX + TOM + "A1,Ida,Rabbit,\nA1-2,Bo,Dog,\n" + TOM
    dry = import_file(shelter, file, clash="new", dry_run=True)
    first = import_file(shelter, file, clash="new")
    assert count_rows(first) == count_rows(dry) == (5, 4, 0, 1, 0)
    found = [(each["code"], each["name"]) for each in stored_animals(shelter)]
    assert found == [("A1", "Rex"), ("A1-3", "Ida"), ("A1-2", "Bo"), ("A1-4", "Tom")]
    before = stored_animals(shelter)
    assert count_rows(import_file(shelter, file, clash="new")) == (5, 0, 0, 5, 0)
    assert stored_animals(shelter) == before


def test_two_names_of_one_code_are_merged_on_request(shelter: Shelter) -> None:
    file = NAMES + REX + TOM
    assert count_rows(import_file(shelter, file, clashes={"A1": "same"})) == (2, 1, 1, 0, 0)
    assert only_animal(shelter)["name"] == "Tom"


# Changes by staff


def set_hold(code: str, hold: str) -> None:
    with transaction() as session:
        animal = session.query(Animal).filter_by(code=code).one()
        animal.listed = False
        animal.care = CareRecord(**{hold: True})


def test_an_import_ends_no_hold_or_quarantine(shelter: Shelter) -> None:
    file = "code,name,species,status\nA1,Rex,Dog,available\n"
    import_file(shelter, file)
    for hold, column in (("on_hold", "onhold"), ("in_quarantine", "inquarantine")):
        set_hold("A1", hold)
        for again in (file, f"code,name,species,status,{column}\nA1,Rex,Dog,available,no\n"):
            result = import_file(shelter, again)
            assert [(note.row, "so it stays hidden" in note.reason) for note in result.warnings] == [
                (2, True)
            ]
            assert (only_animal(shelter)["listed"], only_animal(shelter)[hold]) == (False, True)


def test_a_file_without_visibility_shows_no_hidden_animal(shelter: Shelter) -> None:
    import_file(shelter, THREE)
    with transaction() as session:
        session.execute(update(Animal).values(listed=False))
    import_file(shelter, THREE.replace("Pug", "Boxer"))
    assert [animal["listed"] for animal in stored_animals(shelter)] == [False, False, False]


def test_an_age_does_not_replace_a_birth_date_entered_by_staff(shelter: Shelter) -> None:
    import_file(shelter, "code,name,species,born\nA1,Rex,Dog,2020-01-31\n")
    import_file(shelter, "code,name,species,age\nA1,Rex,Dog,9 years\n")
    assert only_animal(shelter)["birth_date"] == date(2020, 1, 31)


# Large files, and interrupted imports

CHUNK = 25


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importer, "CHUNK", CHUNK)


def many_rows(count: int) -> str:
    return make_csv(["code", "name", "species"], *([f"A{n}", f"Rex {n}", "Dog"] for n in range(count)))


class Interrupted(Exception):
    pass


@pytest.mark.usefixtures("small_chunks")
def test_an_interrupted_import_is_completed_by_running_it_again(shelter: Shelter) -> None:
    file = many_rows(2 * CHUNK + 10)

    def stop(done: int, _all: int) -> None:
        if done > 1:
            raise Interrupted

    with pytest.raises(Interrupted):
        import_file(shelter, file, progress=stop)
    assert len(stored_animals(shelter)) == CHUNK
    again = import_file(shelter, file)
    assert (again.created, again.unchanged) == (CHUNK + 10, CHUNK)


@pytest.mark.usefixtures("small_chunks")
def test_progress_goes_up_to_all_rows(shelter: Shelter) -> None:
    found: list[tuple[int, int]] = []
    import_file(shelter, many_rows(CHUNK + 1), progress=lambda done, every: found.append((done, every)))
    assert found[0] == (0, CHUNK + 1)
    assert found == sorted(found)
    assert found[-1] == (CHUNK + 1, CHUNK + 1)


@pytest.mark.usefixtures("small_chunks")
def test_duplicate_rows_may_be_far_apart(shelter: Shelter) -> None:
    rows = [["D1", "Rex", "Dog", "2024-01-02", "Foster", ""]]
    rows += [[f"E{n}", "Bo", "Dog", "2024-01-02", "Foster", ""] for n in range(2 * CHUNK)]
    rows += [["D1", "Rex", "Dog", "2024-02-02", "Adoption", ""]]
    file = STAYS + make_csv(*rows)
    result = import_file(shelter, file)
    assert (result.created, result.updated) == (2 * CHUNK + 1, 1)
    assert {a["status"] for a in stored_animals(shelter) if a["code"] == "D1"} == {"sold"}
    assert import_file(shelter, file).unchanged == result.rows


def test_an_unknown_project_or_option_is_rejected(shelter: Shelter) -> None:
    with pytest.raises(NotFound):
        importer.import_animals("nowhere", file=None)  # type: ignore[arg-type]
    with pytest.raises(Invalid):
        import_file(shelter, THREE, category="Unicorn")


def test_a_change_of_only_private_columns_is_imported(shelter: Shelter) -> None:
    def chip(number: str) -> dict[str, Any]:
        import_file(shelter, f"code,species,microchip\nA1,Dog,{number}\n", clear_blanks=True)
        return only_animal(shelter)

    assert chip("")["animal_id"] is None
    assert chip("985")["microchip"] == "985"
    assert chip("986")["microchip"] == "986"
    assert chip("")["microchip"] is None


def test_an_import_restores_no_removed_animal(shelter: Shelter) -> None:
    file = "code,name,species,status\nA1,Rex,Dog,available\n"
    import_file(shelter, file)
    remove_animals(shelter.project_id, [only_animal(shelter)["id"]])
    result = import_file(shelter, file)
    assert [(note.row, "was removed here" in note.reason) for note in result.warnings] == [(2, True)]
    assert only_animal(shelter)["listed"] is False
    assert count_rows(import_file(shelter, file)) == count_rows(result)
