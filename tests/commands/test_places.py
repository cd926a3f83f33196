"""``homeward places load``."""

import json
from pathlib import Path

import pytest
from apiflask import APIFlask
from click.testing import Result

from adoption.places.nearby_projects import near
from adoption.places.place_lookup import find_place
from tests import factories

NO_NAMES = "\t".join([""] * 6)


def line(code: str, lat: str = "55.9500", country: str = "GB") -> str:
    return f"{country}\t{code}\tEdinburgh\t{NO_NAMES}\t{lat}\t-3.1833\t4\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "GB.txt"
    path.write_text(line("EH1") + line("EH1", lat="55.96") + line("EH2 1aa"))
    return path


def load(app: APIFlask, *words: object) -> Result:
    return app.test_cli_runner().invoke(args=["places", "load", *map(str, words)])


def test_postal_codes_of_another_country_are_loaded(app: APIFlask, file: Path) -> None:
    with pytest.raises(ValueError, match="no postal code “EH1” in the country GB"):
        find_place("EH1", "GB")
    ran = load(app, file)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "2 added, 0 changed, 0 unchanged.\n", "")
    assert find_place("eh1", "gb") == (55.95, -3.1833, "EH1", False)
    assert find_place("eh21aa", "GB").label == "EH21AA"
    assert find_place("EH1 2BB", "GB") == (55.95, -3.1833, "EH1 2BB", True)


def test_loading_again_changes_nothing_and_an_update_changes_codes(app: APIFlask, file: Path) -> None:
    load(app, file)
    assert load(app, file).stdout == "0 added, 0 changed, 2 unchanged.\n"
    file.write_text(line("EH1", lat="55.94"))
    assert load(app, file).stdout == "0 added, 1 changed, 0 unchanged.\n"
    assert find_place("EH1", "GB").lat == 55.94
    assert find_place("EH2 1AA", "GB").lat == 55.95


@pytest.mark.settings("embedded")
def test_an_invalid_line_is_reported_by_its_number(app: APIFlask, file: Path) -> None:
    rows = [line("EH1"), "GB\tEH2\n", line("EH3", lat="91"), line("EH4", country="gb"), line(""), "\n"]
    file.write_bytes("".join(rows).encode() + line("EH5").encode("utf-16")[:-1])
    ran = load(app, file)
    assert (ran.exit_code, ran.stdout) == (0, "1 added, 0 changed, 0 unchanged.\n")
    assert ran.stderr.splitlines() == [
        "Line 2 has 2 columns separated by tabs instead of 12.",
        "Line 3 has no valid latitude in column 10.",
        "Line 4 has no country code of two capital letters in column 1.",
        "Line 5 has no postal code of up to 20 characters in column 2.",
        "Line 6 has 1 columns separated by tabs instead of 12.",
        "Line 7 is not UTF-8.",
    ]
    assert [each["number"] for each in json.loads(load(app, file, "--json").stdout)["invalid"]] == [
        2,
        3,
        4,
        5,
        6,
        7,
    ]


def test_published_shelters_get_the_place_of_a_loaded_code(app: APIFlask, file: Path) -> None:
    made = factories.project(postcode="EH2 1AA", country="GB")
    factories.project("Elm", owner="elm@example.org", postcode="EH1", country="GB", published=False)
    assert near(55.95, -3.1833, 5) == []
    load(app, file)
    assert [each.project_id for each in near(55.95, -3.1833, 5)] == [made.id]
