"""The database's driver itself, beside the ORM: one connection a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from flask import current_app
from sqlalchemy import Engine

from adoption.libpq import Direct
from adoption.turns import Turn


class Reader:
    """One connection a thread that is kept, each statement by itself, so that none pays for a pool."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.kept = threading.local()

    def connection(self) -> Any:
        connection: Any = getattr(self.kept, "connection", None)
        if connection is None:
            pooled = self.engine.raw_connection()
            connection = self.kept.connection = pooled.driver_connection
            pooled.detach()
            self.kept.pooled = pooled  # closes the connection when nothing refers to it
            if isinstance(connection, psycopg.Connection):
                connection.rollback()
                connection.autocommit = True
                self.kept.execute = Direct(connection).execute
            else:
                self.kept.execute = connection.execute
        return connection

    def rows(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        connection = self.connection()
        try:
            return self.kept.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
        except (psycopg.OperationalError, psycopg.errors.FeatureNotSupported) as error:
            # The server was restarted since the last read, and then what waits in the pool is dead too; or a
            # migration has changed a column under a prepared plan. Both pass with a new connection, once.
            if isinstance(error, psycopg.OperationalError) and not connection.closed:
                raise
            self.close()
            self.engine.dispose()
            self.connection()
            return self.kept.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]

    def commit(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """Run one change; what is returned is on disk. Raises Unavailable, and the driver's own errors.

        Within a turn of this thread it is on disk when the turn has ended.
        """
        if self.engine.dialect.name != "sqlite":
            return self.once(sql, parameters)
        if (turn := self.open_turn()) is not None:
            return turn.change(sql, parameters)
        with self.turn() as turn:
            rows = turn.change(sql, parameters)
        if turn.error is not None:
            raise turn.error
        return rows

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Whatever this thread commits within is committed together at the end. For SQLite alone."""
        turn = self.kept.turn = Turn(self.connection)
        try:
            yield turn
        finally:
            self.kept.turn = None
            turn.commit()
            if turn.read_only:  # it stays so when the file can be written again, as do those in the pool
                self.close()
                self.engine.dispose()

    def open_turn(self) -> Turn | None:
        """The turn that this thread is within."""
        return getattr(self.kept, "turn", None)

    def once(self, sql: str, parameters: Any) -> list[tuple[Any, ...]]:
        """As ``rows``, without a second try: a change may have been done when its answer is lost."""
        self.connection()
        try:
            return self.kept.execute(sql, parameters).fetchall()  # type: ignore[no-any-return]
        except psycopg.OperationalError:
            self.close()
            raise

    def close(self) -> None:
        connection = self.kept.__dict__.pop("connection", None)
        if connection is not None:
            connection.close()


def the_reader() -> Reader:
    reader: Reader = current_app._get_current_object().extensions["homeward.reader"]  # type: ignore[attr-defined]
    return reader
