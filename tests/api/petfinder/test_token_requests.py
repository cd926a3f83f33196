"""POST /petfinder/v2/oauth2/token, and requests with a token."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask.testing import FlaskClient

from adoption.accounts.api_access.api_keys import create_key, revoke_key
from adoption.accounts.api_access.key_format import read_key
from adoption.projects.models import Project
from tests.api.petfinder.conftest import Program

TOKEN = "/petfinder/v2/oauth2/token"
NOW = datetime(2026, 11, 29, tzinfo=UTC)
ERRORS = "https://www.petfinder.com/developers/v2/docs/errors"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("way", ["form", "json", "query", "basic", "slash", "short address"])
def test_a_token_for_a_client_id_and_secret(program: Program, way: str) -> None:
    given, ask = program.credentials, program.client.post
    pair = f"{given['client_id']}:{given['client_secret']}"
    basic = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    sent = {
        "form": lambda: ask(TOKEN, data=given | {"scope": "x"}),
        "json": lambda: ask(TOKEN, json=given, content_type="application/json;charset=UTF-8"),
        "query": lambda: ask(TOKEN, query_string=given),
        "basic": lambda: ask(TOKEN, data={"grant_type": given["grant_type"]}, headers=basic),
        "slash": lambda: ask(f"{TOKEN}/", data=given),
        "short address": lambda: ask("/v2/oauth2/token", data=given),
    }
    answer = sent[way]()
    assert answer.status_code == 200, answer.text
    assert {**answer.json, "access_token": ""} == {
        "token_type": "Bearer",
        "expires_in": 3600,
        "access_token": "",
    }
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-RateLimit-Remaining"] == answer.headers["X-RateLimit-Limit"]
    program.token = answer.json["access_token"]
    assert program.ask("/animals/").status_code == 200


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("change", "status", "kind"),
    [
        ({"grant_type": ""}, 400, "ERR-00001"),
        ({"grant_type": "password"}, 400, "ERR-00002"),
        ({"client_secret": "wrong"}, 401, "ERR-401"),
        ({"client_id": "hw_000000000000"}, 401, "ERR-401"),
    ],
)
def test_a_wrong_token_request_is_refused(
    program: Program, change: dict[str, str], status: int, kind: str
) -> None:
    answer = program.client.post(TOKEN, data=program.credentials | change)
    assert (answer.status_code, answer.json["type"]) == (status, f"{ERRORS}/{kind}/")
    assert answer.content_type == "application/problem+json"
    assert answer.headers["X-RateLimit-Remaining"] == "59", "it counts against the address"
    assert answer.headers["X-Request-Id"]
    if status == 401:
        assert (answer.json["title"], answer.json["hint"]) == ("invalid_client", None)
        assert answer.json["errors"][0]["code"] == "invalid_client"


@pytest.mark.settings("embedded")
def test_a_key_without_the_scope_gets_no_token(client: FlaskClient, elm_road: Project) -> None:
    answer = client.post(TOKEN, data=Program(client, create_key(elm_road.slug)[1]).credentials)
    assert (answer.status_code, answer.json["type"]) == (403, f"{ERRORS}/ERR-403/")


def test_a_token_works_until_its_key_is_revoked(program: Program) -> None:
    with time_machine.travel(NOW, tick=False):
        assert program.ask("/types").status_code == 200
    with time_machine.travel(NOW + timedelta(days=30), tick=False):
        assert program.ask("/types").status_code == 200
    parts = read_key(program.key)
    assert parts
    revoke_key(parts.public_id)
    answer = program.ask("/types")
    assert (answer.status_code, answer.json["detail"]) == (401, "Access token invalid or expired")


@pytest.mark.settings("embedded")
def test_a_secret_key_is_a_token_and_a_forged_token_is_not(program: Program) -> None:
    token = program.sign_in()
    other = "0" if token[-1] != "0" else "1"
    for given, status in (
        (program.key, 200),
        (token, 200),
        (token[:-1] + other, 401),
        ("hwt_x", 401),
        ("", 401),
    ):
        answer = program.client.get("/v2/types", headers={"Authorization": f"Bearer {given}"})
        assert answer.status_code == status, given


@pytest.mark.settings("embedded")
@time_machine.travel(NOW, tick=False)
def test_token_requests_of_a_key_have_a_limit(program: Program) -> None:
    for _ in range(60):
        program.sign_in()
    answer = program.client.post(TOKEN, data=program.credentials)
    assert (answer.status_code, answer.json["type"], answer.headers["Retry-After"]) == (
        429,
        "about:blank",
        "60",
    )


@pytest.mark.settings("embedded")
def test_requests_count_against_the_accounts_quota(program: Program) -> None:
    first, second = program.ask("/types"), program.ask("/nothing")
    left = [int(each.headers["X-RateLimit-Remaining"]) for each in (first, second)]
    assert left[0] - left[1] == 1
    assert (second.status_code, second.json["title"], second.json["type"]) == (
        404,
        "Not Found",
        f"{ERRORS}/ERR-404/",
    )


@pytest.mark.settings("embedded")
def test_pages_of_every_origin_read_responses(program: Program) -> None:
    asked = {"Origin": "https://a.example", "Access-Control-Request-Headers": "authorization,x-api-sdk"}
    answer = program.client.options("/v2/animals", headers=asked)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Headers"] == "authorization,x-api-sdk"
    for each in (answer, program.ask("/types"), program.ask("/nothing")):
        assert each.headers["Access-Control-Allow-Origin"] == "*"
