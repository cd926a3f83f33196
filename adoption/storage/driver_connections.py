"""Persistent connections of the database driver, without SQLAlchemy, for the statements of most requests."""

import sqlite3
from typing import Any

import psycopg
from flask import current_app
from sqlalchemy import Engine

from adoption.storage.sqlite_writes import begin_write


class DriverConnections:
    """Persistent connections of the database driver. Each statement is a transaction of its own.

    A connection from SQLAlchemy's pool for each statement took 14 to 21 % of the time of an API request. The
    most recently used connection is used next, because SQLite caches pages and compiled statements for each
    connection.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.idle: list[Any] = []

    def take(self) -> Any:
        """Return a connection that no other thread uses until ``give_back``."""
        try:
            return self.idle.pop()
        except IndexError:
            return self.connect()

    def give_back(self, connection: Any) -> None:
        if not getattr(connection, "closed", False):
            self.idle.append(connection)

    def connect(self) -> Any:
        pooled = self.engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()
        if isinstance(connection, psycopg.Connection):
            connection.rollback()
            connection.autocommit = True
            connection.cursor_factory = psycopg.RawCursor  # so that parameters are $1, $2
        return connection

    def rows(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run a statement that only reads. Raises the driver's errors."""
        connection = self.take()
        try:
            return connection.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
        except (psycopg.OperationalError, psycopg.errors.FeatureNotSupported) as error:
            if isinstance(error, psycopg.OperationalError) and not connection.closed:
                raise
            connection.close()
        finally:
            self.give_back(connection)
        # After a restart of the server, all connections are dead. After a migration of a column, a prepared
        # statement no longer fits. A new connection fixes both.
        self.forget_connections()
        connection = self.take()
        try:
            return connection.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
        finally:
            self.give_back(connection)

    def commit(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run a change, and return its rows once they are on disk. Raises the driver's errors.

        A failed change is not retried: the database may have made the change, and only its answer was lost.
        """
        connection = self.take()
        try:
            if not isinstance(connection, sqlite3.Connection):
                return connection.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
            with connection:  # commits, or rolls back
                begin_write(connection)
                return connection.execute(sql, parameters).fetchall()
        finally:
            self.give_back(connection)

    def forget_connections(self) -> None:
        self.close()
        self.engine.dispose()

    def close(self) -> None:
        """Close the unused connections."""
        while self.idle:
            self.idle.pop().close()


def the_driver_connections() -> DriverConnections:
    connections: DriverConnections = current_app.extensions["homeward.driver_connections"]
    return connections
