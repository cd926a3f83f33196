"""The API's error codes. Each can be provoked, and each response has exactly the Error schema."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from adoption import errors
from adoption.accounts import plan_changes
from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.key_format import SCOPES
from adoption.accounts.plans import PLANS, Caps
from api.errors import CODES, STATUSES
from tests import cast
from tests.api.response_checks import ROUTES, specification_of

GOOD = {"name": "A", "categoryId": 1}
TABLE = {
    400: {"invalid_request"},
    401: {"invalid_api_key"},
    403: {"insufficient_scope", "plan_limit"},
    404: {"not_found"},
    405: {"method_not_allowed"},
    409: {"idempotency_conflict"},
    410: {"gone"},
    411: {"length_required"},
    413: {"payload_too_large"},
    415: {"unsupported_media_type"},
    429: {"rate_limited", "key_banned"},
    500: {"internal_error"},
    503: {"unavailable"},
}


def test_the_codes_are_those_of_the_contract() -> None:
    assert {status: code in TABLE[status] for status, code in CODES.items()} == dict.fromkeys(TABLE, True)


def test_every_domain_error_has_a_status() -> None:
    def kinds(kind: type[errors.Refusal]) -> set[type[errors.Refusal]]:
        return {kind}.union(*map(kinds, kind.__subclasses__()))

    # An invalid setting is reported when the service starts, before any request.
    refusals = kinds(errors.Refusal) - {errors.Refusal, errors.SettingRefused}
    assert set(STATUSES) >= {kind for kind in refusals if kind.__module__ == errors.__name__}
    assert set(STATUSES.values()) <= set(TABLE)


def provoke(
    shelter: cast.Shelter, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> list[TestResponse]:
    """Return a response of every kind while all stores can be reached."""
    _, reader = api_keys.create_key(shelter.slug, scopes=["orders:read"])
    once = {"Idempotency-Key": "once"}
    answers = [
        shelter.get("/v1/pets?limit=0"),
        shelter.post("/v1/pets", json={}),
        client.get("/v1/pets"),
        client.get("/v1/pets", headers={"Authorization": f"Bearer {reader}"}),
        shelter.get("/v1/pets/0"),
        shelter.get("/v1/nothing"),
        shelter.call("DELETE", "/v1/pets"),
        [shelter.post("/v1/pets", json=GOOD | {"name": name}, headers=once) for name in "AB"][1],
        shelter.post("/v1/pets", json=GOOD, headers={"Transfer-Encoding": "chunked"}),
        shelter.post("/v1/pets", data=b" " * 65_537, content_type="application/json"),
        shelter.post("/v1/pets", data="x", content_type="text/plain"),
    ]
    with monkeypatch.context() as patched:
        patched.setitem(PLANS, "business", replace(PLANS["business"], caps=Caps(0, 0, 0)))
        answers.append(shelter.post("/v1/pets", json=GOOD))
    with time_machine.travel(datetime(2030, 12, 5, tzinfo=UTC)):
        answers.append(shelter.get("/v1/pets/1"))
    with monkeypatch.context() as patched:
        patched.setattr("api.pets.page_of_animals", lambda *_: 1 / 0)
        answers.append(shelter.get("/v1/pets"))
        patched.setattr("api.pets.page_of_animals", unavailable)
        answers.append(shelter.get("/v1/pets"))
    plan_changes.set_plan(shelter.slug, "enterprise", 1, 1)
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        answers.append(shelter.get("/v1/pets"))
        clock.shift(1)
        answers += [shelter.get("/v1/pets") for _ in range(11)]
    return answers


def unavailable(*_: object) -> None:
    raise errors.Unavailable("The store is away.")


def test_each_error_code_can_be_provoked(
    shelter: cast.Shelter, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: dict[int, set[str]] = {}
    for answer in provoke(shelter, client, monkeypatch):
        met.setdefault(answer.status_code, set()).add(answer.json["code"])
        assert set(answer.json) == {"code", "message", "status"}
        assert answer.json["status"] == answer.status_code
        assert answer.content_type == "application/json"
    assert met == TABLE


def test_every_operation_rejects_unknown_parameters(app: APIFlask, shelter: cast.Shelter) -> None:
    shelter.add()
    animal = shelter.get("/v1/pets").json[0]["id"]
    ids = {"{petId}": animal, "{animalId}": animal, "{shelterId}": shelter.project_id}
    _, shelter.key = api_keys.create_key(shelter.slug, scopes=SCOPES)
    asked = [
        (method.upper(), "/v1" + re.sub(r"{\w+}", lambda found: str(ids[found[0]]), path))
        for path, methods in specification_of(app)["paths"].items()
        for method in methods
    ]
    assert len(asked) >= 6
    for method, path in asked:
        body = {"json": GOOD} if method == "POST" else {}
        answer = shelter.call(method, f"{path}?unknown=1", **body)
        assert (answer.status_code, answer.json["code"]) == (400, "invalid_request"), path
        assert "'unknown'" in answer.json["message"]
    assert len(shelter.get("/v1/pets").json) == 1


UNKNOWN = [
    "/v1",
    "/v1/",
    "/v1//pets",
    "/v1/pets/",
    "/v1/pets/1/x",
    "/v1/store",
    "/v1/%00",
    "/v1/é",
    "/v1/Pets",
]


def test_an_unknown_path_is_404_with_a_key_and_without(client: FlaskClient, shelter: cast.Shelter) -> None:
    for path in [*UNKNOWN, "/v1/../v1/pets", "/v1/.", "/v1/pets;x", "/v1/" + "a" * 5000]:
        for caller in (client, shelter):
            answer = caller.get(path)
            assert (answer.status_code, answer.json["code"]) == (404, "not_found"), path


def test_an_unknown_path_outside_v1_is_a_page(client: FlaskClient) -> None:
    for path in ("/nothing", "/v10", "/v1x/pets", "//v1/pets", "/api/v1/pets"):
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (404, "text/html")


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/v1/pets", {"GET", "HEAD", "POST"}),
        ("/v1/pets/1", {"GET", "HEAD"}),
        ("/v1/store/orders", {"GET", "HEAD"}),
        ("/v1/categories", {"GET", "HEAD"}),
        ("/v1/openapi.json", {"GET", "HEAD"}),
    ],
)
def test_another_method_is_405_with_allow(
    client: FlaskClient, shelter: cast.Shelter, path: str, allowed: set[str]
) -> None:
    for method in {"POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"} - allowed:
        for caller in (client.open, lambda path, method: shelter.call(method, path)):
            answer = caller(path, method=method)
            assert (answer.status_code, answer.json["code"]) == (405, "method_not_allowed")
            assert set(re.split(", ?", answer.headers["Allow"])) - {"OPTIONS"} == allowed


def test_options_returns_allow(shelter: cast.Shelter) -> None:
    answer = shelter.call("OPTIONS", "/v1/pets")
    assert (answer.status_code, answer.data, answer.content_type) == (204, b"", None)
    assert {"GET", "POST"} <= set(re.split(", ?", answer.headers["Allow"]))


@pytest.mark.settings("embedded")
def test_a_lower_case_method_is_405_with_allow(app: APIFlask) -> None:
    environ = EnvironBuilder(path="/v1/pets").get_environ() | {"REQUEST_METHOD": "post"}
    _, status, headers = run_wsgi_app(app, environ)
    assert status == "405 METHOD NOT ALLOWED"
    assert set(headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


@pytest.mark.settings("embedded")
def test_an_error_is_never_cached(shelter: cast.Shelter, client: FlaskClient) -> None:
    for answer in (
        client.get("/v1/pets"),
        shelter.get("/v1/nothing"),
        shelter.get("/v1/pets/0"),
        shelter.call("PUT", "/v1/pets"),
        shelter.get("/v1/pets?limit=0"),
    ):
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.settings("embedded")
def test_an_error_message_is_bounded(shelter: cast.Shelter) -> None:
    body = GOOD | {f"member{number}": 1 for number in range(3_000)}
    message = shelter.post("/v1/pets", json=body).json["message"]
    assert message.count(" is not a known member.") == 20
    assert message.endswith(" There are 2,980 more errors.")
    message = shelter.get("/v1/pets?" + "&".join(f"p{number}=1" for number in range(200))).json["message"]
    assert message == "The query has more than 100 parameters. Known parameters: limit, status, cursor."


@pytest.mark.settings("embedded")
def test_an_encoded_slash_in_x_forwarded_uri_is_not_a_path_separator(shelter: cast.Shelter) -> None:
    animal = shelter.add()
    for address, expected in ((f"/v1/pets/{animal}?x=%2F", 400), (f"/v1/pets%2f{animal}", 404)):
        answer = shelter.get(f"/v1/pets/{animal}?x=%2F", headers={"X-Forwarded-Uri": address})
        assert answer.status_code == expected


def test_a_500_has_the_request_id_and_no_details(
    shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("SELECT secret FROM inside")

    for name in ("page_of_animals", "add_animal", "listed_animal"):
        monkeypatch.setattr(f"api.pets.{name}", fail)
    for answer in (
        shelter.get("/v1/pets"),
        shelter.post("/v1/pets", json=GOOD),
        shelter.get("/v1/pets/1"),
    ):
        assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
        assert answer.headers["X-Request-Id"] in answer.json["message"]
        for inside in ("secret", "RuntimeError", "Traceback", "adoption", ".py"):
            assert inside not in answer.text
        assert answer.headers["X-Request-Id"] in caplog.text
    assert shelter.key not in caplog.text
    monkeypatch.undo()
    assert shelter.get("/v1/pets").json == []


def test_each_request_has_a_unique_id(client: FlaskClient, shelter: cast.Shelter) -> None:
    ids = [shelter.get("/v1/pets").headers["X-Request-Id"] for _ in range(20)]
    ids += [
        client.get(path).headers["X-Request-Id"] for path in ("/v1/pets", "/v1/nothing", "/v1/openapi.json")
    ]
    mine = shelter.get("/v1/pets", headers={"X-Request-Id": ids[0]}).headers["X-Request-Id"]
    assert len({*ids, mine}) == len(ids) + 1


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_response_has_its_headers(
    app: APIFlask,
    client: FlaskClient,
    shelter: cast.Shelter,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    path: str,
) -> None:
    """The test client checks the headers. Here every route returns every status that it can return."""
    _, nothing = api_keys.create_key(
        shelter.slug, scopes=["orders:read" if "orders" not in path else "pets:read"]
    )
    body = {"json": GOOD} if method == "POST" else {}
    answers = [
        shelter.call(method, path, **body),
        client.open(path, method=method, **body),
        client.open(path, method=method, headers={"Authorization": f"Bearer {nothing}"}, **body),
        shelter.call(method, path + "?unknown=1", **body),
        shelter.call(method, path, headers={"If-None-Match": "*"}, **body),
        shelter.call("HEAD", path),
        shelter.call("OPTIONS", path),
        shelter.call("PUT", path),
        shelter.post(path, data="x", content_type="text/plain"),
    ]
    for failure in (lambda *_: 1 / 0, unavailable):
        with monkeypatch.context() as patched:
            patched.setattr("api.authentication.caller_of", failure)
            answers.append(shelter.call(method, path, **body))
    with monkeypatch.context() as patched:
        patched.setattr(app.extensions["homeward.quotas"], "admit", unavailable)
        answers += [shelter.call(method, path, **body), client.open(path, method=method, **body)]
    plan_changes.set_plan(shelter.slug, "enterprise", 1, 1)
    answers += [shelter.call(method, path, **body) for _ in range(12)]
    assert {500, 503, 429} <= {answer.status_code for answer in answers}
    for answer in answers:
        for name in ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"):
            assert len(answer.headers.getlist(name)) == 1


def test_head_is_get_without_the_body(client: FlaskClient, shelter: cast.Shelter) -> None:
    differs = ("X-Request-Id", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Date")
    animal = shelter.add()
    shelter.add()
    paths = ["/v1/pets", "/v1/pets?limit=1", f"/v1/pets/{animal}", "/v1/store/orders", "/v1/categories"]
    for path in [*paths, "/v1/openapi.json", "/v1/pets/0", "/v1/pets?limit=0", "/v1/nothing"]:
        for caller in (shelter.call, lambda method, path: client.open(path, method=method)):
            get, head = caller("GET", path), caller("HEAD", path)
            assert (head.status_code, head.data) == (get.status_code, b"")
            assert [h for h in head.headers if h[0] not in differs] == [
                h for h in get.headers if h[0] not in differs
            ]


def test_no_response_sets_a_cookie(client: FlaskClient, shelter: cast.Shelter) -> None:
    for answer in (shelter.get("/v1/pets"), client.get("/v1/pets"), shelter.get("/v1/nothing")):
        assert "Set-Cookie" not in answer.headers


def test_every_route_rejects_a_request_without_a_key(app: APIFlask, client: FlaskClient) -> None:
    open_to_all = {"v1.specification"}
    routes = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/v1")]
    assert len(routes) >= 6
    for rule in routes:
        for method in rule.methods - {"OPTIONS"}:
            answer = client.open(rule.rule.replace("<pet_id>", "1"), method=method)
            assert answer.status_code == (200 if rule.endpoint in open_to_all else 401), rule
