"""GET /v1/pets/{petId}, which is deprecated."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.accounts import plan_changes
from adoption.accounts.api_access import api_keys
from adoption.animals.models import Animal
from adoption.storage.database import reading
from tests import cast

SUNSET = datetime(2030, 12, 5, tzinfo=UTC)


def assert_deprecated(app: APIFlask, answer: TestResponse) -> None:
    assert answer.headers["Sunset"] == "Thu, 05 Dec 2030 00:00:00 GMT"
    deprecated = answer.headers["Deprecation"]
    assert deprecated.startswith("@")
    assert int(deprecated[1:]) < SUNSET.timestamp()
    successor = f'<{app.config["HOMEWARD"].base_url}/pets>; rel="successor-version"'
    assert answer.headers.getlist("Link") == [successor]


def test_an_animal_is_found_by_its_id(shelter: cast.Shelter) -> None:
    id_ = shelter.add("Biscuit", 2, status="sold")
    answer = shelter.get(f"/v1/pets/{id_}")
    assert answer.status_code == 200
    assert answer.json == {"id": id_, "name": "Biscuit", "categoryId": 2, "status": "sold"}


def test_an_id_may_have_leading_zeros(shelter: cast.Shelter) -> None:
    id_ = shelter.add()
    assert shelter.get(f"/v1/pets/00{id_}").json["id"] == id_


NO_IDS = [
    "0",
    "-1",
    "+1",
    "1.0",
    "1e0",
    "1_0",
    "%201",
    "1%20",
    "1%0A",
    "%00",
    "%D9%A1",
    "%EF%BC%91",
    "abc",
    "²",
]
HUGE = [str(2**63 - 1), str(2**63), str(2**64), "9" * 19, "9" * 20, "9" * 5000, "0" * 30 + "1"]


def test_an_invalid_id_is_404(app: APIFlask, shelter: cast.Shelter) -> None:
    shelter.add()
    for id_ in NO_IDS + HUGE:
        answer = shelter.get(f"/v1/pets/{id_}")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found"), id_
        assert_deprecated(app, answer)


def test_an_animal_of_another_account_is_404(shelter: cast.Shelter, neighbour: cast.Shelter) -> None:
    theirs, nobodys = shelter.get(f"/v1/pets/{neighbour.add()}"), shelter.get("/v1/pets/987654321")
    assert (theirs.status_code, theirs.data) == (404, nobodys.data)


def test_every_response_has_deprecation_headers(
    app: APIFlask, client: FlaskClient, shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/v1/pets/{shelter.add()}"
    good = shelter.get(address)
    _, writer = api_keys.create_key(shelter.slug, scopes=["pets:write"])
    answers = {
        200: good,
        304: shelter.get(address, headers={"If-None-Match": good.headers["ETag"]}),
        401: client.get(address),
        403: client.get(address, headers={"Authorization": f"Bearer {writer}"}),
        404: shelter.get("/v1/pets/0"),
    }
    with time_machine.travel(SUNSET):
        answers[410] = shelter.get(address)
    with monkeypatch.context() as patched:
        patched.setattr("api.pets.listed_animal", lambda *_: 1 / 0)
        answers[500] = shelter.get(address)
    plan_changes.set_plan(shelter.slug, "enterprise", 1, 1)
    answers[429] = shelter.get(address)
    for status, answer in answers.items():
        assert answer.status_code == status
        assert_deprecated(app, answer)


def test_head_has_deprecation_headers(app: APIFlask, shelter: cast.Shelter) -> None:
    answer = shelter.call("HEAD", f"/v1/pets/{shelter.add()}")
    assert (answer.status_code, answer.data) == (200, b"")
    assert_deprecated(app, answer)


@pytest.mark.parametrize(
    ("when", "status"),
    [
        (SUNSET - timedelta(seconds=1), 200),
        (SUNSET - timedelta(microseconds=1), 200),
        (SUNSET, 410),
        (SUNSET + timedelta(days=3650), 410),
    ],
)
def test_get_pet_is_410_after_the_sunset(shelter: cast.Shelter, when: datetime, status: int) -> None:
    id_ = shelter.add()
    with time_machine.travel(when, tick=False):
        answer = shelter.get(f"/v1/pets/{id_}")
        assert answer.status_code == status
        if status == 410:
            assert answer.json["code"] == "gone"
            assert shelter.get("/v1/pets/0").status_code == 410
            assert shelter.call("HEAD", f"/v1/pets/{id_}").status_code == 410


def test_get_pet_after_the_sunset_still_requires_a_key(client: FlaskClient, shelter: cast.Shelter) -> None:
    with time_machine.travel(SUNSET, tick=False):
        assert client.get("/v1/pets/1").status_code == 401


def test_other_operations_work_after_the_sunset(shelter: cast.Shelter) -> None:
    with time_machine.travel(SUNSET, tick=False):
        id_ = shelter.add()
        assert [pet["id"] for pet in shelter.get("/v1/pets?status=available").json] == [id_]


def test_no_other_operation_has_deprecation_headers(shelter: cast.Shelter) -> None:
    for address in ("/v1/pets", "/v1/categories", "/v1/nothing", "/v1/store/orders"):
        assert not {"Sunset", "Deprecation"} & set(shelter.get(address).headers.keys())


def test_reading_changes_nothing(shelter: cast.Shelter) -> None:
    id_ = shelter.add()
    with reading() as session:
        before = session.scalars(select(Animal.updated_at)).one()
    shelter.get(f"/v1/pets/{id_}")
    with reading() as session:
        assert session.scalars(select(Animal.updated_at)).one() == before
