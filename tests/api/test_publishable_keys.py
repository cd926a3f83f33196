"""Publishable keys: origins, CORS, the read-only scope, and quotas of visitors."""

import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.key_format import SCOPES, read_key
from adoption.settings import Settings
from tests import cast
from tests.api.conftest import client_of
from wsgi import create_app

LIST = "/v1/directory/shelters"
PAGE, WILD = "https://adopt.example.org", "https://*.example.org"
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def page_key(shelter: cast.Shelter, *origins: str, from_programs: bool = False) -> str:
    _, key = api_keys.create_publishable_key(shelter.slug, "Website", origins or [PAGE], from_programs)
    return key


def ask(
    client: FlaskClient, key: str, origin: str | None = PAGE, path: str = LIST, address: str = "192.0.2.1"
) -> TestResponse:
    headers = {"Authorization": f"Bearer {key}"} | ({"Origin": origin} if origin else {})
    return client.get(path, headers=headers, environ_base={"REMOTE_ADDR": address})


def cors_of(answer: TestResponse) -> str | None:
    return answer.headers.get("Access-Control-Allow-Origin")


@pytest.mark.parametrize("path", [LIST, "/v1/directory/animals"])
def test_a_page_reads_the_directory(client: FlaskClient, shelter: cast.Shelter, path: str) -> None:
    answer = ask(client, page_key(shelter), path=path)
    assert (answer.status_code, cors_of(answer)) == (200, PAGE)
    assert {"Origin", "Accept-Encoding"} <= set(", ".join(answer.headers.getlist("Vary")).split(", "))
    exposed = answer.headers["Access-Control-Expose-Headers"]
    assert {"Link", "ETag", "Retry-After", "X-RateLimit-Reset", "X-Request-Id"} <= set(exposed.split(", "))
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert answer.headers["Cache-Control"] == "public, max-age=60"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("allowed", "origin", "status"),
    [
        (PAGE, "https://evil.example", 403),
        (PAGE, "http://adopt.example.org", 403),
        (PAGE, "https://adopt.example.org.evil.example", 403),
        (PAGE, "https://adopt.example.org:8443", 403),
        (PAGE, "https://adoptxexample.org", 403),
        (PAGE, "null", 403),
        (PAGE, None, 403),
        (WILD, "https://a.example.org", 200),
        (WILD, "https://example.org", 403),
        (WILD, "https://a.b.example.org", 403),
        (WILD, "https://a/.example.org", 403),
        (WILD, f"https://{300 * 'a'}.example.org", 403),
    ],
)
def test_only_listed_origins_are_accepted(
    client: FlaskClient, shelter: cast.Shelter, allowed: str, origin: str | None, status: int
) -> None:
    answer = ask(client, page_key(shelter, allowed), origin)
    assert (answer.status_code, cors_of(answer)) == (status, origin if status == 200 else None)
    if status == 403:
        assert answer.json["code"] == "origin_not_allowed"
        assert allowed in answer.json["message"]
        assert answer.headers["X-RateLimit-Limit"] == "60", "it counts against the address, not the pool"


@pytest.mark.settings("embedded")
def test_programs_need_the_option(client: FlaskClient, shelter: cast.Shelter) -> None:
    key = page_key(shelter, from_programs=True)
    assert ask(client, key, None).status_code == 200
    assert ask(client, key, "https://evil.example").status_code == 403


@pytest.mark.settings("embedded")
def test_a_publishable_key_reads_nothing_else(client: FlaskClient, shelter: cast.Shelter) -> None:
    key = page_key(shelter, from_programs=True)
    for path in (
        "/v1/pets",
        "/v1/pets/1",
        "/v1/animals",
        "/v1/animals/1",
        "/v1/store/orders",
        "/v1/categories",
    ):
        for origin in (PAGE, None):
            answer = ask(client, key, origin, path)
            assert (answer.status_code, answer.json["code"]) == (403, "insufficient_scope")
            assert cors_of(answer) is None
    body = {"name": "A", "categoryId": 1}
    refused = client.post("/v1/pets", json=body, headers={"Authorization": f"Bearer {key}", "Origin": PAGE})
    assert refused.status_code == 403
    assert client.get(f"{LIST}?key={key}", headers={"Origin": PAGE}).status_code == 401


def test_a_revoked_publishable_key_is_rejected_by_every_process(
    client: FlaskClient, shelter: cast.Shelter, settings: Settings
) -> None:
    key, other = page_key(shelter), create_app(settings)
    asked = {"Authorization": f"Bearer {key}", "Origin": PAGE}
    assert other.test_client().get(LIST, headers=asked).status_code == 200
    api_keys.revoke_key(read_key(key).public_id)  # type: ignore[union-attr]
    for answer in (ask(client, key), other.test_client().get(LIST, headers=asked)):
        assert answer.status_code == 401
        assert cors_of(answer) == PAGE, "the page reads why"
    with other.app_context():
        other.extensions["homeward.driver_connections"].close()
        other.extensions["homeward.quotas"].close()


@pytest.mark.settings("embedded")
def test_a_secret_key_works_in_no_page(client: FlaskClient, shelter: cast.Shelter) -> None:
    _, key = api_keys.create_key(shelter.slug, scopes=SCOPES)
    answer = ask(client, key)
    assert (answer.status_code, cors_of(answer)) == (200, None)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Access-Control-Allow-Origin" not in ask(client, key, path="/v1/pets").headers


def preflight(client: FlaskClient, path: str = LIST, headers: str = "authorization") -> TestResponse:
    asked = {
        "Origin": PAGE,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": headers,
    }
    return client.options(path, headers=asked)


def test_a_preflight_needs_no_key_and_counts_against_no_quota(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    answer = preflight(client, headers="authorization, If-None-Match,x-other")
    assert (answer.status_code, answer.data, cors_of(answer)) == (204, b"", PAGE)
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert answer.headers["Access-Control-Allow-Headers"] == "authorization, if-none-match"
    assert answer.headers["Access-Control-Max-Age"] == "7200"
    with time_machine.travel(NOW, tick=False):
        before = client.get("/v1/pets").headers["X-RateLimit-Remaining"]
        for _ in range(3):
            preflight(client)
        assert int(client.get("/v1/pets").headers["X-RateLimit-Remaining"]) == int(before) - 1


@pytest.mark.settings("embedded")
def test_a_preflight_elsewhere_has_no_cors_headers(client: FlaskClient) -> None:
    for path in ("/v1/pets", "/v1/directoryx", "/v1/openapi.json"):
        answer = preflight(client, path)
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


@pytest.mark.settings("embedded")
def test_an_address_has_600_preflights_a_minute(client: FlaskClient) -> None:
    with time_machine.travel(NOW, tick=False):
        assert Counter(preflight(client).status_code for _ in range(601)) == {204: 600, 429: 1}
        assert preflight(client).headers["X-RateLimit-Limit"] == "600"


def window(answer: TestResponse) -> tuple[int, ...]:
    return tuple(int(answer.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining"))


@pytest.mark.settings("embedded")
def test_a_visitor_has_30_requests_a_minute_of_the_accounts_pool(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    first, second = page_key(shelter), page_key(shelter)
    with time_machine.travel(NOW, tick=False) as clock:
        answers = [ask(client, first) for _ in range(31)]
        assert [answer.status_code for answer in answers] == [200] * 30 + [429]
        assert [window(answers[at]) for at in (0, 29, 30)] == [(30, 29), (30, 0), (30, 0)]
        assert answers[30].headers["Retry-After"] == "60"
        assert "from one visitor of a web page" in answers[30].json["message"]
        others = [ask(client, second, address=f"192.0.2.{2 + at // 20}") for at in range(31)]
        assert [answer.status_code for answer in others] == [200] * 30 + [429]
        assert window(others[30]) == (60, 0), "the pool is the account's, whichever key is used"
        assert shelter.get("/v1/pets").headers["X-RateLimit-Remaining"] == "59"
        clock.shift(timedelta(seconds=60))
        assert ask(client, first).status_code == 200


def test_a_request_over_the_pool_uses_none_of_the_visitors_requests(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    key = page_key(shelter)
    with time_machine.travel(NOW, tick=False) as clock:
        for at in range(60):
            ask(client, key, address=f"192.0.2.{at // 30}")
        clock.shift(timedelta(seconds=30))
        refused = [ask(client, key, address="192.0.2.9") for _ in range(40)]
        assert {window(answer) for answer in refused} == {(60, 0)}
        clock.shift(timedelta(seconds=30))
        assert window(ask(client, key, address="192.0.2.9")) == (30, 29)


@pytest.mark.settings("embedded")
def test_no_request_bans_a_publishable_key(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    key = page_key(shelter)
    with time_machine.travel(NOW, tick=False) as clock:
        for _ in range(50):
            ask(client, key)
            clock.shift(timedelta(seconds=1))
        assert ask(client, key).json["code"] == "rate_limited"
        assert ask(client, key, address="192.0.2.2").status_code == 200


def test_pool_and_account_are_exact_under_parallel_requests(app: APIFlask, client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    key, found = page_key(shelter), list[tuple[str, Any]]()

    def send(number: int) -> None:
        own, with_secret = client_of(app), {"Authorization": f"Bearer {shelter.key}"}
        with app.app_context():
            for _ in range(10):
                found.append(("page", ask(own, key, address=f"192.0.2.{number % 4}").status_code))
                found.append(("program", own.get("/v1/pets", headers=with_secret).status_code))

    with time_machine.travel(NOW, tick=False):
        threads = [threading.Thread(target=send, args=[number]) for number in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert Counter(found) == {
        ("page", 200): 60,
        ("page", 429): 40,
        ("program", 200): 60,
        ("program", 429): 40,
    }
