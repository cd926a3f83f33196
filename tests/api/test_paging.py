"""Paging with cursors, for animals and orders."""

import re
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from sqlalchemy import delete, func, select

from adoption.animals.models import Animal
from adoption.orders.models import Order
from adoption.storage.database import reading, transaction
from tests import cast
from tests.api.second_keys import second_key, second_project


def add_animals(shelter: cast.Shelter, count: int, status: str = "available") -> list[int]:
    now = datetime.now(UTC)
    with transaction() as session:
        animals = [
            Animal(
                project_id=shelter.project_id,
                name=f"Animal {number}",
                category_id=1,
                status=status,
                created_at=now,
                updated_at=now,
            )
            for number in range(count)
        ]
        session.add_all(animals)
        session.flush()
        return [animal.id for animal in animals]


def next_address(link: str | None) -> str | None:
    """Return the URL of a ``Link`` header as a path of this service."""
    found = re.search(r'<https?://[^/]+(/[^>]*)>; rel="next"', link or "")
    return found and found[1]


def read_all_pages(shelter: cast.Shelter, address: str | None) -> list[list[int]]:
    pages = []
    while address:
        answer = shelter.get(address)
        assert answer.status_code == 200, answer.text
        pages.append([one["id"] for one in answer.json])
        address = next_address(answer.headers.get("Link"))
    return pages


def cursor_of(shelter: cast.Shelter, address: str) -> str:
    return shelter.get(address).headers["Link"].split("cursor=")[1].split(">")[0]


@pytest.mark.parametrize(
    ("count", "limit", "sizes"),
    [(5, 2, [2, 2, 1]), (4, 2, [2, 2]), (2, 2, [2]), (1, 2, [1]), (0, 2, [0]), (201, 100, [100, 100, 1])],
)
def test_pages_have_each_animal_once(
    shelter: cast.Shelter, neighbour: cast.Shelter, count: int, limit: int, sizes: list[int]
) -> None:
    add_animals(neighbour, 3)
    ids = add_animals(shelter, count)
    add_animals(neighbour, 3)
    pages = read_all_pages(shelter, f"/v1/pets?limit={limit}")
    assert [len(page) for page in pages] == sizes
    assert [id_ for page in pages for id_ in page] == ids


def test_filtered_pages_have_each_matching_animal_once(shelter: cast.Shelter) -> None:
    sold = []
    for _ in range(4):
        add_animals(shelter, 2)
        sold += add_animals(shelter, 1, "sold")
    assert read_all_pages(shelter, "/v1/pets?limit=2&status=sold") == [sold[:2], sold[2:]]


def test_pages_without_a_limit_have_20_animals(shelter: cast.Shelter) -> None:
    add_animals(shelter, 41)
    assert [len(page) for page in read_all_pages(shelter, "/v1/pets")] == [20, 20, 1]


def test_animals_added_or_removed_while_paging_do_not_shift_later_pages(shelter: cast.Shelter) -> None:
    ids = add_animals(shelter, 30)
    seen: list[int] = []
    removed: set[int] = set()
    address: str | None = "/v1/pets?limit=4"
    added: list[int] = []
    while address:
        answer = shelter.get(address)
        page = [pet["id"] for pet in answer.json]
        seen += page
        address = next_address(answer.headers.get("Link"))
        if len(added) < 6:
            # The animal before the cursor, the last animal of the page, and the animal after the cursor.
            gone = {seen[0], page[-1], ids[min(ids.index(page[-1]) + 2, 29)]}
            with transaction() as session:
                session.execute(delete(Animal).where(Animal.id.in_(gone)))
            removed |= gone - set(seen)
            added += add_animals(shelter, 2)
    assert len(seen) == len(set(seen))
    assert seen == [id_ for id_ in ids + added if id_ in seen]
    assert set(seen) == (set(ids) | set(added)) - removed


def test_the_last_page_has_no_next_link(shelter: cast.Shelter) -> None:
    add_animals(shelter, 20)
    assert "Link" not in shelter.get("/v1/pets").headers
    assert "Link" not in shelter.get("/v1/pets?limit=20").headers
    assert "Link" in shelter.get("/v1/pets?limit=19").headers


def test_a_next_page_that_became_empty_is_an_empty_list(shelter: cast.Shelter) -> None:
    ids = add_animals(shelter, 3)
    cursor = cursor_of(shelter, "/v1/pets?limit=2")
    with transaction() as session:
        session.execute(delete(Animal).where(Animal.id == ids[2]))
    assert shelter.get(f"/v1/pets?cursor={cursor}").json == []


def test_a_cursor_works_with_any_limit(shelter: cast.Shelter) -> None:
    ids = add_animals(shelter, 6)
    cursor = cursor_of(shelter, "/v1/pets?limit=2")
    for limit in (1, 3, 100):
        answer = shelter.get(f"/v1/pets?limit={limit}&cursor={cursor}")
        assert [pet["id"] for pet in answer.json] == ids[2 : 2 + limit]
    assert [pet["id"] for pet in shelter.get(f"/v1/pets?cursor={cursor}").json] == ids[2:]


def test_a_cursor_works_with_any_key_of_its_project(shelter: cast.Shelter) -> None:
    ids = add_animals(shelter, 3)
    cursor = cursor_of(shelter, "/v1/pets?limit=2")
    assert second_key(shelter).get(f"/v1/pets?cursor={cursor}").json[0]["id"] == ids[2]


def assert_refused(shelter: cast.Shelter, address: str) -> None:
    answer = shelter.get(address)
    assert answer.status_code == 400, address
    assert answer.json["message"].startswith("cursor "), answer.json


def test_a_modified_cursor_is_rejected(shelter: cast.Shelter) -> None:
    add_animals(shelter, 3)
    cursor = cursor_of(shelter, "/v1/pets?limit=1")
    for place, letter in enumerate(cursor):
        other = "1" if letter != "1" else "2"
        assert_refused(shelter, f"/v1/pets?cursor={cursor[:place]}{other}{cursor[place + 1 :]}")
    last, seal = cursor.split("-")
    made_up = [
        "",
        "1",
        last,
        seal,
        f"0{cursor}",
        f"{cursor}0",
        cursor[:-1],
        cursor.upper() + "A",
        f"-{cursor}",
    ]
    for each in [*made_up, f"{last}-{'0' * 32}", f"%20{cursor}", f"{cursor}%0A", "9" * 40, "%00", "é"]:
        assert_refused(shelter, f"/v1/pets?cursor={each}")


def test_a_cursor_of_another_filter_is_rejected(shelter: cast.Shelter) -> None:
    add_animals(shelter, 3, "sold")
    plain = cursor_of(shelter, "/v1/pets?limit=1")
    sold = cursor_of(shelter, "/v1/pets?limit=1&status=sold")
    assert_refused(shelter, f"/v1/pets?status=sold&cursor={plain}")
    assert_refused(shelter, f"/v1/pets?status=available&cursor={sold}")
    assert_refused(shelter, f"/v1/pets?cursor={sold}")


def test_a_cursor_of_another_project_is_rejected(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    add_animals(shelter, 3)
    cursor = cursor_of(shelter, "/v1/pets?limit=1")
    assert_refused(neighbour, f"/v1/pets?cursor={cursor}")
    assert_refused(second_project(client, shelter), f"/v1/pets?cursor={cursor}")


def test_a_cursor_of_another_list_is_rejected(shelter: cast.Shelter) -> None:
    ids = add_animals(shelter, 3)
    apply_for(shelter, ids)
    assert_refused(shelter, f"/v1/store/orders?cursor={cursor_of(shelter, '/v1/pets?limit=1')}")
    assert_refused(shelter, f"/v1/pets?cursor={cursor_of(shelter, '/v1/store/orders?limit=1')}")


def apply_for(shelter: cast.Shelter, animal_ids: list[int], status: str = "placed") -> list[int]:
    now = datetime.now(UTC)
    with transaction() as session:
        orders = [
            Order(project_id=shelter.project_id, animal_id=id_, status=status, created_at=now, updated_at=now)
            for id_ in animal_ids
        ]
        session.add_all(orders)
        session.flush()
        return [order.id for order in orders]


@pytest.mark.parametrize(("count", "sizes"), [(5, [2, 2, 1]), (4, [2, 2])])
def test_orders_are_paged_like_animals(
    shelter: cast.Shelter, neighbour: cast.Shelter, count: int, sizes: list[int]
) -> None:
    apply_for(neighbour, add_animals(neighbour, 2))
    orders = apply_for(shelter, add_animals(shelter, 1) * count)
    pages = read_all_pages(shelter, "/v1/store/orders?limit=2&status=placed")
    assert [len(page) for page in pages] == sizes
    assert [id_ for page in pages for id_ in page] == orders


def test_paging_changes_nothing(shelter: cast.Shelter) -> None:
    add_animals(shelter, 5)
    read_all_pages(shelter, "/v1/pets?limit=2")
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Animal)) == 5
