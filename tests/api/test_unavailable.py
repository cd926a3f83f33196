"""503 while a store is unreachable, and recovery afterwards."""

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from flask_migrate import upgrade
from redis import Redis
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from werkzeug.test import TestResponse

from adoption.accounts import plan_changes
from adoption.accounts.quotas import redis_storage
from adoption.accounts.quotas.redis_storage import RedisQuotas
from adoption.accounts.quotas.sqlite_storage import SqliteQuotas
from adoption.settings import Settings
from adoption.storage import sqlite_writes
from adoption.storage.database import db
from tests import cast, servers
from tests.api.conftest import client_of
from tests.api.response_checks import ROUTES
from tests.portal.visitor import Visitor
from tests.statements import next_connection
from tests.waiting import wait_for
from wsgi import create_app

GOOD = {"name": "A", "categoryId": 1}

END_ALL_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


def assert_unavailable(answer: TestResponse) -> None:
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable"), answer.text
    assert int(answer.headers["Retry-After"]) >= 1
    assert answer.headers["X-RateLimit-Remaining"].isdigit()
    for inside in ("sqlite", "psycopg", "redis", "locked", "connection", "SELECT"):
        assert inside not in answer.text.lower()


def assert_all_unavailable(client: FlaskClient, shelter: cast.Shelter) -> None:
    for method, path in ROUTES:
        assert_unavailable(shelter.call(method, path))
        assert_unavailable(client.open(path, method=method))


@contextmanager
def separate_service(tmp_path: Path, **environ: str) -> Iterator[APIFlask]:
    """A service with stores of its own, which tests may break."""
    given = {"HOMEWARD_INSTANCE": str(tmp_path)} | {f"HOMEWARD_{k}": v for k, v in environ.items()}
    app = create_app(Settings.from_environment(given))
    with app.app_context():
        upgrade()
        yield app
        app.extensions["homeward.driver_connections"].close()
        db.engine.dispose()


def test_a_locked_database_is_503_for_writes_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_writes, "BUSY_SECONDS", 0.05)
    with separate_service(tmp_path) as app:
        shelter = cast.shelter(client_of(app))
        other = sqlite3.connect(tmp_path / "homeward.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert_unavailable(shelter.post("/v1/pets", json=GOOD))
        assert_unavailable(shelter.post("/v1/pets", json=GOOD, headers={"Idempotency-Key": "once"}))
        assert shelter.get("/v1/pets").json == []
        other.execute("ROLLBACK")
        other.close()
        assert shelter.post("/v1/pets", json=GOOD, headers={"Idempotency-Key": "once"}).status_code == 201
        assert len(shelter.get("/v1/pets").json) == 1


def test_a_database_that_cannot_be_opened_is_503(tmp_path: Path) -> None:
    with separate_service(tmp_path) as app:
        shelter = cast.shelter(client_of(app))
        kept = db.engine.url
        app.extensions["homeward.driver_connections"].close()
        db.engine.dispose()
        database = Path(str(kept.database))
        for suffix in ("-wal", "-shm"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        database.rename(tmp_path / "away")
        database.mkdir()
        # Requests without a key need no database.
        for path in ("/v1/pets", "/v1/pets/1", "/v1/store/orders"):
            assert_unavailable(shelter.get(path))
            assert client_of(app).get(path).status_code == 401
        assert_unavailable(shelter.post("/v1/pets", json=GOOD))
        database.rmdir()
        (tmp_path / "away").rename(database)
        assert shelter.get("/v1/pets").status_code == 200
        assert shelter.post("/v1/pets", json=GOOD).status_code == 201


def open_for_reading_alone(app: APIFlask) -> None:
    """Make connections read-only, as SQLite does if it may not write the file that it opens.

    With ``query_only``, writes fail with the same error code.
    """
    with db.engine.connect() as pooled, app.extensions["homeward.quotas"] as quotas:
        pooled.exec_driver_sql("PRAGMA query_only = ON")
        for each in (next_connection(app.extensions["homeward.driver_connections"]), quotas):
            each.execute("PRAGMA query_only = ON")


def test_a_connection_from_a_read_only_disk_is_not_reused(tmp_path: Path) -> None:
    with separate_service(tmp_path) as app:
        shelter = cast.shelter(client_of(app))
        open_for_reading_alone(app)
        for _store in ("quotas", "database"):
            assert_unavailable(shelter.post("/v1/pets", json=GOOD))
        assert shelter.post("/v1/pets", json=GOOD).status_code == 201
        assert len(shelter.get("/v1/pets").json) == 1
        open_for_reading_alone(app)
        with pytest.raises(DBAPIError, match="readonly"):
            plan_changes.set_plan(shelter.slug, "pro")
        plan_changes.set_plan(shelter.slug, "pro")


@pytest.mark.settings("scaled")  # SQLite has no connections to lose
def test_lost_database_connections_are_replaced(app: APIFlask, shelter: cast.Shelter) -> None:
    shelter.add()
    with db.engine.connect() as connection:
        connection.execute(text(END_ALL_OTHERS))
    assert [shelter.get("/v1/pets").status_code for _ in range(3)] == [200, 200, 200]
    assert shelter.post("/v1/pets", json=GOOD).status_code == 201


def test_an_unreachable_database_server_is_503(app: APIFlask, settings: Settings) -> None:
    away = f"postgresql+psycopg://homeward@127.0.0.1:{servers.free_port()}/postgres"
    other = create_app(settings.model_copy(update={"database_url": away}))
    client = client_of(other)
    from adoption.accounts.api_access.key_format import generate_key

    for method in ("GET", "POST"):
        headers = {"Authorization": f"Bearer {generate_key()[0]}"}
        assert_unavailable(client.open("/v1/pets", method=method, headers=headers, json=GOOD))
    assert client.get("/v1/pets").status_code == 401


def test_a_quota_file_that_cannot_be_opened_is_503_on_every_route(tmp_path: Path) -> None:
    (tmp_path / "quotas.sqlite3").mkdir()
    with separate_service(tmp_path) as app:
        client = client_of(app)
        shelter = cast.shelter(client)
        assert_all_unavailable(client, shelter)
        (tmp_path / "quotas.sqlite3").rmdir()
        assert shelter.get("/v1/pets").json == []
        assert client.get("/v1/pets").status_code == 401


def test_a_locked_quota_file_is_503(tmp_path: Path) -> None:
    with separate_service(tmp_path) as app:
        client = client_of(app)
        shelter = cast.shelter(client)
        before = int(shelter.get("/v1/pets").headers["X-RateLimit-Remaining"])
        store = app.extensions["homeward.quotas"]
        assert isinstance(store, SqliteQuotas)
        with store as connection:
            connection.execute("PRAGMA busy_timeout = 20")
        other = sqlite3.connect(tmp_path / "quotas.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert_all_unavailable(client, shelter)
        other.execute("ROLLBACK")
        other.close()
        assert int(shelter.get("/v1/pets").headers["X-RateLimit-Remaining"]) == before - 1


@contextmanager
def stopped(address: str) -> Iterator[None]:
    """Let a Redis server accept connections but never answer."""
    process = Redis.from_url(address).info("server")["process_id"]
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@contextmanager
def refusing(address: str) -> Iterator[None]:
    """Let a Redis server close its connections and accept no new ones."""
    socket = Path(address.removeprefix("unix://").removesuffix("?db=0"))
    away = socket.with_name("away.sock")
    socket.rename(away)
    other = Redis(unix_socket_path=str(away))
    other.client_kill_filter(_type="normal", skipme=True)
    other.close()
    try:
        yield
    finally:
        away.rename(socket)


def spy_on_scripts(store: RedisQuotas, patch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the digest of each script is added when the store runs it."""
    digests: list[str] = []
    run = store.redis.evalsha

    def spy(digest: str, *rest: Any) -> Any:
        digests.append(digest)
        return run(digest, *rest)

    patch.setattr(store.redis, "evalsha", spy)
    return digests


@pytest.mark.parametrize("outage", [stopped, refusing])
def test_an_unreachable_redis_is_tried_once_and_delays_no_page(
    tmp_path: Path,
    outage: Callable[[str], AbstractContextManager[None]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(redis_storage, "ANSWERS_WITHIN", 0.2)
    with servers.redis() as address, separate_service(tmp_path, QUOTA_URL=address) as app:
        client = client_of(app)
        shelter = cast.shelter(client)
        store = app.extensions["homeward.quotas"]
        assert isinstance(store, RedisQuotas)
        assert shelter.get("/v1/pets").status_code == 200
        requests = spy_on_scripts(store, monkeypatch)
        with outage(address):
            assert_all_unavailable(client, shelter)
            assert client.get("/").status_code == 200
            visitor = Visitor(client)
            tries = [visitor.sign_in("nobody@example.org", "wrong").status_code for _ in range(9)]
            assert tries == [422] * 8 + [429]
            assert client.get("/readyz").status_code == 503
            assert len(requests) == 1
        wait_for("Redis to be used again", lambda: shelter.get("/v1/pets").status_code == 200)
        assert client.get("/v1/pets").status_code == 401
        assert visitor.sign_in("nobody@example.org", "wrong").status_code == 422
    assert len([each for each in caplog.messages if "quota store cannot be reached" in each]) == 1


def test_a_restarted_redis_is_used_at_once(tmp_path: Path) -> None:
    with servers.redis() as address, separate_service(tmp_path, QUOTA_URL=address) as app:
        shelter = cast.shelter(client_of(app))
        assert shelter.get("/v1/pets").status_code == 200
        other = Redis.from_url(address)
        other.script_flush()
        other.client_kill_filter(_type="normal", skipme=True)
        statuses = [shelter.get("/v1/pets").status_code for _ in range(3)]
        assert statuses[-1] == 200
        assert set(statuses) <= {200, 503}


def test_a_503_uses_no_quota(tmp_path: Path) -> None:
    with separate_service(tmp_path) as app:
        shelter = cast.shelter(client_of(app))
        plan_changes.set_plan(shelter.slug, "enterprise", 3, 3)
        assert shelter.get("/v1/pets").status_code == 200
        quotas = app.extensions["homeward.quotas"]
        good = quotas.path
        quotas.path, quotas.connection = str(tmp_path), None
        for _ in range(20):
            assert_unavailable(shelter.get("/v1/pets"))
        quotas.path = good
        assert [shelter.get("/v1/pets").status_code for _ in range(3)] == [200, 200, 429]
