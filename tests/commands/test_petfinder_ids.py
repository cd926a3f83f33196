"""``homeward project petfinder-id``."""

import json

import pytest
from apiflask import APIFlask

from tests import factories

pytestmark = pytest.mark.settings("embedded")


def test_an_operator_moves_a_petfinder_id_to_another_shelter(app: APIFlask) -> None:
    factories.project("Elm Road", petfinder_id="NJ333", in_directory=False)
    factories.project("Harbour Cats")

    def run(*words: str) -> tuple[int, str]:
        ran = app.test_cli_runner().invoke(args=["project", "petfinder-id", *words])
        return ran.exit_code, ran.stderr.strip()

    command = "homeward project petfinder-id elm-road"
    taken = f"Error: elm-road has this id. Remove the id from elm-road first: {command}"
    assert run("harbour-cats", "nj333") == (1, taken)
    assert run("elm-road") == (0, "The Petfinder id of elm-road is removed.")
    assert run("harbour-cats", "nj333") == (0, "The Petfinder id of harbour-cats is NJ333.")
    assert run("harbour-cats", "nj333") == (0, "The Petfinder id of harbour-cats is NJ333.")
    code, error = run("elm-road", "N3")
    assert (code, error[:37]) == (1, "Error: Enter two letters and one to f")
    assert run("nowhere", "NJ1")[0] == 1
    listed = json.loads(app.test_cli_runner().invoke(args=["project", "list", "--json"]).stdout)
    assert [each["petfinder_id"] for each in listed] == [None, "NJ333"]
