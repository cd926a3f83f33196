"""Idempotency-Key on createPet."""

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.animals.models import Animal
from tests import cast
from tests.api.conftest import client_of
from tests.api.second_keys import second_key, second_project
from tests.factories import count_animals

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
BISCUIT = '{"name": "Biscuit", "categoryId": 1}'


def create_pet(shelter: cast.Shelter, body: str = BISCUIT, key: str = "once") -> TestResponse:
    return shelter.post(
        "/v1/pets", data=body, content_type="application/json", headers={"Idempotency-Key": key}
    )


def test_a_repeated_request_gets_the_first_response(shelter: cast.Shelter) -> None:
    first = create_pet(shelter)
    again = [create_pet(shelter) for _ in range(3)]
    assert first.status_code == 201
    assert "Idempotent-Replayed" not in first.headers
    for answer in again:
        assert (answer.status_code, answer.data) == (201, first.data)
        assert answer.headers["Location"] == first.headers["Location"]
        assert answer.headers["Idempotent-Replayed"] == "true"
    assert count_animals() == 1


@pytest.mark.parametrize(
    "body",
    [
        '{"categoryId":1,"name":"Biscuit"}',
        '\n{ "name" :\t"Biscuit", "categoryId": 1 }\n',
        '{"name": "\\u0042iscuit", "categoryId": 1}',
    ],
)
def test_equal_json_written_differently_is_the_same_request(shelter: cast.Shelter, body: str) -> None:
    first = create_pet(shelter)
    assert create_pet(shelter, body).data == first.data
    assert count_animals() == 1


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "Biscuits", "categoryId": 1}',
        '{"name": "Biscuit", "categoryId": 2}',
        '{"name": "Biscuit", "categoryId": 1, "status": "sold"}',
    ],
)
def test_another_body_with_the_same_idempotency_key_is_a_conflict(shelter: cast.Shelter, body: str) -> None:
    first = create_pet(shelter)
    refused = create_pet(shelter, body)
    assert (refused.status_code, refused.json["code"]) == (409, "idempotency_conflict")
    assert count_animals() == 1
    assert create_pet(shelter).data == first.data


def test_another_idempotency_key_adds_another_animal(shelter: cast.Shelter) -> None:
    ids = {create_pet(shelter, key=key).json["id"] for key in ("once", "Once", "twice", "o")}
    assert len(ids) == 4


def test_without_an_idempotency_key_each_request_adds_an_animal(shelter: cast.Shelter) -> None:
    assert shelter.add() != shelter.add()


def test_an_idempotency_key_belongs_to_a_project(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    ids = {create_pet(each).json["id"] for each in (shelter, neighbour, second_project(client, shelter))}
    assert len(ids) == 3
    assert create_pet(second_key(shelter)).headers["Idempotent-Replayed"] == "true"


def test_an_idempotency_key_is_kept_for_24_hours(shelter: cast.Shelter) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        first = create_pet(shelter).json["id"]
        clock.move_to(NOW + timedelta(hours=24, seconds=-1))
        assert create_pet(shelter).json["id"] == first
        assert create_pet(shelter, BISCUIT.replace("1", "2")).status_code == 409
        clock.move_to(NOW + timedelta(hours=24))
        second = create_pet(shelter, BISCUIT.replace("1", "2"))
        assert second.status_code == 201
        assert second.json["id"] != first
        assert "Idempotent-Replayed" not in second.headers
        clock.shift(timedelta(hours=23))
        assert create_pet(shelter, BISCUIT.replace("1", "2")).data == second.data
    assert count_animals() == 2


def test_the_first_response_is_repeated_after_the_animal_changed(shelter: cast.Shelter) -> None:
    from sqlalchemy import delete

    from adoption.storage.database import transaction

    first = create_pet(shelter)
    with transaction() as session:
        session.execute(delete(Animal))
    assert create_pet(shelter).data == first.data
    assert count_animals() == 0


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "tab\there", "\x7f", "é", "\u00a0", " lead"])
def test_an_idempotency_key_needs_1_to_255_visible_characters(shelter: cast.Shelter, key: str) -> None:
    headers = {"Authorization": f"Bearer {shelter.key}"}
    answer = shelter.client.post(
        "/v1/pets",
        data=BISCUIT,
        content_type="application/json",
        headers=headers,
        environ_overrides={"HTTP_IDEMPOTENCY_KEY": key},
    )
    assert answer.status_code == 400
    assert "Idempotency-Key" in answer.json["message"]
    assert count_animals() == 0


@pytest.mark.parametrize(
    "key", ["x", "x" * 255, "!~", "'; DROP TABLE idempotency_keys; --".replace(" ", "_")]
)
def test_an_idempotency_key_may_have_any_visible_characters(shelter: cast.Shelter, key: str) -> None:
    assert create_pet(shelter, key=key).data == create_pet(shelter, key=key).data
    assert count_animals() == 1


def test_a_failed_request_is_not_kept(shelter: cast.Shelter) -> None:
    for body in ('{"name": "", "categoryId": 1}', "[]", "{", '{"name": "A"}'):
        assert create_pet(shelter, body).status_code == 400
    assert create_pet(shelter).status_code == 201
    assert count_animals() == 1


@pytest.mark.parametrize("round_", range(3))
def test_two_parallel_requests_create_one_animal(app: APIFlask, shelter: cast.Shelter, round_: int) -> None:
    together = threading.Barrier(6)
    answers: list[TestResponse] = []

    def ask() -> None:
        client = client_of(app)
        mine = cast.Shelter(client, shelter.account_id, shelter.project_id, shelter.slug, shelter.key)
        together.wait()
        answers.append(create_pet(mine))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [201] * 6
    assert len({answer.data for answer in answers}) == 1
    assert sorted(answer.headers.get("Idempotent-Replayed", "") for answer in answers) == ["", *["true"] * 5]
    assert count_animals() == 1


def test_two_parallel_requests_with_different_bodies_create_one_animal(
    app: APIFlask, shelter: cast.Shelter
) -> None:
    together = threading.Barrier(2)
    answers: list[TestResponse] = []

    def ask(body: dict[str, object]) -> None:
        client = client_of(app)
        mine = cast.Shelter(client, shelter.account_id, shelter.project_id, shelter.slug, shelter.key)
        together.wait()
        answers.append(create_pet(mine, json.dumps(body)))

    threads = [
        threading.Thread(target=ask, args=({"name": name, "categoryId": 1},)) for name in ("Abe", "Zoe")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert count_animals() == 1
