"""Changes that wait for the disk at the same time, on SQLite: one commit for all, and each its own answer."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from apiflask import APIFlask
from sqlalchemy import event, select

from adoption import database
from adoption.animals.actions import NewAnimal, add_animal
from adoption.animals.models import Animal
from adoption.database import db, reading
from adoption.errors import Unavailable
from tests import cast

pytestmark = pytest.mark.parametrize("settings", ["embedded"], indirect=True)


@contextmanager
def each_new_connection(done: Callable[[sqlite3.Connection], object]) -> Iterator[None]:
    def connected(connection: sqlite3.Connection, _record: object) -> None:
        done(connection)

    db.engine.dispose()
    event.listen(db.engine, "connect", connected)
    try:
        yield
    finally:
        event.remove(db.engine, "connect", connected)


def add(shelter: cast.Shelter, name: str) -> int:
    """The database itself refuses "Nobody", for a status that there is not."""
    status = "lost" if name == "Nobody" else "available"
    return add_animal(shelter.project_id, NewAnimal(name, 1, status))[0][0]


def add_while_another_writes(app: APIFlask, shelter: cast.Shelter, names: list[str]) -> list[Future[int]]:
    """Each name from a thread of its own, all of them waiting before the first can begin."""

    def begin(name: str) -> int:
        with app.app_context():
            return add(shelter, name)

    waiting = app.extensions["homeward.reader"].waiting
    with ThreadPoolExecutor(len(names)) as pool, database.WRITING:
        added = [pool.submit(begin, name) for name in names]
        while len(waiting) < len(names) and not any(one.done() for one in added):
            time.sleep(0.001)
    return added


def kept() -> dict[int, str]:
    with reading() as session:
        return {animal.id: animal.name for animal in session.scalars(select(Animal))}


def test_those_that_wait_are_committed_together(app: APIFlask, shelter: cast.Shelter) -> None:
    names = [f"Animal {number}" for number in range(6)]
    opened: list[sqlite3.Connection] = []
    with each_new_connection(opened.append):
        added = add_while_another_writes(app, shelter, names)
    assert len(opened) == 1  # a thread opens its connection at its first use: one of them did it all
    assert kept() == {one.result(): name for one, name in zip(added, names, strict=True)}


def test_one_that_cannot_be_is_refused_alone(app: APIFlask, shelter: cast.Shelter) -> None:
    good, bad, other = add_while_another_writes(app, shelter, ["Biscuit", "Nobody", "Pepper"])
    assert isinstance(bad.exception(), sqlite3.IntegrityError)
    assert kept() == {good.result(): "Biscuit", other.result(): "Pepper"}


def test_where_the_commit_fails_nobody_is_told_of_success(app: APIFlask, shelter: cast.Shelter) -> None:
    def break_commits(connection: sqlite3.Connection) -> None:
        connection.set_authorizer(
            lambda action, what, *_: (
                sqlite3.SQLITE_DENY
                if (action, what) == (sqlite3.SQLITE_TRANSACTION, "COMMIT")
                else sqlite3.SQLITE_OK
            )
        )

    with each_new_connection(break_commits):
        added = add_while_another_writes(app, shelter, ["Biscuit", "Pepper"])
    assert all(isinstance(one.exception(), sqlite3.DatabaseError) for one in added)
    assert kept() == {}


def test_one_that_has_waited_too_long_is_not_done_later(
    app: APIFlask, shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    with database.WRITING, pytest.raises(Unavailable):
        add(shelter, "Biscuit")
    pepper = shelter.add("Pepper")
    assert kept() == {pepper: "Pepper"}
