"""Recorded SQL statements."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from adoption.storage.database import db
from adoption.storage.driver_connections import DriverConnections


@contextmanager
def recorded_statements() -> Iterator[list[str]]:
    """Yield the statements of this thread. Statements of background threads are left out."""
    asked: list[str] = []
    mine = threading.get_ident()

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if threading.get_ident() == mine:
            asked.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(db.engine, "before_cursor_execute", note)


def next_connection(connections: DriverConnections) -> Any:
    """Return the driver's connection for the next statement."""
    connection = connections.take()
    connections.give_back(connection)
    return connection


@contextmanager
def read_statements(connections: DriverConnections) -> Iterator[list[str]]:
    """Yield the statements that SQLite runs on these connections meanwhile.

    The parameters are filled in.
    """
    run: list[str] = []
    connection = next_connection(connections)
    connection.set_trace_callback(run.append)
    try:
        yield run
    finally:
        connection.set_trace_callback(None)
