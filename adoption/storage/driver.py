"""Statements on the database driver, without SQLAlchemy, for the few that most requests run."""

import sqlite3
from typing import Any

import psycopg
from flask import current_app
from sqlalchemy import Engine

from adoption.storage.sqlite_writes import begin


class Reader:
    """Connections that stay open. Each statement is a transaction of its own.

    A connection from SQLAlchemy's pool for each statement, and back, took 14 to 21 % of an API request. The
    connection that was used last is used next: SQLite keeps pages and compiled statements for each.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.idle: list[Any] = []

    def take(self) -> Any:
        """Return a connection that nobody else uses until it is given back."""
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
            connection.cursor_factory = psycopg.RawCursor  # parameters are $1, $2
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
        # The server was restarted since the last statement, and then all other connections are dead too; or a
        # migration has changed a column of a prepared statement. A new connection helps.
        self.forget_connections()
        connection = self.take()
        try:
            return connection.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
        finally:
            self.give_back(connection)

    def commit(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run one change. Return its rows once they are on disk. Raises the driver's errors.

        There is no second try: a change may have been made although its answer was lost.
        """
        connection = self.take()
        try:
            if not isinstance(connection, sqlite3.Connection):
                return connection.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
            with connection:  # commits, or rolls back
                begin(connection)
                return connection.execute(sql, parameters).fetchall()
        finally:
            self.give_back(connection)

    def forget_connections(self) -> None:
        self.close()
        self.engine.dispose()

    def close(self) -> None:
        """Close the connections that nobody uses now."""
        while self.idle:
            self.idle.pop().close()


def the_reader() -> Reader:
    reader: Reader = current_app.extensions["homeward.reader"]
    return reader
