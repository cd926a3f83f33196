"""Every error message of the API, in plain English."""

import ast
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import time_machine
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.accounts import plan_changes
from adoption.accounts.api_access import api_keys
from adoption.errors import Unavailable
from tests import cast
from tests.architecture.test_words import sentences

pytestmark = pytest.mark.settings("embedded")

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
GOOD = {"name": "Biscuit", "categoryId": 1}

AVOIDED = re.compile(
    r"\b(told|tells?|gives?|whoever|who has|nobody|stands?|bears?|holds?|behind|beneath|anew|once more|afresh"
    r"|mends?|put right|heeds?|hears?|slips?|swollen|manners?|looks?|press|letters?|(?-i:post)|box|of today"
    r"|by itself|as it is|lets? in|keeps? out)\b",
    re.IGNORECASE,
)
"""Words that readers have to read twice."""

QUERIES = {
    "/v1/pets?limit=0": "limit must be a whole number from 1 to 100, not '0'.",
    "/v1/pets?limit=1&limit=2": "limit may be given only once.",
    "/v1/pets?status=lost": "status must be one of available, pending, sold, not 'lost'.",
    "/v1/store/orders?status=sold": (
        "status must be one of placed, approved, completed, declined, withdrawn, not 'sold'."
    ),
    "/v1/pets?statsu=sold": "'statsu' is not a known parameter. Known parameters: limit, status, cursor.",
    "/v1/categories?limit=1": "'limit' is not a known parameter. Known parameters: none.",
    "/v1/pets?limit=%ff": "The query is not valid UTF-8. Known parameters: limit, status, cursor.",
    f"/v1/pets?{'&' * 100}": (
        "The query has more than 100 parameters. Known parameters: limit, status, cursor."
    ),
    "/v1/pets?cursor=1": (
        "cursor was not issued for this list with this filter. Use the address in the Link header unchanged, "
        "or start again without a cursor."
    ),
    "/v1/pets/0": "There is no animal with this id.",
    "/v1/nothing": "There is no operation at this address. The reference at /docs/ lists all operations.",
}

BODIES = {
    b"": "The body is not JSON: Expecting value, at line 1, column 1.",
    b"[]": "The body must be a JSON object.",
    b"\xff": "The body is not UTF-8: byte 0 cannot be decoded.",
    b'{"a": NaN}': "The body contains NaN, which is not JSON.",
    b'{"a": 1, "a": 2}': "The body has the member 'a' twice.",
    b'{"\\ud800": 1}': "The body has a member whose name contains a lone surrogate.",
    b"[" * 30_000: "The body is nested too deeply.",
    b'{"a": 1' + b"0" * 5_000 + b"}": "The body contains a number that is too long.",
    b" " * 65_537: "The body is too large. The limit is 65,536 bytes.",
    b"{}": "name is required. categoryId is required.",
    b'{"name": 1, "categoryId": "1", "status": "lost", "statsu": 1}': (
        "name must be a string. categoryId must be an integer. "
        "status must be one of 'available', 'pending' or 'sold'. statsu is not a known member."
    ),
    b'{"name": " ", "categoryId": 11}': (
        "name must not be blank. categoryId is not the id of a category; GET /v1/categories lists them."
    ),
    b'{"name": "a\\u0000", "categoryId": 0}': (
        "name must not contain control characters. "
        "categoryId is not the id of a category; GET /v1/categories lists them."
    ),
    b'{"name": "\\u202e", "categoryId": 1}': (
        "name must not contain U+202E, which changes the direction of text."
    ),
    b'{"name": "\\uffff", "categoryId": 1}': "name must not contain U+FFFF, which is not a character.",
    b'{"name": "\\u200b", "categoryId": 1}': "name must contain a visible character.",
    b'{"name": "\\ud800", "categoryId": 1}': "name must not contain a lone surrogate.",
    json.dumps(
        {"name": "a" * 201, "categoryId": 1}
    ).encode(): "name must have 200 characters at most, not 201.",
}

HEADERS = {
    ("Content-Type", "text/plain"): (
        "The body must be JSON in UTF-8, sent with Content-Type: application/json."
    ),
    ("Content-Encoding", "gzip"): "The body must not be compressed. Send it without Content-Encoding.",
    ("Transfer-Encoding", "chunked"): (
        "The body needs a Content-Length header. A chunked body (Transfer-Encoding: chunked) is rejected."
    ),
    ("Idempotency-Key", "é"): "Idempotency-Key must have 1 to 255 visible ASCII characters.",
    ("Host", "a,b"): "The request must have exactly one Host header.",
    ("Authorization", "Bearer hw_nobody"): (
        "A valid API key is required. Send it as the header Authorization: Bearer hw_…"
    ),
}


def message(answer: TestResponse) -> str:
    assert answer.status_code >= 400
    text: str = answer.json["message"]  # type: ignore[index]
    assert not AVOIDED.search(text), text
    return text


@pytest.mark.parametrize("address", QUERIES)
def test_a_wrong_address_is_explained(shelter: cast.Shelter, address: str) -> None:
    assert message(shelter.get(address)) == QUERIES[address]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:40])
def test_a_wrong_body_is_explained(shelter: cast.Shelter, body: bytes) -> None:
    answer = shelter.post("/v1/pets", data=body, content_type="application/json")
    assert message(answer) == BODIES[body]


@pytest.mark.parametrize("header", HEADERS, ids=" ".join)
def test_a_wrong_header_is_explained(shelter: cast.Shelter, header: tuple[str, str]) -> None:
    headers = {"Content-Type": "application/json", header[0]: header[1]}
    answer = shelter.post("/v1/pets", data=json.dumps(GOOD), headers=headers)
    assert message(answer) == HEADERS[header]


def test_other_errors_are_explained(shelter: cast.Shelter) -> None:
    assert message(shelter.call("PUT", "/v1/pets")) == (
        "This method is not allowed at this address. The Allow header lists the methods that are."
    )
    once = {"Idempotency-Key": "once"}
    answers = [shelter.post("/v1/pets", json=GOOD | {"name": name}, headers=once) for name in "AB"]
    assert message(answers[1]) == (
        "This Idempotency-Key was used with another body within the last 24 hours. "
        "To add another animal, send another key."
    )
    with time_machine.travel(datetime(2030, 12, 5, tzinfo=UTC)):
        assert message(shelter.get("/v1/pets/1")) == (
            "GET /v1/pets/{petId} was removed on 5 December 2030. Use GET /v1/pets instead."
        )
    assert message(shelter.get("/v1/nothing", headers={"Host": "elm.localhost"})) == (
        "The API is not at this host. It is at http://localhost:8000/v1."
    )
    _, shelter.key = api_keys.create_key(shelter.slug, scopes=["orders:read"])
    assert message(shelter.get("/v1/pets")) == "This key lacks the scope pets:read. Its scopes: orders:read."
    assert message(shelter.get("/v1/categories")) == (
        "This key lacks the scope pets:read or pets:write. Its scopes: orders:read."
    )


def test_a_full_quota_and_a_ban_are_explained(shelter: cast.Shelter) -> None:
    plan_changes.set_plan(shelter.slug, "enterprise", 1, 2_000)
    with time_machine.travel(NOW, tick=False) as clock:
        shelter.get("/v1/pets")
        clock.shift(timedelta(seconds=15))
        assert message(shelter.get("/v1/pets")) == (
            "The quota of 1 request a minute is used up. Try again in 45 seconds."
        )
        plan_changes.set_plan(shelter.slug, "enterprise", 5, 1)
        assert message(shelter.get("/v1/pets")) == (
            "The quota of 1 request a day is used up. Try again in 24 hours."
        )
        clock.shift(timedelta(seconds=1))
        banned = [shelter.get("/v1/pets") for _ in range(11)][-1]
        assert message(banned) == (
            "This key is banned for sending requests after a 429. The ban ends in 5 minutes."
        )


def test_a_failure_on_our_side_is_explained(shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(error: Exception) -> TestResponse:
        def raised(*_: object) -> Any:
            raise error

        monkeypatch.setattr("api.pets.page_of_animals", raised)
        return shelter.get("/v1/pets")

    answer = fail(RuntimeError("inside"))
    assert message(answer) == (
        "Something went wrong on our side. If you report it, include the request id "
        f"{answer.headers['X-Request-Id']}."
    )
    assert message(fail(Unavailable("Requests cannot be counted at the moment."))) == (
        "Requests cannot be counted at the moment. Try again in 5 seconds."
    )
    assert message(fail(psycopg.OperationalError("server closed the connection"))) == (
        "The service cannot reach its database at the moment. Try again in 5 seconds."
    )


def test_the_sentences_of_the_code_are_plain(root: Path) -> None:
    places = [*sorted((root / "api").rglob("*.py")), root / "adoption/animals/allowed_values.py"]
    found = [
        f"{path.name}:{line}: {text[:80]}"
        for path in places
        for line, text in sentences(ast.parse(path.read_text()))
        if AVOIDED.search(text)
    ]
    assert found == []


def test_the_sentences_of_the_document_are_plain(client: FlaskClient) -> None:
    document = client.get("/v1/openapi.json").json
    texts = re.findall(r'"(?:description|summary)": "((?:[^"\\]|\\.)*)"', json.dumps(document))
    assert len(texts) > 60
    assert [text for text in texts if AVOIDED.search(text)] == []
