"""``homeward animals import`` and ``export``."""

import json
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from click.testing import Result
from sqlalchemy import select

from adoption.imports.models import Import
from adoption.storage.database import reading
from tests.adoption.spreadsheets.sheets import stored_animals
from tests.cast import Shelter

FILE = (
    "sheltercode,animalname,speciesname,dateofbirth,returnedreason\n"
    "D1,Rex,Dog,2020-02-28,\nD2,Bo,,2020-02-28,\nD3,Possy,Opossum,,\n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "animals.csv"
    path.write_text(FILE)
    return path


def run(app: APIFlask, *words: object) -> Result:
    return app.test_cli_runner().invoke(args=["animals", *map(str, words)])


def test_json_has_counts_columns_rejected_rows_and_warnings(
    app: APIFlask, shelter: Shelter, file: Path
) -> None:
    ran = run(app, "import", shelter.slug, file, "--json")
    assert ran.exit_code == 0
    found = json.loads(ran.stdout)
    assert found == {
        "rows": 3,
        "created": 2,
        "updated": 0,
        "unchanged": 0,
        "dry_run": False,
        "import_id": found["import_id"],
        "blanks": 0,
        "blanks_cleared": False,
        "columns": {
            "sheltercode": "code",
            "animalname": "name",
            "speciesname": "category",
            "dateofbirth": "birth_date",
            "returnedreason": None,
        },
        "refused": [
            {
                "row": 3,
                "column": "speciesname",
                "value": "",
                "reason": "the species is blank. Write a species, such as Dog or Cat",
            }
        ],
        "warnings": [
            {"row": 4, "column": "speciesname", "value": "Opossum", "reason": found["warnings"][0]["reason"]}
        ],
        "notes": [],
    }
    assert ran.stderr == ""


def test_without_json_the_result_is_sentences(app: APIFlask, shelter: Shelter, file: Path) -> None:
    ran = run(app, "import", shelter.slug, file)
    lines = ran.stdout.splitlines()
    assert lines[0] == "3 rows: 2 created, 0 updated, 0 unchanged, 1 rejected."
    assert lines[2] == "Columns left out: returnedreason."
    assert 'Row 3, speciesname "": the species is blank. Write a species, such as Dog or Cat.' in lines


def test_adopted_animals_are_reported_as_not_listed(app: APIFlask, shelter: Shelter, tmp_path: Path) -> None:
    file = tmp_path / "outcomes.csv"
    file.write_text("code,name,species,outcome type\nA1,Rex,Dog,Transfer\nA2,Mia,Cat,Adoption\n")
    ran = run(app, "import", shelter.slug, file)
    assert ran.stdout.splitlines()[1].startswith("Hidden: 1, because they have left")


def test_a_dry_run_says_so_and_writes_nothing(app: APIFlask, shelter: Shelter, file: Path) -> None:
    ran = run(app, "import", shelter.slug, file, "--dry-run")
    assert "Nothing was written" in ran.stdout
    assert stored_animals(shelter) == []


def test_a_rejected_file_exits_1_with_advice(app: APIFlask, shelter: Shelter, file: Path) -> None:
    file.write_text("code,species,born\nA1,Dog,4/5/2020\n")
    ran = run(app, "import", shelter.slug, file, "--json")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert '"born"' in ran.stderr
    assert "--day-first or --month-first" in ran.stderr
    assert run(app, "import", shelter.slug, file, "--day-first").exit_code == 0


def test_an_import_is_listed_and_undone_by_its_id(app: APIFlask, shelter: Shelter, file: Path) -> None:
    found = json.loads(run(app, "import", shelter.slug, file, "--json").stdout)
    assert found["import_id"] > 0
    dry = json.loads(run(app, "undo-import", shelter.slug, found["import_id"], "--dry-run", "--json").stdout)
    assert (dry["deleted"], dry["dry_run"], len(stored_animals(shelter))) == (2, True, 2)
    ran = run(app, "undo-import", shelter.slug, found["import_id"])
    assert (ran.exit_code, ran.stdout) == (0, "2 new animals deleted.\n")
    assert stored_animals(shelter) == []
    again = run(app, "undo-import", shelter.slug, found["import_id"])
    assert (again.exit_code, "undone already" in again.stderr) == (1, True)
    assert (
        json.loads(run(app, "import", shelter.slug, file, "--dry-run", "--json").stdout)["import_id"] is None
    )
    file.write_text("code,name,species,born\nA1,Rex,Dog,4/5/2020\n")
    assert run(app, "import", shelter.slug, file).exit_code == 1, "nothing was saved, so nothing is listed"
    with reading() as session:
        assert session.scalars(select(Import.state)).all() == ["undone"]


FOREIGN = "Kod,Imię,Gatunek,Stan\n1,Burek,pies,wolny\n2,Mruczka,kotka,zajęty\n"
MAPPED = ["--map", "Kod=code", "--map", "Imię=name", "--map", "gatunek=category", "--map", "Stan=status"]
MEANT = ["--value", "Gatunek:pies=dog", "--value", "Gatunek:Kotka=Cat"]
MEANT += ["--value", "Stan:wolny=available", "--value", "Stan:zajęty=pending"]
MAP_FILE = {
    "columns": {"Kod": "code", "Imię": "name", "Gatunek": "Animal type", "Stan": "status"},
    "values": {
        "Gatunek": {"pies": "Dog", "kotka": "Cat"},
        "Stan": {"wolny": "available", "zajęty": "pending"},
    },
}


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("way", ["options", "file"])
def test_columns_and_values_in_any_language_are_mapped(
    app: APIFlask, shelter: Shelter, file: Path, tmp_path: Path, way: str
) -> None:
    file.write_text(FOREIGN)
    assert "Add --map COLUMN=name" in run(app, "import", shelter.slug, file).stderr
    (tmp_path / "map.json").write_text(json.dumps(MAP_FILE))
    flags = [*MAPPED, *MEANT] if way == "options" else ["--map-file", tmp_path / "map.json"]
    found = json.loads(run(app, "import", shelter.slug, file, *flags, "--json").stdout)
    assert (found["created"], found["refused"], found["warnings"]) == (2, [], [])
    assert [
        (each["name"], each["category"], each["status"], each["listed"]) for each in stored_animals(shelter)
    ] == [
        ("Burek", "Dog", "available", True),
        ("Mruczka", "Cat", "pending", True),
    ]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("flags", "exit_code", "sentence"),
    [
        (["--map", "Kod"], 2, "is not COLUMN=FIELD"),
        (["--value", "Kod=1"], 2, "is not COLUMN:VALUE=MEANING"),
        (["--map", "Kolor=colour"], 1, 'column "Kolor": is not in the file. Its columns are "Kod"'),
        (["--map", "Kod=colours of the rainbow"], 1, "The fields are code, name, species"),
        (
            [*MAPPED, "--value", "Stan:wolny=free"],
            1,
            '"free" is not a meaning. The meanings are available, pending',
        ),
        ([*MAPPED, "--value", "Kod:1=Dog"], 1, 'column "Kod": its values have no fixed set of meanings'),
    ],
)
def test_an_invalid_mapping_lists_the_possible_values(
    app: APIFlask, shelter: Shelter, file: Path, flags: list[str], exit_code: int, sentence: str
) -> None:
    file.write_text(FOREIGN)
    ran = run(app, "import", shelter.slug, file, *flags)
    assert ran.exit_code == exit_code
    assert sentence in " ".join(ran.stderr.split())


def test_a_blank_cell_clears_only_with_clear_blanks(app: APIFlask, shelter: Shelter, file: Path) -> None:
    file.write_text("code,name,species,breed\nA1,Rex,Dog,Beagle\n")
    run(app, "import", shelter.slug, file)
    file.write_text("code,name,species,breed\nA1,Rex,Dog,\n")
    ran = run(app, "import", shelter.slug, file)
    assert "The file has a blank cell for 1 stored value: kept. Clear with --clear-blanks." in ran.stdout
    assert stored_animals(shelter)[0]["breed_primary"] == "Beagle"
    found = json.loads(run(app, "import", shelter.slug, file, "--clear-blanks", "--json").stdout)
    assert (found["updated"], found["blanks"], found["blanks_cleared"]) == (1, 1, True)
    assert stored_animals(shelter)[0]["breed_primary"] is None


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("flags", "refused", "animals"),
    [
        ([], 1, [("A1", "Rex", "Dog")]),
        (["--same", "A1"], 0, [("A1", "Tom", "Cat")]),
        (["--new", "A1"], 0, [("A1", "Rex", "Dog"), ("A1-2", "Tom", "Cat")]),
        (["--clashes", "new", "--same", "A1"], 0, [("A1", "Tom", "Cat")]),
    ],
)
def test_a_code_of_two_animals_needs_an_option(
    app: APIFlask, shelter: Shelter, file: Path, flags: list[str], refused: int, animals: list[Any]
) -> None:
    file.write_text("code,name,species\nA1,Rex,Dog\n")
    run(app, "import", shelter.slug, file)
    file.write_text("code,name,species\nA1,Tom,Cat\n")
    ran = run(app, "import", shelter.slug, file, *flags)
    assert ("add --same CODE" in ran.stdout) == bool(refused)
    assert (
        len(json.loads(run(app, "import", shelter.slug, file, *flags, "--json").stdout)["refused"]) == refused
    )
    assert [(each["code"], each["name"], each["category"]) for each in stored_animals(shelter)] == animals


def test_a_file_of_one_species_is_imported_with_an_option(
    app: APIFlask, shelter: Shelter, file: Path
) -> None:
    file.write_text("name,breed\nRex,Beagle\n")
    assert run(app, "import", shelter.slug, file).exit_code == 1
    assert run(app, "import", shelter.slug, file, "--category", "dog").exit_code == 0
    assert stored_animals(shelter)[0]["category"] == "Dog"


@pytest.mark.parametrize("words", [["import", "x"], ["import", "x", "no-such-file.csv"], ["export"]])
def test_wrong_usage_exits_2(app: APIFlask, words: list[str]) -> None:
    assert run(app, *words).exit_code == 2


def test_an_unknown_category_is_wrong_usage(app: APIFlask, shelter: Shelter, file: Path) -> None:
    assert run(app, "import", shelter.slug, file, "--category", "Unicorn").exit_code == 2


@pytest.mark.parametrize("verb", ["import", "export"])
def test_an_unknown_project_exits_1(app: APIFlask, file: Path, verb: str) -> None:
    ran = run(app, verb, "nowhere", *([file] if verb == "import" else []))
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "nowhere" in ran.stderr


def test_an_export_is_csv_in_utf_8(app: APIFlask, shelter: Shelter, file: Path) -> None:
    file.write_text("code,name,species\nA1,Cariño,Dog\n")
    run(app, "import", shelter.slug, file)
    ran = run(app, "export", shelter.slug, "--format", "csv")
    assert (ran.exit_code, ran.stderr) == (0, "")
    header, row = ran.stdout_bytes.decode().split("\r\n")[:2]
    assert header.startswith("code,name,species,status")
    assert row.startswith("A1,Cariño,Dog,available")
    file.write_bytes(ran.stdout_bytes)
    assert json.loads(run(app, "import", shelter.slug, file, "--json").stdout)["unchanged"] == 1


@pytest.mark.settings("embedded")
def test_an_ambiguous_encoding_lists_its_candidates(app: APIFlask, shelter: Shelter, tmp_path: Path) -> None:
    file = tmp_path / "mac.csv"
    file.write_bytes("code,name,species\nA1,Zo\u00eb,Dog\n".encode("mac_roman"))
    ran = run(app, "import", shelter.slug, file)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "Add --encoding with the name before the sample that is spelled correctly." in ran.stderr
    assert "mac_roman: Zo\u00eb; cp850: Zo\u00e6" in ran.stderr
    assert run(app, "import", shelter.slug, file, "--encoding", "klingon").exit_code == 1
    assert run(app, "import", shelter.slug, file, "--encoding", "mac_roman").exit_code == 0
    assert [animal["name"] for animal in stored_animals(shelter)] == ["Zo\u00eb"]
