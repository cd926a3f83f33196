"""``homeward animals add-photo``."""

import json
from pathlib import Path

import pytest
from apiflask import APIFlask
from click.testing import Result
from flask.testing import FlaskClient

from tests.cast import Shelter
from tests.photographs import photo


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return an iPhone's photo with another file extension."""
    path = tmp_path / "IMG_0001.jpg"
    path.write_bytes(photo("HEIF", held=6))
    return path


def run(app: APIFlask, *words: object) -> Result:
    return app.test_cli_runner().invoke(args=["animals", "add-photo", *map(str, words)])


def test_an_added_photo_is_on_the_animals_page(
    client: FlaskClient, app: APIFlask, shelter: Shelter, file: Path
) -> None:
    animal = shelter.add("Biscuit")
    ran = run(app, shelter.slug, animal, file, "--alt", "Biscuit on the lawn", "--json")
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert found | {"photo": 0, "digest": ""} == {
        "photo": 0,
        "position": 0,
        "digest": "",
        "width": 288,
        "height": 216,
        "alt": "Biscuit on the lawn",
    }
    page = client.get(f"/animals/{animal}-biscuit").text
    assert f"/media/{found['digest']}-288.webp" in page
    assert "Biscuit on the lawn" in page


def test_the_output_has_the_number_of_the_added_photo(app: APIFlask, shelter: Shelter, file: Path) -> None:
    animal = shelter.add("Biscuit")
    ran = run(app, shelter.slug, animal, file)
    assert ran.stdout.strip().isdecimal()
    assert ran.stderr == f"Photo 1 of animal {animal}: 288 by 216 pixels.\n"


def test_a_duplicate_photo_keeps_its_alt_text(app: APIFlask, shelter: Shelter, file: Path) -> None:
    animal = shelter.add("Biscuit")
    for alt, note in (("", ""), ("On the lawn", ""), ("Asleep", "already, described as: On the lawn\n")):
        assert run(app, shelter.slug, animal, file, "--alt", alt).stderr.endswith(note or "pixels.\n")


@pytest.mark.parametrize("animal", ["2", "-5", str(10**30)])
def test_a_photo_for_an_unknown_animal_is_an_error(
    app: APIFlask, shelter: Shelter, file: Path, animal: str
) -> None:
    ran = run(app, shelter.slug, "--", animal, file)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr == "Error: There is no such animal in this project.\n"


def test_a_photo_for_an_unknown_project_is_an_error(app: APIFlask, shelter: Shelter, file: Path) -> None:
    ran = run(app, "nowhere", shelter.add(), file)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "There is no project called 'nowhere'." in ran.stderr


@pytest.mark.parametrize("content", [b"", b"<?php", photo()[:300]])
def test_a_file_that_is_no_photo_is_an_error(
    app: APIFlask, shelter: Shelter, file: Path, content: bytes
) -> None:
    file.write_bytes(content)
    ran = run(app, shelter.slug, shelter.add(), file)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.startswith("Error: Th")
    assert "hoose" in ran.stderr


def test_an_alt_text_that_is_too_long_is_an_error(app: APIFlask, shelter: Shelter, file: Path) -> None:
    ran = run(app, shelter.slug, shelter.add(), file, "--alt", "x" * 301)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "alt: must have 300 characters at most, not 301" in ran.stderr


def test_a_missing_photo_file_is_wrong_usage(app: APIFlask, shelter: Shelter, tmp_path: Path) -> None:
    assert run(app, shelter.slug, 1, tmp_path / "missing.jpg").exit_code == 2
