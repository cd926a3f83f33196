"""What an import does to the animals that are there: once per animal, and again the same."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import update

from adoption.animals.models import Animal, CareRecord
from adoption.animals.spreadsheets import importer
from adoption.errors import Invalid, NotFound
from adoption.storage.database import transaction
from tests.adoption.animals.spreadsheet import TODAY, counts, csv_of, kept, only, take_in
from tests.cast import Shelter
from tests.factories import remove_animals

THREE = "code,name,species,breed\nA1,Rex,Dog,Beagle\nA2,Bo,Cat,Siamese\nA3,Al,Dog,Pug\n"


def test_the_same_file_again_changes_nothing(shelter: Shelter) -> None:
    assert counts(take_in(shelter, THREE)) == (3, 3, 0, 0, 0)
    before = kept(shelter)
    assert counts(take_in(shelter, THREE, now=TODAY.replace(month=9))) == (3, 0, 0, 3, 0)
    assert kept(shelter) == before


def test_a_known_code_is_an_update_of_what_differs(shelter: Shelter) -> None:
    take_in(shelter, THREE)
    later = TODAY.replace(month=9)
    result = take_in(shelter, THREE.replace("Siamese", "Persian"), now=later)
    assert counts(result) == (3, 0, 1, 2, 0)
    assert [(a["breed_primary"], a["updated_at"]) for a in kept(shelter)] == [
        ("Beagle", TODAY),
        ("Persian", later),
        ("Pug", TODAY),
    ]


def test_nothing_is_deleted_that_the_file_leaves_out(shelter: Shelter) -> None:
    take_in(shelter, THREE)
    take_in(shelter, "code,name,species\nA9,New,Dog\n")
    assert [animal["code"] for animal in kept(shelter)] == ["A1", "A2", "A3", "A9"]


def test_a_code_is_the_shelters_own(shelter: Shelter, neighbour: Shelter) -> None:
    take_in(shelter, THREE)
    take_in(neighbour, THREE.replace("Rex", "Max"))
    assert kept(shelter)[0]["name"] == "Rex"
    assert kept(neighbour)[0]["name"] == "Max"


def test_a_blank_cell_clears_a_value_only_if_the_user_says_so(shelter: Shelter) -> None:
    take_in(shelter, "code,name,species,breed,fee,description\nA1,Rex,Dog,Beagle,90,Good\n")
    before, blanks = only(shelter), "code,breed,description,size\nA1,,,\n"
    for dry_run in (True, False):
        result = take_in(shelter, blanks, dry_run=dry_run)
        assert (counts(result), result.blanks, only(shelter)) == ((1, 0, 0, 1, 0), 2, before)
    result = take_in(shelter, blanks, clear_blanks=True)
    assert (counts(result), result.blanks) == ((1, 0, 1, 0, 0), 2)
    animal = only(shelter)
    assert (animal["breed_primary"], animal["description"], animal["fee_cents"]) == (None, "", 9000)


def test_a_blank_name_or_status_wipes_none(shelter: Shelter) -> None:
    take_in(shelter, "code,name,species,status\nA1,Rex,Dog,pending\n")
    assert counts(take_in(shelter, "code,name,species,status\nA1,,Dog,\n")) == (1, 0, 0, 1, 0)
    assert (only(shelter)["name"], only(shelter)["status"]) == ("Rex", "pending")


def test_a_new_animal_of_a_file_without_species_is_refused_and_a_known_one_is_not(shelter: Shelter) -> None:
    take_in(shelter, THREE)
    for dry_run in (True, False):
        result = take_in(shelter, "code,fee\nA1,90\nA9,80\n", dry_run=dry_run)
        assert counts(result) == (2, 0, 1, 0, 1)
        assert [(note.row, note.column) for note in result.refused] == [(3, None)]


def test_a_row_with_neither_code_nor_species_is_refused(shelter: Shelter) -> None:
    take_in(shelter, THREE)
    result = take_in(shelter, "code,name,fee\nA1,Rex,90\n,Bo,80\n")
    assert counts(result) == (2, 0, 1, 0, 1)
    assert "this new animal has no species" in result.refused[0].reason


def test_a_dry_run_tells_the_same_and_writes_nothing(shelter: Shelter) -> None:
    take_in(shelter, THREE)
    file = "code,name,species,born,size\nA1,Max,Dog,,M\nA8,Xi,,,\n"
    file += "A9,Yo,Emu,31/02/2020,\nB1,Zed,Emu,2020-01-31,odd\n"
    before = kept(shelter)
    dry = take_in(shelter, file, dry_run=True).as_json()
    assert kept(shelter) == before
    real = take_in(shelter, file).as_json()
    assert (dry.pop("dry_run"), real.pop("dry_run")) == (True, False)
    assert dry == real


STAYS = "sheltercode,animalname,speciesname,movementdate,movementtype,returndate\n"


@pytest.mark.parametrize("newest_first", [True, False])
def test_rows_of_one_animal_are_merged_and_the_newest_stay_wins(shelter: Shelter, newest_first: bool) -> None:
    rows = [
        "D1,Rex,Dog,2024-01-02,Foster,2024-01-20\n",
        "D1,Rex,Dog,2024-02-02,Adoption,2024-02-20\n",
        "D1,Rex,Dog,2024-03-02,Adoption,\n",
    ]
    file = STAYS + "".join(reversed(rows) if newest_first else rows)
    first = take_in(shelter, file)
    assert (first.rows, first.created, first.updated + first.unchanged) == (3, 1, 2)
    assert only(shelter)["status"] == "sold"
    assert counts(take_in(shelter, file)) == (3, 0, 0, 3, 0)


def test_a_row_said_twice_is_unchanged(shelter: Shelter) -> None:
    file = "code,name,species\nA1,Rex,Dog\nA1,Rex,Dog\n"
    assert counts(take_in(shelter, file)) == (2, 1, 0, 1, 0)


def test_an_older_stay_is_no_reason_to_refuse_the_newest(shelter: Shelter) -> None:
    file = STAYS + "D1,Rex,,2024-01-02,Foster,\nD1,Rex,Dog,2024-02-02,Adoption,\n"
    assert counts(take_in(shelter, file)) == (2, 1, 0, 0, 1)


def test_date_and_time_in_pairs_order_the_stays(shelter: Shelter) -> None:
    header = "Animal_Id,Animal_Type,Intake_Date,Intake_Time,Outcome_Type,Outcome_Date,Outcome_Time\n"
    rows = "A1,DOG,11/23/2024,16:21:00,ADOPTION,11/23/2024,17:00:00\n"
    rows += "A1,DOG,11/23/2024,9:21:00,TRANSFER,11/23/2024,9:40:00\n"
    take_in(shelter, header + rows)
    assert (only(shelter)["status"], only(shelter)["listed"]) == ("sold", True)


def test_of_a_found_and_an_adoptable_record_the_adoptable_one_counts(shelter: Shelter) -> None:
    header = "impound_no,Animal_ID,Record_Type,Animal_Name,animal_type,Date,Date_Type\n"
    row = "K1,A1,{},Bo,Cat,04/19/2017,Received on\n"
    take_in(shelter, header + row.format("ADOPTABLE") + row.format("FOUND"))
    assert only(shelter)["listed"] is True


# Animals without a code

KITTENS = "name,species,born,sex\nKitty,Cat,2024-04-01,F\nKitty,Cat,2024-04-01,M\nTom,Cat,,M\n"


def test_animals_without_a_code_are_found_again(shelter: Shelter) -> None:
    assert counts(take_in(shelter, KITTENS)) == (3, 3, 0, 0, 0)
    assert counts(take_in(shelter, KITTENS)) == (3, 0, 0, 3, 0)
    assert [animal["sex"] for animal in kept(shelter)] == ["female", "male", "male"]


def test_two_that_nothing_tells_apart_are_two(shelter: Shelter) -> None:
    take_in(shelter, "name,species\nKitty,Cat\n")
    assert counts(take_in(shelter, "name,species\nKitty,Cat\nKitty,Cat\n")) == (2, 1, 0, 1, 0)


def test_another_birth_date_is_another_animal(shelter: Shelter) -> None:
    take_in(shelter, KITTENS)
    take_in(shelter, "name,species,born\nTom,Cat,2019-01-31\n")
    assert len(kept(shelter)) == 4


def test_a_row_without_a_birth_date_never_takes_an_animal_that_another_row_names(shelter: Shelter) -> None:
    file = "name,species,born,breed\nTom,Cat,2020-01-31,Siamese\nTom,Cat,,Persian\n"
    for _ in range(2):
        take_in(shelter, file)
        assert [a["breed_primary"] for a in kept(shelter)] == ["Siamese", "Persian"]


def test_an_animal_with_a_code_is_not_taken_for_one_without(shelter: Shelter) -> None:
    take_in(shelter, THREE)
    take_in(shelter, "name,species\nRex,Dog\n")
    assert [animal["code"] for animal in kept(shelter)] == ["A1", "A2", "A3", None]


# One code, two animals

REX, TOM = "A1,Rex,Dog,2020-01-01\n", "A1,Tom,Cat,2021-01-01\n"
NAMES = "code,name,species,born\n"


def test_a_code_of_two_animals_in_a_file_is_asked_about(shelter: Shelter) -> None:
    file = NAMES + REX + "A2,Bo,Dog,2022-01-01\n" + TOM
    for dry_run in (True, False, False):
        result = take_in(shelter, file, dry_run=dry_run)
        assert [(note.row, note.column, note.value) for note in result.refused] == [(4, "code", "A1")]
        assert "Rex (Dog, born 2020-01-01), in row 2" in result.refused[0].reason
    assert [each["name"] for each in kept(shelter)] == ["Rex", "Bo"]


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
        ("A1,Rex,Wombat,2020-01-01\n", REX, False),  # Other also stands for an unknown species
        ("A1,Rex,Wombat,2020-01-01\n", "A1,Max,Dog,2020-01-01\n", True),
        ("A1,,Dog,2020-01-01\n", "A1,Rex,Dog,2021-01-01\n", False),  # it had only its code for a name
    ],
)
def test_a_stored_animal_never_becomes_another_one(
    shelter: Shelter, stored: str, row: str, is_asked: bool
) -> None:
    take_in(shelter, NAMES + stored)
    before = kept(shelter)
    result = take_in(shelter, NAMES + row)
    assert len(result.refused) == len(result.clashes) == is_asked
    assert (kept(shelter) == before) == is_asked


def test_the_second_animal_of_a_code_gets_a_new_code_and_keeps_it(shelter: Shelter) -> None:
    file = NAMES + REX + TOM + "A1,Ida,Rabbit,\nA1-2,Bo,Dog,\n" + TOM
    dry = take_in(shelter, file, clash="new", dry_run=True)
    first = take_in(shelter, file, clash="new")
    assert counts(first) == counts(dry) == (5, 4, 0, 1, 0)
    told = [(each["code"], each["name"]) for each in kept(shelter)]
    assert told == [("A1", "Rex"), ("A1-3", "Ida"), ("A1-2", "Bo"), ("A1-4", "Tom")]
    before = kept(shelter)
    assert counts(take_in(shelter, file, clash="new")) == (5, 0, 0, 5, 0)
    assert kept(shelter) == before


def test_one_animal_of_two_names_is_merged_if_the_user_says_so(shelter: Shelter) -> None:
    file = NAMES + REX + TOM
    assert counts(take_in(shelter, file, clashes={"A1": "same"})) == (2, 1, 1, 0, 0)
    assert only(shelter)["name"] == "Tom"


# What the staff did meanwhile


def put_on_hold(code: str, hold: str) -> None:
    with transaction() as session:
        animal = session.query(Animal).filter_by(code=code).one()
        animal.listed = False
        animal.care = CareRecord(**{hold: True})


def test_no_import_ends_a_hold_or_a_quarantine(shelter: Shelter) -> None:
    file = "code,name,species,status\nA1,Rex,Dog,available\n"
    take_in(shelter, file)
    for hold, column in (("on_hold", "onhold"), ("in_quarantine", "inquarantine")):
        put_on_hold("A1", hold)
        for again in (file, f"code,name,species,status,{column}\nA1,Rex,Dog,available,no\n"):
            result = take_in(shelter, again)
            assert [(note.row, "so it stays hidden" in note.reason) for note in result.warnings] == [
                (2, True)
            ]
            assert (only(shelter)["listed"], only(shelter)[hold]) == (False, True)


def test_a_file_that_tells_nothing_of_it_lists_no_animal(shelter: Shelter) -> None:
    take_in(shelter, THREE)
    with transaction() as session:
        session.execute(update(Animal).values(listed=False))
    take_in(shelter, THREE.replace("Pug", "Boxer"))
    assert [animal["listed"] for animal in kept(shelter)] == [False, False, False]


def test_a_birth_date_given_by_the_staff_is_not_replaced_by_an_age(shelter: Shelter) -> None:
    take_in(shelter, "code,name,species,born\nA1,Rex,Dog,2020-01-31\n")
    take_in(shelter, "code,name,species,age\nA1,Rex,Dog,9 years\n")
    assert only(shelter)["birth_date"] == date(2020, 1, 31)


# Big files, and those that are cut short


def many(count: int) -> str:
    return csv_of(["code", "name", "species"], *([f"A{n}", f"Rex {n}", "Dog"] for n in range(count)))


class CutShort(Exception):
    pass


def test_an_import_that_was_cut_short_is_completed_by_running_it_again(shelter: Shelter) -> None:
    file = many(importer.CHUNK * 2 + 10)

    def stop(done: int, _all: int) -> None:
        if done > 1:
            raise CutShort

    with pytest.raises(CutShort):
        take_in(shelter, file, progress=stop)
    assert len(kept(shelter)) == importer.CHUNK
    again = take_in(shelter, file)
    assert (again.created, again.unchanged) == (importer.CHUNK + 10, importer.CHUNK)


def test_progress_goes_up_to_all_rows(shelter: Shelter) -> None:
    told: list[tuple[int, int]] = []
    take_in(shelter, many(importer.CHUNK + 1), progress=lambda done, every: told.append((done, every)))
    assert told[0] == (0, importer.CHUNK + 1)
    assert told == sorted(told)
    assert told[-1] == (importer.CHUNK + 1, importer.CHUNK + 1)


def test_rows_of_one_animal_may_be_far_apart(shelter: Shelter) -> None:
    rows = [["D1", "Rex", "Dog", "2024-01-02", "Foster", ""]]
    rows += [[f"E{n}", "Bo", "Dog", "2024-01-02", "Foster", ""] for n in range(importer.CHUNK * 2)]
    rows += [["D1", "Rex", "Dog", "2024-02-02", "Adoption", ""]]
    file = STAYS + csv_of(*rows)
    result = take_in(shelter, file)
    assert (result.created, result.updated) == (importer.CHUNK * 2 + 1, 1)
    assert {a["status"] for a in kept(shelter) if a["code"] == "D1"} == {"sold"}
    assert take_in(shelter, file).unchanged == result.rows


def test_what_is_asked_for_must_exist(shelter: Shelter) -> None:
    with pytest.raises(NotFound):
        importer.import_animals("nowhere", file=None)  # type: ignore[arg-type]
    with pytest.raises(Invalid):
        take_in(shelter, THREE, category="Unicorn")


def test_private_columns_are_changed_alone(shelter: Shelter) -> None:
    def chip(number: str) -> dict[str, Any]:
        take_in(shelter, f"code,species,microchip\nA1,Dog,{number}\n", clear_blanks=True)
        return only(shelter)

    assert chip("")["animal_id"] is None
    assert chip("985")["microchip"] == "985"
    assert chip("986")["microchip"] == "986"
    assert chip("")["microchip"] is None


def test_no_file_brings_back_an_animal_that_was_removed(shelter: Shelter) -> None:
    file = "code,name,species,status\nA1,Rex,Dog,available\n"
    take_in(shelter, file)
    remove_animals(shelter.project_id, [only(shelter)["id"]])
    result = take_in(shelter, file)
    assert [(note.row, "was removed here" in note.reason) for note in result.warnings] == [(2, True)]
    assert only(shelter)["listed"] is False
    assert counts(take_in(shelter, file)) == counts(result)
