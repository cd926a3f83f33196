import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from argon2 import PasswordHasher
from flask.testing import FlaskClient
from flask_migrate import upgrade
from sqlalchemy import Engine, event

from adoption.accounts import password_hashes
from adoption.accounts.quotas import redis_storage
from adoption.accounts.quotas.limiter_storage import QuotaStorage
from adoption.accounts.quotas.redis_storage import RedisQuotas
from adoption.accounts.quotas.sqlite_storage import SqliteQuotas
from adoption.animals import facet_counts
from adoption.animals.records.breeds_in_use import breeds_of_hour
from adoption.directory.shelter_records import counts_of_minute
from adoption.domains.dns_transport import DnsServer
from adoption.projects.models import Project
from adoption.projects.shelter_choices import has_too_many_shelters
from adoption.settings import Settings
from adoption.storage.database import Base, db
from adoption.storage.queue import Queue, queue_of
from tests import cast, factories, servers
from tests.dns_server import Zone, serving
from wsgi import create_app

SETTINGS = ("embedded", "scaled")
KEPT_TABLES = {"categories"}
WITH_THEIR_ACCOUNT = {"audit_entries"}
"""Tables whose rows are deleted only together with their account."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that need a database in both settings, or in the settings of their mark ``settings``.

    One setting is enough if other tests send the same statements to the other database.
    """
    if "settings" in metafunc.fixturenames:
        named = metafunc.definition.get_closest_marker("settings")
        ways = named.args if named else SETTINGS
        assert ways, metafunc.definition.nodeid
        assert set(ways) <= set(SETTINGS), metafunc.definition.nodeid
        metafunc.parametrize("settings", ways, indirect=True, scope="session")


@pytest.fixture(scope="session")
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a service.

    ``embedded`` uses SQLite. ``scaled`` uses PostgreSQL and Redis.
    """
    environ = {"HOMEWARD_INSTANCE": str(tmp_path_factory.mktemp("instance")), "HOMEWARD_WORKERS": "2"}
    with ExitStack() as running:
        if request.param == "scaled":
            environ["HOMEWARD_DATABASE_URL"] = running.enter_context(servers.postgres())
            redis = running.enter_context(servers.redis())
            environ |= {"HOMEWARD_QUOTA_URL": redis, "HOMEWARD_QUEUE_URL": redis}
        yield Settings.from_environment(environ)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Make password hashes cheap. Real hashes are slow on purpose."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(password_hashes, "PASSWORDS", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


@pytest.fixture(scope="session", autouse=True)
def patience_with_redis() -> Iterator[None]:
    """Wait longer for Redis, which is slow while the machine runs all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redis_storage, "ANSWERS_WITHIN", 5)
        yield


AT_ONCE = ("process_photos", "read_imports")
"""Jobs that run as soon as they are queued, because a page waits for their result.

Tests of the waiting page postpone these jobs.
"""


def run_at_once(app: APIFlask) -> Queue:
    """A queue that runs the jobs of ``AT_ONCE`` immediately. Tests run all other jobs themselves."""
    jobs = app.extensions["homeward.jobs"]
    real = queue_of(app)
    now = {name: jobs[name].do for name in AT_ONCE if name in jobs}
    return Queue(real.huey, {**real.tasks, **now})


@pytest.fixture
def put_off(app: APIFlask) -> Iterator[Callable[[str], None]]:
    """Postpone a job. Return a function that runs it."""
    kept = app.extensions["homeward.queue"]
    app.extensions["homeward.queue"] = Queue(
        kept.huey, {**kept.tasks, **dict.fromkeys(AT_ONCE, lambda: None)}
    )
    yield lambda name: kept.tasks[name]()
    app.extensions["homeward.queue"] = kept


class Client(FlaskClient):
    """A client whose requests do not use the test's application context."""

    def open(self, *args: Any, **rest: Any) -> Any:
        with self.application.app_context():
            return super().open(*args, **rest)


@pytest.fixture(scope="session")
def service(settings: Settings) -> Iterator[APIFlask]:
    """The application on a migrated database. The application is built only once."""
    app = create_app(settings)
    app.test_client_class = Client
    app.extensions["homeward.queue"] = run_at_once(app)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            event.listen(db.engine, "connect", give_unordered_rows_backwards)
        upgrade()
    yield app
    with app.app_context():
        app.extensions["homeward.tally"].end()  # at this moment, the database still exists
        app.extensions["homeward.driver_connections"].close()
        db.engine.dispose()


def give_unordered_rows_backwards(connection: sqlite3.Connection, _record: object) -> None:
    """Reverse the order of unordered rows. Tests that rely on the order then fail."""
    connection.execute("PRAGMA reverse_unordered_selects = ON")


@pytest.fixture
def app(service: APIFlask) -> Iterator[APIFlask]:
    """The application with an empty database, in an application context."""
    with service.app_context():
        empty_tables(db.engine)
        forget_quotas(service.extensions["homeward.quotas"])
        for kept in (
            facet_counts.is_large,
            facet_counts.cached_counts,
            facet_counts.cached_groups,
            has_too_many_shelters,
            counts_of_minute,
            breeds_of_hour,
        ):
            kept.cache_clear()
        yield service


def empty_tables(engine: Engine) -> None:
    """Empty all tables. On PostgreSQL, a single statement empties all tables, which is faster."""
    emptied = [
        f"DELETE FROM {table.name}"
        for table in reversed(Base.metadata.sorted_tables)
        if table.name not in KEPT_TABLES | WITH_THEIR_ACCOUNT
    ]
    with engine.begin() as connection:
        driver: Any = connection.connection.driver_connection
        for statement in emptied if engine.dialect.name == "sqlite" else [";".join(emptied)]:
            driver.execute(statement)


FORGET_ALL = "".join(
    f"DELETE FROM {table};" for table in ("windows", "refusals", "strikes", "bans", "counters")
)


def forget_quotas(store: QuotaStorage) -> None:
    """Delete all quota counts, because SQLite reuses the ids of accounts and keys."""
    if isinstance(store, RedisQuotas):
        store.redis.flushdb()
    elif isinstance(store, SqliteQuotas):
        with store as connection:
            connection.executescript(FORGET_ALL)


@pytest.fixture
def client(app: APIFlask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def shelter(client: FlaskClient) -> cast.Shelter:
    return cast.shelter(client)


@pytest.fixture
def neighbour(client: FlaskClient) -> cast.Shelter:
    """A shelter of another account."""
    return cast.shelter(client, "Harbour Cats")


@pytest.fixture
def elm(app: APIFlask) -> Project:
    """A published project on a plan with custom domains."""
    return factories.project("Elm Road", plan="pro")


@pytest.fixture
def owner(app: APIFlask) -> cast.Colleague:
    """The signed-in owner of a shelter."""
    return cast.owner(app)


@pytest.fixture
def teammate(app: APIFlask, owner: cast.Colleague) -> cast.Colleague:
    """A signed-in staff member of the owner's shelter."""
    return cast.teammate(app, owner)


@pytest.fixture
def outsider(app: APIFlask) -> cast.Colleague:
    """The signed-in owner of another account."""
    return cast.owner(app, "Harbour Cats", "owner@harbour.example")


@pytest.fixture(scope="session")
def loopback() -> Iterator[tuple[Zone, DnsServer]]:
    zone = Zone()
    with serving(zone) as server:
        yield zone, server


@pytest.fixture
def zone(loopback: tuple[Zone, DnsServer]) -> Zone:
    """The records of the loopback DNS server, at first without any record."""
    known = loopback[0]
    known.__dict__.update(Zone().__dict__)
    return known


@pytest.fixture
def name_server(loopback: tuple[Zone, DnsServer], zone: Zone) -> DnsServer:
    """The address of the loopback DNS server."""
    return loopback[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The root folder of the repository."""
    return Path(__file__).parent.parent
