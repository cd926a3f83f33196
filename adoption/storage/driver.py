"""Statements on the database driver, without the ORM, for the few that most requests run."""

from typing import Any, NamedTuple

import psycopg
from flask import current_app
from sqlalchemy import Engine

from adoption.storage.sqlite_writes import begin, is_read_only, turn_to_write


class IdleConnection(NamedTuple):
    connection: Any
    cursor: Any
    pooled: Any
    """SQLAlchemy's object, which closes the connection when nothing refers to it any more."""


class Reader:
    """Connections that stay open. Each statement is a transaction of its own.

    The connection that was used last is used next: SQLite keeps pages and compiled statements for each, and
    threads that take turns find them there.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.kept: list[IdleConnection] = []

    def take(self) -> IdleConnection:
        """Return a connection that nobody else uses until it is back in ``kept``."""
        try:
            return self.kept.pop()
        except IndexError:
            return self.connect()

    def connect(self) -> IdleConnection:
        pooled = self.engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()
        if isinstance(connection, psycopg.Connection):
            connection.rollback()
            connection.autocommit = True
            return IdleConnection(connection, psycopg.RawCursor(connection), pooled)
        return IdleConnection(connection, connection.cursor(), pooled)

    def rows(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run a statement that only reads. Raise the driver's errors."""
        kept = self.take()
        try:
            rows: list[tuple[Any, ...]] = kept.cursor.execute(sql, parameters).fetchall()
        except (psycopg.OperationalError, psycopg.errors.FeatureNotSupported) as error:
            # The server was restarted since the last statement, and then all other connections are dead too;
            # or a migration has changed a column of a prepared statement. A new connection helps.
            if isinstance(error, psycopg.OperationalError) and not kept.connection.closed:
                self.kept.append(kept)
                raise
            kept.connection.close()
            self.forget_connections()
            return self.once(sql, parameters)
        except BaseException:
            self.kept.append(kept)
            raise
        self.kept.append(kept)
        return rows

    def once(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run a statement without a second try: a change may have been made although its answer was lost."""
        kept = self.take()
        try:
            return kept.cursor.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
        finally:
            if not getattr(kept.connection, "closed", False):
                self.kept.append(kept)

    def commit(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run one change. What it returns is on disk. Raise Unavailable, and the driver's errors."""
        if self.engine.dialect.name != "sqlite":
            return self.once(sql, parameters)
        with turn_to_write():
            kept = self.take()
            try:
                begin(kept.connection)
                rows: list[tuple[Any, ...]] = kept.cursor.execute(sql, parameters).fetchall()
                kept.cursor.execute("COMMIT")
            except BaseException as error:
                if kept.connection.in_transaction:
                    kept.connection.rollback()
                self.kept.append(kept)
                if is_read_only(error):  # such a connection stays so when the file can be written again
                    self.forget_connections()
                raise
            self.kept.append(kept)
        return rows

    def forget_connections(self) -> None:
        self.close()
        self.engine.dispose()

    def close(self) -> None:
        """Close the connections that nobody uses now."""
        while self.kept:
            self.kept.pop().connection.close()


def the_reader() -> Reader:
    reader: Reader = current_app.extensions["homeward.reader"]
    return reader
