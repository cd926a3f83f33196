"""Writes to SQLite: one at a time, each committed or rolled back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from adoption.accounts.models import Account
from adoption.animals.api_animal_creation import NewAnimal, add_animal
from adoption.animals.models import Animal
from adoption.audit.actors import OPERATOR
from adoption.clocks import utc_now
from adoption.errors import Unavailable
from adoption.imports import start_and_cancel, uploads
from adoption.imports.import_job import run_claimed_import, run_waiting
from adoption.imports.job_lease import claim_next_import
from adoption.imports.queries import STALE_AFTER
from adoption.imports.safe_fetch import WORLD
from adoption.storage import sqlite_writes
from adoption.storage.database import cause_of, is_unavailable, reading, transaction
from adoption.storage.driver_connections import DriverConnections
from tests import cast
from tests.statements import next_connection

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture
def shelter(client: FlaskClient) -> cast.Shelter:
    """A shelter without a limit on animals, so that one statement adds an animal."""
    made = cast.shelter(client)
    with transaction() as session:
        session.execute(update(Account).values(plan="enterprise"))
    return made


@pytest.fixture
def connections(app: APIFlask) -> DriverConnections:
    found: DriverConnections = app.extensions["homeward.driver_connections"]
    return found


def add(shelter: cast.Shelter, name: str) -> int:
    """Add an animal. An animal called "Nobody" gets an unknown status, so the database rejects it."""
    status = "lost" if name == "Nobody" else "available"
    return add_animal(shelter.project_id, NewAnimal(name, 1, status))[0][0]


def stored_names() -> list[str]:
    with reading() as session:
        return list(session.scalars(select(Animal.name).order_by(Animal.id)))


@contextmanager
def commits_that_fail(connection: sqlite3.Connection) -> Iterator[None]:
    denied = (sqlite3.SQLITE_TRANSACTION, "COMMIT")
    connection.set_authorizer(
        lambda action, what, *_: sqlite3.SQLITE_DENY if (action, what) == denied else sqlite3.SQLITE_OK
    )
    yield
    connection.set_authorizer(None)


def test_a_rejected_change_is_rolled_back_and_the_next_can_write(shelter: cast.Shelter) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        add(shelter, "Nobody")
    add(shelter, "Pepper")
    assert stored_names() == ["Pepper"]


def test_a_failed_commit_is_an_error_and_the_next_can_write(
    shelter: cast.Shelter, connections: DriverConnections
) -> None:
    with commits_that_fail(next_connection(connections)), pytest.raises(sqlite3.DatabaseError):
        add(shelter, "Biscuit")
    add(shelter, "Pepper")
    assert stored_names() == ["Pepper"]


def test_a_change_that_times_out_is_not_made_later(
    shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writes, "BUSY_SECONDS", 0.01)
    with sqlite_writes.WRITING, pytest.raises(Unavailable):
        add(shelter, "Biscuit")
    add(shelter, "Pepper")
    assert stored_names() == ["Pepper"]


def test_a_change_waits_for_the_lock_of_another_process(
    app: APIFlask, shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writes, "BUSY_SECONDS", 0.01)
    with locked_by_another_process(app), pytest.raises(sqlite3.OperationalError):
        add(shelter, "Biscuit")
    add(shelter, "Pepper")
    assert stored_names() == ["Pepper"]


@contextmanager
def locked_by_another_process(app: APIFlask) -> Iterator[None]:
    """Hold the database's write lock in another process."""
    file = app.config["HOMEWARD"].database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file, isolation_level=None)) as another:
        another.execute("BEGIN IMMEDIATE")
        yield
        another.execute("ROLLBACK")


def test_a_transaction_that_cannot_begin_is_unavailable(
    app: APIFlask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writes, "BUSY_SECONDS", 0.01)
    with locked_by_another_process(app), pytest.raises(SQLAlchemyError) as found, transaction() as session:
        session.connection()
    assert is_unavailable(found.value)
    assert cause_of(found.value) == "database is locked"


def test_an_import_retries_while_the_database_is_locked(
    app: APIFlask, shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_writes, "BUSY_SECONDS", 0.01)
    made = uploads.upload_spreadsheet(
        shelter.project_id, "a.csv", BytesIO(b"name,species\nRex,Dog\n"), OPERATOR
    )
    start_and_cancel.request_run(shelter.project_id, made.id, False, OPERATOR)
    claim = claim_next_import(utc_now)
    assert claim is not None
    with locked_by_another_process(app):
        run_claimed_import(claim, WORLD, utc_now)
    assert stored_names() == []
    run_waiting(WORLD, lambda: utc_now() + STALE_AFTER * 2)
    assert stored_names() == ["Rex"]
