"""POST /v1/pets: validation of animals, and the order of checks."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.accounts import plan_changes
from adoption.accounts.api_access import api_keys
from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.models import Animal
from adoption.storage.database import reading
from api import bodies
from tests import cast
from tests.factories import count_animals

GOOD = {"name": "Biscuit", "categoryId": 1}


def create_pet(
    shelter: cast.Shelter, body: bytes | str, media_type: str | None = "application/json"
) -> TestResponse:
    return shelter.post("/v1/pets", data=body, content_type=media_type)


def violations(answer: TestResponse) -> list[str]:
    """Return the names of members with which the sentences of an error begin."""
    assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")
    return [sentence.split()[0] for sentence in answer.json["message"].rstrip(".").split(". ")]


def test_a_created_animal_is_returned_with_its_location(shelter: cast.Shelter) -> None:
    answer = shelter.post("/v1/pets", json={"name": "Biscuit", "categoryId": 2, "status": "pending"})
    assert answer.status_code == 201
    pet = answer.json
    assert pet == {"id": pet["id"], "name": "Biscuit", "categoryId": 2, "status": "pending"}
    location = answer.headers["Location"]
    assert location == f"http://localhost:8000/v1/pets/{pet['id']}"
    assert shelter.get(location).json == pet
    assert shelter.get("/v1/pets").json == [pet]
    with reading() as session:
        row = session.scalars(select(Animal)).one()
    assert (row.project_id, row.name, row.category_id, row.status) == (
        shelter.project_id,
        "Biscuit",
        2,
        "pending",
    )


def test_an_animal_is_available_by_default(shelter: cast.Shelter) -> None:
    assert shelter.post("/v1/pets", json=GOOD).json["status"] == "available"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("category", CATEGORIES)
def test_an_animal_may_have_any_category(shelter: cast.Shelter, category: int) -> None:
    assert shelter.post("/v1/pets", json={"name": "A", "categoryId": category}).json["categoryId"] == category


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Biscuit\t", "Biscuit"),
        ("\u00a0Biscuit\u2003", "Biscuit"),
        ("Bis  cuit", "Bis  cuit"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u212b", "\u00c5"),
        ("x" * 200, "x" * 200),
        ("\U0001f436" * 200, "\U0001f436" * 200),
        ("e\u0301" * 200, "\u00e9" * 200),
        (" " * 50 + "x" * 200, "x" * 200),
        ("<b>&amp;'\"\\</b>", "<b>&amp;'\"\\</b>"),
        ("O'Malley; DROP TABLE animals", "O'Malley; DROP TABLE animals"),
        ("\u05e9\u05dc\u05d5\u05dd \u732b", "\u05e9\u05dc\u05d5\u05dd \u732b"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
        ("\u0646\u0645\u06cc\u200c\u062e", "\u0646\u0645\u06cc\u200c\u062e"),
    ],
)
def test_a_name_is_trimmed_and_in_nfc(shelter: cast.Shelter, given: str, kept: str) -> None:
    answer = shelter.post("/v1/pets", json={"name": given, "categoryId": 1})
    assert answer.json["name"] == kept
    assert shelter.get("/v1/pets").json[0]["name"] == kept


BAD_NAMES = [
    '""',
    '"   "',
    '"\\u00a0\\u2003"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"a\\nb"',
    '"a\\tb"',
    '"a\\u007fb"',
    '"a\\u0085b"',
    '"a\\u009fb"',
    '"\\ud800"',
    '"a\\udc36b"',
    '"\\udc36\\ud83d"',
    json.dumps("x" * 201),
    json.dumps("\U0001f436" * 201),
    json.dumps("\u0958" * 101),  # each is two characters in NFC
    '"\\u200b"',
    '"\\ufeff"',
    '"\\u115f"',
    '"\\u200b\\u200d \\u2028"',
    '"\\udb40\\udc41"',
    '"a\\u202eb"',
    '"a\\u2066b"',
    '"a\\u200fb"',
    '"a\\ufffeb"',
    '"a\\ud83f\\udfffb"',
    "1",
    "1.5",
    "true",
    "null",
    "[]",
    '["a"]',
    "{}",
]


def test_an_invalid_name_is_rejected(shelter: cast.Shelter) -> None:
    for name in BAD_NAMES:
        answer = create_pet(shelter, f'{{"name": {name}, "categoryId": 1}}')
        assert violations(answer) == ["name"], name
    assert count_animals() == 0


BAD_CATEGORIES = ["true", "false", '"1"', '""', "1.0", "1e0", "1.5", "null", "[1]", "{}", "0", "-1", "11"]
HUGE = [str(2**31), str(2**63 - 1), str(2**63), str(-(2**63) - 1), "9" * 30, "9" * 4000]


def test_an_invalid_category_is_rejected(shelter: cast.Shelter) -> None:
    for category in BAD_CATEGORIES + HUGE:
        answer = create_pet(shelter, f'{{"name": "A", "categoryId": {category}}}')
        assert violations(answer) == ["categoryId"], category
    assert count_animals() == 0


def test_an_invalid_status_is_rejected(shelter: cast.Shelter) -> None:
    for status in ("", "Available", "adopted", "sold ", None, 1, True, [], ["sold"], {}):
        answer = shelter.post("/v1/pets", json=GOOD | {"status": status})
        assert violations(answer) == ["status"], status
    assert violations(create_pet(shelter, '{"name": "A", "categoryId": 1, "status": "\\ud800"}')) == [
        "status"
    ]
    assert count_animals() == 0


def test_all_violations_are_reported_together(shelter: cast.Shelter) -> None:
    bodies: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["name", "categoryId"]),
        ({"name": ""}, ["name", "categoryId"]),
        ({"name": 1, "categoryId": "x", "status": "gone"}, ["name", "categoryId", "status"]),
        ({"name": "", "categoryId": 11, "status": 1, "nmae": 1}, ["name", "categoryId", "status", "nmae"]),
        ({"nmae": "A", "category": 1}, ["name", "categoryId", "nmae", "category"]),
    ]
    for body, members in bodies:
        assert sorted(violations(shelter.post("/v1/pets", json=body))) == sorted(members)


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("member", ["stauts", "Name", "id", "category_id", "x", "__proto__", "naïve"])
def test_an_unknown_member_is_rejected_by_name(shelter: cast.Shelter, member: str) -> None:
    assert violations(shelter.post("/v1/pets", json=GOOD | {member: "sold"})) == [member]
    assert count_animals() == 0


def test_odd_member_names_are_rejected(shelter: cast.Shelter) -> None:
    for member in ("", " ", "\u0000", "a" * 5000, "a.b", "{}", "%s"):
        assert shelter.post("/v1/pets", json=GOOD | {member: 1}).status_code == 400
    answer = create_pet(shelter, '{"name": "A", "categoryId": 1, "\\ud800": 1}')
    assert answer.status_code == 400


NOT_OBJECTS = ["[]", '[{"name": "A", "categoryId": 1}]', "null", '"text"', "1", "true", "1e5"]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("body", NOT_OBJECTS)
def test_json_other_than_an_object_is_rejected(shelter: cast.Shelter, body: str) -> None:
    answer = create_pet(shelter, body)
    assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")


MALFORMED = [
    b"",
    b" ",
    b"{",
    b"{}{}",
    b"{} x",
    b"{'name': 'A'}",
    b'{"name": "A", "categoryId": 1,}',
    b'{"name": "A", "categoryId": 01}',
    b'{"name": "A", "categoryId": +1}',
    b'{"name": "A", "categoryId": 0x1}',
    b'{"name": "A\nB", "categoryId": 1}',
    b'{"name": "A", "categoryId": 1} // note',
    b'{"name": "A", "categoryId": NaN}',
    b'{"name": "A", "categoryId": 1, "status": Infinity}',
    b'{"name": "A", "categoryId": -Infinity}',
    b'{"name": "A", "name": "B", "categoryId": 1}',
    b'{"name": "A", "categoryId": 1, "categoryId": 1}',
    b'{"name": "A", "\\u006eame": "B", "categoryId": 1}',
    b'{"name": "A", "categoryId": 1, "x": {"y": 1, "y": 2}}',
    b'{"name": "\xff", "categoryId": 1}',
    b'{"name": "\xed\xa0\x80", "categoryId": 1}',
    b'{"name": "\xc0\xaf", "categoryId": 1}',
    '{"name": "é", "categoryId": 1}'.encode("latin-1"),
    '{"name": "A", "categoryId": 1}'.encode("utf-16"),
    '{"name": "A", "categoryId": 1}'.encode("utf-16-le"),
    '{"name": "A", "categoryId": 1}'.encode("utf-32"),
    '{"name": "A", "categoryId": 1}'.encode("utf-8-sig"),
    b'{"name": "A", "categoryId": ' + b"9" * 5000 + b"}",
    b'{"name": "A", "categoryId": -' + b"9" * 5000 + b"}",
    b"[" * 9000,
    b"[" * 9000 + b"]" * 9000,
    b'{"a":' * 9000 + b"1" + b"}" * 9000,
    b'{"name": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    b"name=A&categoryId=1",
]


def test_malformed_json_is_400_and_never_500(shelter: cast.Shelter) -> None:
    for body in MALFORMED:
        answer = create_pet(shelter, body)
        assert (answer.status_code, answer.json["code"]) == (400, "invalid_request"), body[:60]
        assert "sys." not in answer.json["message"]
    assert count_animals() == 0


def test_deeply_nested_json_is_400_and_never_500(shelter: cast.Shelter) -> None:
    for depth in (1, 50, *range(60, 1000, 5)):
        answer = create_pet(shelter, '{"name": ' + "[" * depth + "]" * depth + ', "categoryId": 1}')
        assert answer.status_code == 400, depth


MEDIA_TYPES = [
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "Application/JSON",
    " application/json ",
    "application/json; version=1",
]
OTHER_MEDIA_TYPES = [
    None,
    "",
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/problem+json",
    "application/json5",
    "application/jsonp",
    "application/json, text/plain",
    "application/json; charset=latin-1",
    "application/json; charset=utf-16",
    "*/*",
    "application/*",
    "json",
]


def test_the_json_media_type_may_have_parameters_and_any_case(shelter: cast.Shelter) -> None:
    for media_type in MEDIA_TYPES:
        assert create_pet(shelter, json.dumps(GOOD), media_type).status_code == 201, media_type


def test_another_media_type_is_415(shelter: cast.Shelter) -> None:
    for media_type in OTHER_MEDIA_TYPES:
        answer = create_pet(shelter, json.dumps(GOOD), media_type)
        assert (answer.status_code, answer.json["code"]) == (415, "unsupported_media_type"), media_type
    assert count_animals() == 0


def test_a_compressed_body_is_415(shelter: cast.Shelter) -> None:
    def answer(encoding: str) -> TestResponse:
        return shelter.post("/v1/pets", json=GOOD, headers={"Content-Encoding": encoding})

    refused = answer("gzip")
    assert (refused.status_code, refused.headers["Accept-Encoding"]) == (415, "identity")
    assert count_animals() == 0
    assert answer("identity").status_code == 201


def padded(size: int) -> bytes:
    body = json.dumps(GOOD).encode()
    return body[:-1] + b" " * (size - len(body)) + b"}"


def test_a_body_may_have_64_kib_and_not_one_byte_more(shelter: cast.Shelter) -> None:
    assert create_pet(shelter, padded(65_536)).status_code == 201
    refused = create_pet(shelter, padded(65_537))
    assert (refused.status_code, refused.json["code"]) == (413, "payload_too_large")
    assert create_pet(shelter, b" " * 10_000_000).status_code == 413
    assert count_animals() == 1


def test_a_chunked_body_is_411(shelter: cast.Shelter) -> None:
    chunked = {"Transfer-Encoding": "chunked"}
    answer = shelter.post("/v1/pets", data=padded(100), content_type="application/json", headers=chunked)
    assert (answer.status_code, answer.json["code"]) == (411, "length_required")
    assert count_animals() == 0
    assert shelter.get("/v1/pets", headers=chunked).status_code == 200  # the server never reads its body


def test_checks_are_made_in_their_order(client: FlaskClient) -> None:
    """The order is key, ban, quota, scope, media type, size, JSON and members.

    Only the first failure is reported.
    """
    shelter = cast.shelter(client, plan="free")
    full, (_, reader) = shelter.key, api_keys.create_key(shelter.slug, scopes=["pets:read"])
    long = b"[" * 65_537

    def status(body: bytes, media_type: str, key: str) -> int:
        shelter.key = key
        return create_pet(shelter, body, media_type).status_code

    assert status(long, "text/plain", "hw_nobody") == 401
    assert status(long, "text/plain", reader) == 403
    assert status(long, "text/plain", full) == 415
    assert status(long, "application/json", full) == 413
    assert status(b"[", "application/json", full) == 400
    assert status(b"{}", "application/json", full) == 400
    plan_changes.set_plan(shelter.slug, "enterprise", 1, 1)
    assert status(long, "text/plain", "hw_nobody") == 401
    shelter.key = reader
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        codes = [create_pet(shelter, b"[", "text/plain").json["code"] for _ in range(12)]
        clock.shift(1)
        codes += [create_pet(shelter, b"[", "text/plain").json["code"] for _ in range(12)]
    assert codes == ["rate_limited"] * 22 + ["key_banned"] * 2


def test_head_requests_and_bodies_do_not_change_a_list(shelter: cast.Shelter) -> None:
    assert shelter.call("GET", "/v1/pets", json=GOOD).status_code == 200
    assert shelter.call("HEAD", "/v1/pets").status_code == 200
    assert count_animals() == 0


class Counted(str):
    """Text that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return super().__eq__(other)

    __hash__ = str.__hash__


def test_duplicate_members_are_found_in_linear_time() -> None:
    names = [Counted(f"m{number}") for number in range(5_000)]
    with pytest.raises(ValueError, match="'m4999' twice"):
        bodies.unique_members([(name, 1) for name in [*names, Counted("m4999")]])
    assert Counted.compared < 3 * len(names)
