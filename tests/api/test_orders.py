"""GET /v1/store/orders."""

import re
from datetime import UTC, datetime, timedelta, timezone

from flask.testing import FlaskClient

from adoption.orders.models import Order
from adoption.storage.database import transaction
from tests import cast
from tests.api.second_keys import second_project

STATUSES = ("placed", "approved", "completed", "declined", "withdrawn")
PLACED = datetime(2026, 3, 1, 23, 30, 15, 999_999, tzinfo=timezone(timedelta(hours=-5)))


def place(shelter: cast.Shelter, animal_id: int, status: str = "placed") -> int:
    with transaction() as session:
        order = Order(
            project_id=shelter.project_id,
            animal_id=animal_id,
            status=status,
            created_at=PLACED,
            updated_at=PLACED + timedelta(days=1),
        )
        session.add(order)
        session.flush()
        return order.id


def test_a_list_without_orders_is_an_empty_array(shelter: cast.Shelter) -> None:
    assert shelter.get("/v1/store/orders").data == b"[]"


def test_an_order_has_five_members_and_no_personal_data(shelter: cast.Shelter) -> None:
    animal = shelter.add()
    order = place(shelter, animal)
    assert shelter.get("/v1/store/orders").json == [
        {
            "id": order,
            "petId": animal,
            "status": "placed",
            "createdAt": "2026-03-02T04:30:15Z",
            "updatedAt": "2026-03-03T04:30:15Z",
        }
    ]


def test_times_are_rfc_3339_in_utc(shelter: cast.Shelter) -> None:
    place(shelter, shelter.add())
    order = shelter.get("/v1/store/orders").json[0]
    for member in ("createdAt", "updatedAt"):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", order[member])
        assert datetime.fromisoformat(order[member]).tzinfo == UTC


def test_a_list_is_filtered_by_status(shelter: cast.Shelter) -> None:
    animal = shelter.add()
    ids = {status: place(shelter, animal, status) for status in STATUSES}
    assert [order["id"] for order in shelter.get("/v1/store/orders").json] == sorted(ids.values())
    for status in STATUSES:
        found = shelter.get(f"/v1/store/orders?status={status}").json
        assert [(order["id"], order["status"]) for order in found] == [(ids[status], status)]


def test_orders_of_another_account_are_not_listed(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    place(neighbour, neighbour.add())
    other = second_project(client, shelter)
    place(other, other.add())
    assert shelter.get("/v1/store/orders").json == []


def test_orders_are_read_only(shelter: cast.Shelter) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = shelter.call(method, "/v1/store/orders", json={})
        assert answer.status_code == 405
        assert {"GET", "HEAD"} <= set(re.split(", ?", answer.headers["Allow"]))
