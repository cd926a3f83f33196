"""API keys: authentication, scopes, expiry and revocation."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, text, update
from werkzeug.test import TestResponse

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.key_format import checksum, generate_key
from adoption.accounts.models import ApiKey
from adoption.storage.database import Base, db, reading, transaction
from tests import cast

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def key_row(shelter: cast.Shelter) -> ApiKey:
    with reading() as session:
        return session.scalars(select(ApiKey).where(ApiKey.project_id == shelter.project_id)).one()


def expire(shelter: cast.Shelter, when: datetime) -> None:
    with transaction() as session:
        session.execute(update(ApiKey).where(ApiKey.project_id == shelter.project_id).values(expires_at=when))


def replace_secret(key: str) -> str:
    secret = "A" if key[16] != "A" else "B"
    body = key[:16] + secret + key[17:-6]
    return body + checksum(body)


def comparable(response: TestResponse) -> tuple[object, ...]:
    """Return the response without the parts that differ between requests."""
    ours = {"X-Request-Id", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
    return response.status_code, response.data, [pair for pair in response.headers if pair[0] not in ours]


def test_a_valid_key_is_accepted(shelter: cast.Shelter) -> None:
    assert shelter.get("/v1/pets").status_code == 200


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_the_bearer_scheme_ignores_case(client: FlaskClient, shelter: cast.Shelter, scheme: str) -> None:
    answer = client.get("/v1/pets", headers={"Authorization": f"{scheme} {shelter.key}"})
    assert answer.status_code == 200


@time_machine.travel(NOW, tick=False)
def test_every_invalid_key_gets_the_same_401(client: FlaskClient, neighbour: cast.Shelter) -> None:
    revoked, expired = cast.shelter(client, "Revoked"), cast.shelter(client, "Expired")
    api_keys.revoke_key(key_row(revoked).public_id)
    expire(expired, NOW)
    key = neighbour.key
    headers: list[dict[str, str]] = [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {key} {key}"},
        {"Authorization": key},
        {"Authorization": f"Token {key}"},
        {"Authorization": f"Bearer {key[:-1]}"},
        {"Authorization": f"Bearer {key}0"},
        {"Authorization": f"Bearer {key[:-1]}{'0' if key[-1] != '0' else '1'}"},
        {"Authorization": f"Bearer {key.replace('hw_', 'HW_')}"},
        {"Authorization": f"Bearer {generate_key()[0]}"},
        {"Authorization": f"Bearer {replace_secret(key)}"},
        {"Authorization": f"Bearer {revoked.key}"},
        {"Authorization": f"Bearer {expired.key}"},
        {"Authorization": "Bearer ' OR 1=1 --"},
        {"Authorization": "Bearer \x80\xff"},
    ]
    answers = [comparable(client.get("/v1/pets", headers=each)) for each in headers]
    assert answers[0][0] == 401
    assert answers == [answers[0]] * len(headers)


def test_a_401_has_www_authenticate(client: FlaskClient, app: APIFlask) -> None:
    answer = client.get("/v1/pets")
    assert answer.status_code == 401
    assert answer.json["code"] == "invalid_api_key"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_key_outside_the_authorization_header_is_ignored(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    key = shelter.key
    basic = base64.b64encode(f"{key}:".encode()).decode()
    for name in ("key", "api_key", "token", "access_token", "Authorization", "X-API-Key"):
        client.set_cookie(name, key)
        client.set_cookie(name, f"Bearer {key}")
        assert client.get("/v1/categories", query_string={name: key}).status_code == 401
        assert client.get("/v1/categories", headers={"X-API-Key": key, "API-Key": key}).status_code == 401
    assert client.get("/v1/categories", headers={"Authorization": f"Basic {basic}"}).status_code == 401
    body = {"name": "A", "categoryId": 1, "access_token": key}
    assert client.post("/v1/pets", json=body).status_code == 401


def test_a_key_with_a_wrong_checksum_is_rejected_without_a_lookup(
    client: FlaskClient, shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_up(*_: object) -> None:
        raise AssertionError("looked up")

    monkeypatch.setattr("api.authentication.caller_of", look_up)
    mistyped = shelter.key[:20] + ("x" if shelter.key[20] != "x" else "y") + shelter.key[21:]
    assert client.get("/v1/pets", headers={"Authorization": f"Bearer {mistyped}"}).status_code == 401


def test_a_secret_scanner_recognises_a_key() -> None:
    key, parts = generate_key()
    prefix, public, rest = key.split("_")
    assert (prefix, public) == ("hw", parts.public_id)
    assert checksum(key[:-6]) == rest[-6:]
    assert 62 ** len(rest[:-6]) >= 2**160


def test_only_a_hash_of_a_key_is_stored(shelter: cast.Shelter) -> None:
    shelter.get("/v1/pets")
    secret = shelter.key[len("hw_") + 13 :]
    with db.engine.connect() as connection:
        rows = [
            str(connection.execute(text(f"SELECT * FROM {table}")).all()) for table in Base.metadata.tables
        ]
    assert key_row(shelter).public_id in "".join(rows)
    assert not any(secret in rows_of or secret[:-6] in rows_of for rows_of in rows)


def test_a_key_has_all_scopes_by_default(shelter: cast.Shelter) -> None:
    assert key_row(shelter).scopes == "pets:read pets:write orders:read"


@pytest.mark.parametrize(
    ("scope", "method", "path"),
    [
        ("pets:read", "GET", "/v1/pets"),
        ("pets:read", "GET", "/v1/pets/1"),
        ("pets:write", "POST", "/v1/pets"),
        ("orders:read", "GET", "/v1/store/orders"),
    ],
)
def test_a_key_without_the_scope_is_rejected(
    shelter: cast.Shelter, scope: str, method: str, path: str
) -> None:
    others = {"pets:read", "pets:write", "orders:read"} - {scope}
    _, without = api_keys.create_key(shelter.slug, scopes=sorted(others))
    _, alone = api_keys.create_key(shelter.slug, scopes=[scope])
    body = {"json": {"name": "A", "categoryId": 1}} if method == "POST" else {}
    shelter.key = without
    refused = shelter.call(method, path, **body)
    assert (refused.status_code, refused.json["code"]) == (403, "insufficient_scope")
    assert scope in refused.json["message"]
    shelter.key = alone
    assert shelter.call(method, path, **body).status_code in (200, 201, 404)


@pytest.mark.settings("embedded")
def test_a_key_for_animals_can_read_the_categories(shelter: cast.Shelter) -> None:
    for scope, expected in (("pets:read", 200), ("pets:write", 200), ("orders:read", 403)):
        _, shelter.key = api_keys.create_key(shelter.slug, scopes=[scope])
        answer = shelter.get("/v1/categories")
        assert answer.status_code == expected
    assert "lacks the scope pets:read or pets:write" in answer.json["message"]


def test_a_rejected_write_adds_nothing(shelter: cast.Shelter) -> None:
    full = shelter.key
    _, shelter.key = api_keys.create_key(shelter.slug, scopes=["pets:read"])
    assert shelter.post("/v1/pets", json={"name": "A", "categoryId": 1}).status_code == 403
    shelter.key = full
    assert shelter.get("/v1/pets").json == []


def test_a_revoked_key_is_rejected_at_once(shelter: cast.Shelter) -> None:
    assert shelter.get("/v1/pets").status_code == 200
    api_keys.revoke_key(key_row(shelter).public_id)
    assert shelter.get("/v1/pets").status_code == 401


def test_revoking_a_key_keeps_other_keys(shelter: cast.Shelter) -> None:
    revoked, _ = api_keys.create_key(shelter.slug)
    api_keys.revoke_key(revoked.public_id)
    assert shelter.get("/v1/pets").status_code == 200


def test_a_key_works_until_it_expires(shelter: cast.Shelter) -> None:
    expire(shelter, NOW)
    with time_machine.travel(NOW - timedelta(seconds=1), tick=False):
        assert shelter.get("/v1/pets").status_code == 200
    with time_machine.travel(NOW, tick=False):
        assert shelter.get("/v1/pets").status_code == 401


def test_a_key_may_expire_after_32_bit_time(shelter: cast.Shelter) -> None:
    expire(shelter, datetime(2100, 1, 1, tzinfo=UTC))
    assert shelter.get("/v1/pets").status_code == 200
    with time_machine.travel(datetime(2050, 1, 1, tzinfo=UTC), tick=False):
        assert shelter.get("/v1/pets").status_code == 200
        assert shelter.get("/v1/pets").status_code == 200


def test_the_last_use_of_a_key_is_saved_once_a_minute(shelter: cast.Shelter) -> None:
    assert key_row(shelter).last_used_at is None
    for seconds, noted in [(0, 0), (59, 0), (60, 0), (61, 61), (100, 61)]:
        with time_machine.travel(NOW + timedelta(seconds=seconds), tick=False):
            assert shelter.get("/v1/pets").status_code == 200
        last = key_row(shelter).last_used_at
        assert last is not None
        assert last - NOW in (timedelta(seconds=noted), timedelta(seconds=min(seconds, 60)))


def test_a_key_sees_only_its_own_project(shelter: cast.Shelter, neighbour: cast.Shelter) -> None:
    theirs = neighbour.add("Theirs")
    assert shelter.get("/v1/pets").json == []
    assert shelter.get(f"/v1/pets/{theirs}").status_code == 404
    assert neighbour.get(f"/v1/pets/{theirs}").status_code == 200
