"""Write transactions of SQLite, which allows only one writer at a time. Writers wait for each other."""

import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from adoption.errors import Unavailable

BUSY_SECONDS = 5
"""The seconds that a write waits for other writers."""

POLL_SECONDS = 0.002
"""The maximum seconds between two attempts to write. SQLite's own pause grows to 0.1 seconds, so with it this
process would seldom be first."""

WRITING = threading.Lock()
"""The lock that lets one thread of a process write at a time. Between processes, SQLite locks the file."""


@contextmanager
def turn_to_write() -> Iterator[None]:
    """Hold the process's lock for writing. Raises Unavailable if the lock is not free in time."""
    if not WRITING.acquire(timeout=BUSY_SECONDS):
        raise Unavailable("The database is busy at the moment.")
    try:
        yield
    finally:
        WRITING.release()


def begin_write(connection: sqlite3.Connection) -> None:
    """Begin a write transaction when no other process writes.

    Raises sqlite3.OperationalError if the wait is too long. A deferred transaction is not enough: it would
    fail if another process writes between its first read and its first write.
    """
    until = time.monotonic() + BUSY_SECONDS
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while not try_begin_write(connection, last=time.monotonic() >= until):
            time.sleep(random.uniform(0, POLL_SECONDS))  # noqa: S311 - so that two do not collide each time
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def try_begin_write(connection: sqlite3.Connection, last: bool) -> bool:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if last or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def is_read_only(error: BaseException | None) -> bool:
    """Return whether SQLite has opened the file without permission to write."""
    return (
        isinstance(error, sqlite3.Error)
        and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY
    )
