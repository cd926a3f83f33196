"""ETag and If-None-Match (RFC 9110, section 13)."""

import gzip

import pytest
from sqlalchemy import update

from adoption.animals.models import Animal
from adoption.storage.database import transaction
from tests import cast

ADDRESSES = [
    "/v1/pets",
    "/v1/pets?limit=1",
    "/v1/pets/{id}",
    "/v1/animals",
    "/v1/animals/{id}",
    "/v1/store/orders",
    "/v1/categories",
    "/v1/openapi.json",
]


@pytest.fixture
def animal(shelter: cast.Shelter) -> int:
    shelter.add("Other")
    return shelter.add()


@pytest.mark.parametrize("address", ADDRESSES)
def test_if_none_match_with_the_current_etag_is_304(shelter: cast.Shelter, animal: int, address: str) -> None:
    address = address.format(id=animal)
    first = shelter.get(address)
    tag = first.headers["ETag"]
    strong = tag.removeprefix("W/")
    for header in (tag, strong, "*", f'"x", {tag}', f'{tag}, W/"x"', f' {strong} ,"y"'):
        again = shelter.get(address, headers={"If-None-Match": header})
        assert (again.status_code, again.data) == (304, b""), header
        for name in ("ETag", "Cache-Control", "Link", "Deprecation", "Sunset"):
            assert again.headers.getlist(name) == first.headers.getlist(name)
        assert "Content-Type" not in again.headers


@pytest.mark.parametrize("address", ADDRESSES)
def test_if_none_match_with_another_etag_is_200(shelter: cast.Shelter, animal: int, address: str) -> None:
    for header in ('"x"', 'W/"x"', "", '"*"', "nonsense", '"'):
        answer = shelter.get(address.format(id=animal), headers={"If-None-Match": header})
        assert answer.status_code == 200, header


def test_a_changed_animal_has_a_fresh_etag(shelter: cast.Shelter, animal: int) -> None:
    for address in ("/v1/pets", f"/v1/pets/{animal}"):
        tag = shelter.get(address).headers["ETag"]
        with transaction() as session:
            session.execute(update(Animal).where(Animal.id == animal).values(name=f"New {address[-1]}"))
        assert shelter.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_a_page_has_a_fresh_etag_once_it_has_a_next_page(shelter: cast.Shelter) -> None:
    shelter.add()
    tag = shelter.get("/v1/pets?limit=1").headers["ETag"]
    shelter.add()
    again = shelter.get("/v1/pets?limit=1", headers={"If-None-Match": tag})
    assert again.status_code == 200
    assert "Link" in again.headers


def test_a_304_counts_against_the_quota(shelter: cast.Shelter) -> None:
    first = shelter.get("/v1/pets")
    again = shelter.get("/v1/pets", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in (first, again)]
    assert left[1] == left[0] - 1


def test_responses_are_cached_privately_and_revalidated(shelter: cast.Shelter) -> None:
    assert shelter.get("/v1/pets").headers["Cache-Control"] == "private, no-cache"


def test_an_error_is_never_a_304(shelter: cast.Shelter) -> None:
    for address in ("/v1/pets/999", "/v1/pets?limit=0", "/v1/nothing"):
        assert shelter.get(address, headers={"If-None-Match": "*"}).status_code in (400, 404)


@pytest.mark.settings("embedded")
def test_a_list_is_compressed_for_a_client_that_reads_it(shelter: cast.Shelter) -> None:
    for number in range(30):
        shelter.add(f"Animal {number}")
    plain = shelter.get("/v1/pets?limit=30")
    packed = shelter.get("/v1/pets?limit=30", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["ETag"] == plain.headers["ETag"]
    again = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert shelter.get("/v1/pets?limit=30", headers=again).status_code == 304
