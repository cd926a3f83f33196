"""GET /v1/pets: query parameters, filters and visibility."""

from urllib.parse import urlsplit

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import delete, update

from adoption.animals.models import Animal
from adoption.storage.database import transaction
from tests import cast


def test_a_list_is_an_array_ordered_by_id(shelter: cast.Shelter) -> None:
    ids = [shelter.add(name, category) for name, category in [("Zoe", 2), ("Abe", 1), ("Mia", 10)]]
    answer = shelter.get("/v1/pets")
    assert answer.content_type == "application/json"
    assert answer.json == [
        {"id": ids[0], "name": "Zoe", "categoryId": 2, "status": "available"},
        {"id": ids[1], "name": "Abe", "categoryId": 1, "status": "available"},
        {"id": ids[2], "name": "Mia", "categoryId": 10, "status": "available"},
    ]
    assert ids == sorted(ids)


def test_a_list_without_animals_is_an_empty_array(shelter: cast.Shelter) -> None:
    answer = shelter.get("/v1/pets")
    assert (answer.status_code, answer.data) == (200, b"[]")
    assert "Link" not in answer.headers


@pytest.mark.parametrize("status", ["available", "pending", "sold"])
def test_a_list_is_filtered_by_status(shelter: cast.Shelter, status: str) -> None:
    ids = {each: shelter.add(each, status=each) for each in ("available", "pending", "sold")}
    assert [pet["id"] for pet in shelter.get(f"/v1/pets?status={status}").json] == [ids[status]]


def test_a_page_has_20_animals_by_default(shelter: cast.Shelter) -> None:
    for number in range(21):
        shelter.add(f"Animal {number}")
    assert len(shelter.get("/v1/pets").json) == 20
    assert len(shelter.get("/v1/pets?limit=1").json) == 1
    assert len(shelter.get("/v1/pets?limit=100").json) == 21


LIMITS = [
    "0",
    "101",
    "+5",
    "%2B5",
    "1_0",
    "5.0",
    "%205",
    "5%20",
    "-1",
    "%D9%A5",
    "%EF%BC%95",
    "",
    "1e1",
    "0x5",
]


def test_a_limit_other_than_1_to_100_is_rejected(shelter: cast.Shelter) -> None:
    shelter.add()
    for limit in [*LIMITS, "9" * 19, "9" * 5000, "5%00", "5%0A", "true", "five"]:
        answer = shelter.get(f"/v1/pets?limit={limit}")
        assert answer.status_code == 400, limit
        assert answer.json["message"].startswith("limit ")


def test_a_hidden_animal_is_not_listed(shelter: cast.Shelter) -> None:
    shown, hidden = shelter.add("Shown"), shelter.add("Hidden")
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == hidden).values(listed=False))
    assert [pet["id"] for pet in shelter.get("/v1/pets").json] == [shown]
    assert [pet["id"] for pet in shelter.get("/v1/pets?status=available").json] == [shown]
    assert shelter.get(f"/v1/pets/{hidden}").status_code == 404


def test_animals_of_another_account_are_not_listed(shelter: cast.Shelter, neighbour: cast.Shelter) -> None:
    ours = [shelter.add("Ours")]
    neighbour.add("Theirs")
    ours.append(shelter.add("Ours too"))
    assert [pet["id"] for pet in shelter.get("/v1/pets").json] == ours


def test_animals_of_another_project_are_not_listed(client: FlaskClient, shelter: cast.Shelter) -> None:
    from tests.api.second_keys import second_project

    other = second_project(client, shelter)
    theirs = other.add("Other site")
    assert shelter.get("/v1/pets").json == []
    assert shelter.get(f"/v1/pets/{theirs}").status_code == 404


def test_the_next_link_is_an_absolute_url(app: APIFlask, shelter: cast.Shelter) -> None:
    for number in range(3):
        shelter.add(f"Animal {number}")
    answer = shelter.get("/v1/pets?limit=1")
    link = answer.headers["Link"]
    assert link.startswith(f"<{app.config['HOMEWARD'].base_url}/pets?")
    assert link.endswith('>; rel="next"')


@pytest.mark.parametrize(
    "kept", ["", "limit=2&", "status=sold&", "limit=2&status=sold&", "status=sold&limit=02&"]
)
def test_the_next_link_keeps_the_callers_parameters(shelter: cast.Shelter, kept: str) -> None:
    for number in range(21):
        shelter.add(f"Animal {number}", status="sold")
    link = shelter.get(f"/v1/pets?{kept}").headers["Link"]
    query = urlsplit(link[1 : link.index(">")]).query
    assert query.startswith(f"{kept}cursor=")
    assert "&" not in query.removeprefix(kept)


def test_a_removed_animal_is_not_listed(shelter: cast.Shelter) -> None:
    kept, removed = shelter.add("Kept"), shelter.add("Removed")
    with transaction() as session:
        session.execute(delete(Animal).where(Animal.id == removed))
    assert [pet["id"] for pet in shelter.get("/v1/pets").json] == [kept]


def test_the_id_of_a_removed_animal_is_never_reused(shelter: cast.Shelter) -> None:
    removed = shelter.add("Removed")
    with transaction() as session:
        session.execute(delete(Animal).where(Animal.id == removed))
    assert shelter.add("New") > removed
