"""Query parameters of /v1: unknown, repeated and invalid ones are rejected by name."""

import pytest

from tests import cast

pytestmark = pytest.mark.settings("embedded")

PETS = {
    "status=": "status",
    "status=Available": "status",
    "status=AVAILABLE": "status",
    "status=adopted": "status",
    "status=sold%20": "status",
    "status=available,sold": "status",
    "status=null": "status",
    "Limit=5": "Limit",
    "state=sold": "state",
    "statu=sold": "statu",
    "status[]=sold": "status[]",
    "offset=5": "offset",
    "page=2": "page",
    "limit=5&x=": "x",
    "=5": "''",
    "cusror=abc": "cusror",
    "limit=5&limit=5": "limit",
    "limit=5&limit=6": "limit",
    "status=sold&status=sold": "status",
    "status=sold&limit=1&status=available": "status",
    "cursor=a&cursor=a": "cursor",
}
ORDERS = {
    "status=": "status",
    "status=available": "status",
    "status=sold": "status",
    "limit=0": "limit",
    "limit=101": "limit",
    "limit=+5": "limit",
    "petId=1": "petId",
    "limit=1&limit=1": "limit",
    "cursor=1": "cursor",
}
QUERIES = [("/v1/pets", *each) for each in PETS.items()] + [
    ("/v1/store/orders", *each) for each in ORDERS.items()
]


@pytest.mark.parametrize(("path", "query", "name"), QUERIES)
def test_a_wrong_query_parameter_is_rejected_by_name(
    shelter: cast.Shelter, path: str, query: str, name: str
) -> None:
    answer = shelter.get(f"{path}?{query}")
    assert answer.status_code == 400
    assert name in answer.json["message"]


@pytest.mark.parametrize("query", ["status=%ff", "%ff=1", "limit=%C3", "&".join(["limit=5"] * 200)])
def test_an_undecodable_query_is_rejected(shelter: cast.Shelter, query: str) -> None:
    assert shelter.get(f"/v1/pets?{query}").status_code == 400
