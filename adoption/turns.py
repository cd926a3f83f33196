"""Writing to SQLite, which takes one writer at a time: how one waits, and what shares a commit."""

import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from adoption.errors import Unavailable

BUSY_SECONDS = 5
"""How long one write waits for another."""

POLL_SECONDS = 0.002
"""At most between two tries. SQLite's own waiting grows to a tenth of a second, and then others go first."""

WRITING = threading.Lock()
"""The threads of a process take turns here; those of other processes at the file."""


@contextmanager
def turn_to_write() -> Iterator[None]:
    """Hold the process's turn to write. Raises Unavailable."""
    if not WRITING.acquire(timeout=BUSY_SECONDS):
        raise Unavailable("The database is busy at the moment.")
    try:
        yield
    finally:
        WRITING.release()


def begin(connection: sqlite3.Connection) -> None:
    """Begin a transaction that writes, once no other process does. Raises sqlite3.OperationalError.

    A deferred one that reads and then writes would fail at once when another has written meanwhile.
    """
    until = time.monotonic() + BUSY_SECONDS
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while not begun(connection, last=time.monotonic() >= until):
            time.sleep(random.uniform(0, POLL_SECONDS))  # noqa: S311 - so that two do not meet again and again
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def begun(connection: sqlite3.Connection, last: bool) -> bool:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if last or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def is_read_only(error: BaseException | None) -> bool:
    """Whether SQLite has opened the file without the right to write to it."""
    return (
        isinstance(error, sqlite3.Error)
        and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY
    )


class Turn:
    """What a thread changes one after the other and commits once: a commit costs several times a change.

    Nobody may be told of a change before ``commit`` has run and the change is not among the ``lost``.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self.connect = connect
        self.changes = 0
        """Made until now. A change is named by its number, from 1."""
        self.lost: set[int] = set()
        """Those that did not come to the disk."""
        self.error: sqlite3.Error | None = None
        """Why the last of them were lost."""
        self.uncommitted: set[int] = set()
        self.holds = False
        self.read_only = False
        """Whether the connection is good for nothing more than reading."""

    def change(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Carry one change out. Raises Unavailable, and the driver's errors: then it is undone alone."""
        if not self.holds:
            # Not before: where there is none to be had, it is the change that fails.
            self.connection = self.connect()
            try:
                self.begin()
            except sqlite3.Error as error:
                self.read_only = is_read_only(error)
                raise
        try:
            rows = self.connection.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            self.read_only = self.read_only or is_read_only(error)
            if not self.connection.in_transaction:  # a full disk and its like undo all of it
                self.end(error)
            raise
        self.changes += 1
        self.uncommitted.add(self.changes)
        return rows

    def commit(self) -> None:
        """Put what was changed on disk; what fails is among the ``lost`` then."""
        if not self.holds:
            return
        try:
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.end(error)
        else:
            self.end(None)

    def begin(self) -> None:
        if not WRITING.acquire(timeout=BUSY_SECONDS):
            raise Unavailable("The database is busy at the moment.")
        try:
            begin(self.connection)
        except BaseException:
            WRITING.release()
            raise
        self.holds = True

    def end(self, error: sqlite3.Error | None) -> None:
        if error is not None:
            self.error = error
            self.lost |= self.uncommitted
        self.uncommitted.clear()
        self.holds = False
        try:
            if self.connection.in_transaction:
                self.connection.rollback()
        finally:
            WRITING.release()
