"""Writes to SQLite, which has one writer at a time: how the others wait."""

import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

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
