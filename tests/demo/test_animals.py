"""The demo's made-up animals and shelters are believable."""

import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.models import Animal, Bond, CareRecord
from adoption.animals.photo_models import Photo
from adoption.animals.photo_variants import photo_file_names
from adoption.orders.models import Order
from adoption.projects.models import Deploy, Project
from demo.loader import load_demo
from demo.photographed_animals import PHOTOGRAPHED_ANIMALS, PICTURES
from tests.demo.test_loader import DAY, empty, everything, rows

pytestmark = pytest.mark.settings("embedded")


def test_another_seed_loads_other_animals(app: APIFlask) -> None:
    load_demo(50, today=DAY, seed=1)
    once = everything()["animals"]
    empty()
    load_demo(50, today=DAY, seed=2)
    assert everything()["animals"] != once


def test_every_project_is_published_with_contact_details(app: APIFlask) -> None:
    load_demo(today=DAY)
    published = {deploy.project_id: deploy.number for deploy in rows(Deploy) if deploy.succeeded}
    for project in rows(Project):
        assert project.live_deploy == published[project.id] == 1
        assert project.place
        assert project.about
        assert project.contact_email.endswith(".example.org")
        assert project.contact_phone.startswith("555-01")


@pytest.mark.parametrize("seed", range(4))
def test_the_animals_have_all_categories_and_no_others(app: APIFlask, seed: int) -> None:
    load_demo(today=DAY, seed=seed)
    assert {animal.category_id for animal in rows(Animal)} == set(CATEGORIES)


def test_birth_arrival_and_creation_dates_are_in_order(app: APIFlask) -> None:
    load_demo(1000, today=DAY)
    now = datetime(2026, 11, 28, tzinfo=UTC)
    for animal in rows(Animal):
        assert animal.arrival_date < DAY
        assert animal.birth_date is None or animal.birth_date <= animal.arrival_date
        assert animal.created_at <= animal.updated_at <= now


def test_animals_on_hold_or_in_quarantine_are_not_listed(app: APIFlask) -> None:
    load_demo(1000, today=DAY)
    listed = {animal.id: animal.listed for animal in rows(Animal)}
    for care in rows(CareRecord):
        assert listed[care.animal_id] != (care.on_hold or care.in_quarantine)
    assert 20 < list(listed.values()).count(False) < 150


def test_order_statuses_agree_with_the_status_of_their_animal(app: APIFlask) -> None:
    load_demo(1000, today=DAY)
    status = {animal.id: animal.status for animal in rows(Animal)}
    decided = {"sold": ["completed"], "pending": ["approved"], "available": []}
    orders: dict[int, list[str]] = {animal_id: [] for animal_id in status}
    for order in rows(Order):
        orders[order.animal_id].append(order.status)
    for animal_id, of_it in orders.items():
        assert [each for each in of_it if each in ("completed", "approved")] == decided[status[animal_id]]
        assert not (status[animal_id] == "sold" and "placed" in of_it)
    assert len({each for of_it in orders.values() for each in of_it}) == 5


def test_bonded_animals_share_shelter_and_status(app: APIFlask) -> None:
    load_demo(1000, today=DAY)
    pairs: dict[int, list[Any]] = {bond.id: [] for bond in rows(Bond)}
    for animal in rows(Animal):
        if animal.bond_id is not None:
            pairs[animal.bond_id].append(animal)
    assert len(pairs) > 5
    for one, other in pairs.values():
        assert (one.project_id, one.status, one.category_id) == (
            other.project_id,
            other.status,
            other.category_id,
        )
        assert other.name in one.description


def test_animal_ids_alternate_between_projects(app: APIFlask) -> None:
    load_demo(1000, 10, today=DAY)
    owners = [animal.project_id for animal in rows(Animal)]
    changes = sum(one != other for one, other in pairwise(owners))
    assert changes > 500


def test_descriptions_are_unique_and_have_no_unfilled_placeholders(app: APIFlask) -> None:
    load_demo(today=DAY)
    texts = [animal.description for animal in rows(Animal)]
    assert len(set(texts)) == 240
    assert not any("{" in text or "None" in text or "  " in text for text in texts)


def test_microchips_are_test_transponders(app: APIFlask) -> None:
    load_demo(today=DAY)
    chips = [care.microchip for care in rows(CareRecord) if care.microchip]
    assert len(chips) > 100
    assert all(len(chip) == 15 and chip.startswith("999") for chip in chips)


def shown(client: FlaskClient) -> list[str]:
    """Return the alt texts of the first cards of the catalogue."""
    return re.findall(r'<img src="[^"]*" alt="([^"]*)"', client.get("/").text)


@pytest.mark.parametrize("seed", range(3))
def test_the_catalogue_begins_with_photos(client: FlaskClient, seed: int) -> None:
    load_demo(today=DAY, seed=seed)
    first = shown(client)
    assert len(first) > len(PHOTOGRAPHED_ANIMALS)
    assert [subject.alt for subject in PHOTOGRAPHED_ANIMALS] == first[: len(PHOTOGRAPHED_ANIMALS)]
    assert all(text.startswith("No photo of") for text in first[len(PHOTOGRAPHED_ANIMALS) :])


def test_visitors_find_animals_near_a_zip_code(client: FlaskClient) -> None:
    load_demo(today=DAY)
    page = client.get("/?near=07055&within=25mi").text
    shelters = set(re.findall("(City of Caldermouth|Riverside Animal Rescue)[^<]*, ", page))
    assert shelters == {"City of Caldermouth"}, "the cards name only the shelter nearby"


def test_each_photo_is_of_the_animal_that_it_shows(client: FlaskClient) -> None:
    load_demo(today=DAY)
    animals = {animal.id: animal for animal in rows(Animal)}
    photos = {animals[photo.animal_id].name: photo for photo in rows(Photo)}
    assert set(photos) == {subject.name for subject in PHOTOGRAPHED_ANIMALS}
    for subject in PHOTOGRAPHED_ANIMALS:
        photo = photos[subject.name]
        animal = animals[photo.animal_id]
        assert (animal.category_id, animal.breed_primary) == (subject.category_id, subject.breed)
        assert (animal.status, animal.listed, animal.breed_mixed) == ("available", True, False)
        assert subject.name in photo.alt
        for name in photo_file_names(photo.digest, photo.width):
            assert client.get(f"/media/{name}").status_code == 200


def test_the_photographed_animals_are_spread_over_the_shelters(app: APIFlask) -> None:
    load_demo(today=DAY)
    projects = {animal.id: animal.project_id for animal in rows(Animal)}
    assert len({projects[photo.animal_id] for photo in rows(Photo)}) > 2


def test_every_photo_has_its_credit_in_the_licence_file() -> None:
    told = (PICTURES / "LICENCES.md").read_text()
    for file in PICTURES.glob("*.webp"):
        assert f"`{file.name}`" in told
    assert {file.name for file in PICTURES.glob("*.webp")} == {
        subject.file for subject in PHOTOGRAPHED_ANIMALS
    }
