"""The database: the declarative base, sessions for reading, and transactions for writing."""

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import BigInteger, Connection, DateTime, Dialect, Engine, Integer, MetaData, event, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import DeclarativeBase, Session, registry
from sqlalchemy.sql import Executable
from sqlalchemy.types import TypeDecorator

from adoption.errors import Refusal
from adoption.storage.driver_connections import DriverConnections, the_driver_connections
from adoption.storage.sqlite_writes import BUSY_SECONDS, begin_write, is_read_only, turn_to_write

# SQLite increments only INTEGER keys automatically.
Identity = BigInteger().with_variant(Integer, "sqlite")

NEVER_AGAIN = {"sqlite_autoincrement": True}
"""The option for tables whose ids are public or stored elsewhere. Without it, SQLite reuses ids of deleted
rows."""

MOST_THREADS = 64
"""The maximum number of threads in a process. All threads may need a connection at the same time."""


class UTCDateTime(TypeDecorator[datetime]):
    """A time in UTC with its time zone. SQLite lacks such a type, so the time zone is not stored there."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    registry = registry(
        metadata=MetaData(
            naming_convention={
                "ix": "ix_%(column_0_N_label)s",
                "uq": "uq_%(table_name)s_%(column_0_N_name)s",
                "ck": "ck_%(table_name)s_%(constraint_name)s",
                "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
                "pk": "pk_%(table_name)s",
            }
        ),
        type_annotation_map={datetime: UTCDateTime()},
    )


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})


def open_database(app: Flask, url: str) -> None:
    """Configure the application's database without connecting."""
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    if url.startswith("sqlite"):
        bounds: dict[str, Any] = {"timeout": BUSY_SECONDS}
    else:
        # The limits of the wait for a lock or an unresponsive server. After the wait, the answer is 503.
        bounds = {
            "connect_timeout": 3,
            "tcp_user_timeout": BUSY_SECONDS * 1000,
            "options": f"-c statement_timeout={BUSY_SECONDS}s",
        }
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
        "connect_args": bounds,
        "pool_size": MOST_THREADS,
        "pool_timeout": BUSY_SECONDS,
        "pool_use_lifo": True,  # SQLite keeps pages in memory for each connection
        "hide_parameters": True,  # statements contain names and addresses of people, and errors are logged
    }
    db.init_app(app)
    with app.app_context():
        engine = db.engine
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", set_pragmas)
        event.listen(engine, "begin", begin_immediate)
    app.extensions["homeward.driver_connections"] = DriverConnections(engine)


def set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun below, and not by the driver
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    # 8 MB hold the inner pages of the indexes of a million animals. SQLite's default of 2 MB is too small.
    connection.execute("PRAGMA cache_size = -8000")
    # FULL syncs at each commit, so the data is on disk before a 201 is sent.
    connection.execute("PRAGMA synchronous = FULL")


def begin_immediate(connection: Connection) -> None:
    # Reads need no transaction, and do not block other processes.
    if not connection.get_execution_options().get("begin", True):
        return
    try:
        begin_write(connection.connection.driver_connection)  # type: ignore[arg-type]  # SQLite's, as the listener's
    except sqlite3.OperationalError as error:
        # SQLAlchemy does not wrap a listener's errors, so callers that catch SQLAlchemy's errors would miss
        # this error.
        raise OperationalError(None, None, error) from error


AFTER_COMMIT = "after commit"
"""The key, in a session's ``info``, of the functions to call after the transaction."""


@contextmanager
def transaction() -> Iterator[Session]:
    """Yield ``db.session`` for a change. At the end, commit the whole change; after an error, undo it.

    Raises Unavailable if the process's turn to write does not come in time, DBAPIError if the database fails,
    and RuntimeError inside another ``transaction()`` or ``reading()``.
    """
    session = db.session()
    if session.in_transaction():
        raise RuntimeError("db.session is in use: leave its transaction() or reading() first.")
    calls = session.info[AFTER_COMMIT] = {}
    try:
        with may_write(), closing(session), session.begin():
            yield session
    finally:
        del session.info[AFTER_COMMIT]
    for call in calls:
        call()


def call_after_commit(session: Session, call: Callable[[], None]) -> None:
    """Call a function once, after the ``transaction`` of this session is committed.

    Raises RuntimeError outside of a ``transaction``.
    """
    if AFTER_COMMIT not in session.info:
        raise RuntimeError("call_after_commit() needs a transaction().")
    session.info[AFTER_COMMIT][call] = None


@contextmanager
def may_write() -> Iterator[None]:
    """Wait for this thread's turn to write. Only SQLite needs turns.

    Raises Unavailable if the turn does not come in time.
    """
    if db.engine.dialect.name != "sqlite":
        yield
        return
    try:
        with turn_to_write():
            yield
    except (DBAPIError, sqlite3.Error) as error:
        if is_read_only(getattr(error, "orig", error)):
            # The connection would stay read-only even after the file becomes writable.
            the_driver_connections().forget_connections()
        raise


def write_if_free(statement: Executable) -> None:
    """Run a statement without waiting for locks. Raises DBAPIError if another writer has the lock."""
    with db.engine.connect().execution_options(**autocommit(db.engine)) as connection:
        if connection.dialect.name != "sqlite":
            connection.execute(statement)
            return
        connection.execute(text("PRAGMA busy_timeout = 0"))
        try:
            connection.execute(statement)
        finally:
            connection.execute(text(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}"))


@contextmanager
def reading() -> Iterator[Session]:
    """Yield ``db.session`` for reads.

    Inside a ``transaction()``, the reads belong to that transaction. Otherwise each read is a transaction of
    its own. The objects are detached at the end, so a later ``reading()`` reads them again.
    """
    session = db.session()
    if session.in_transaction():
        yield session
        return
    with closing(session):
        session.connection(execution_options=autocommit(db.engine))
        yield session


def autocommit(engine: Engine) -> dict[str, Any]:
    """Return the execution options that make each statement a transaction of its own."""
    return {"begin": False} if engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}


PASSING_SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOMEM,
}


NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}
"""The errors of a disk that is full, over quota or read-only."""


def is_unavailable(error: BaseException) -> bool:
    """Return whether an error comes from the current state of the database or disk, so that a retry may
    succeed."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    if isinstance(error, DBAPIError):
        error = error.orig or error
    if isinstance(error, PoolTimeout):
        return True
    if isinstance(error, sqlite3.Error):
        # The low byte is the primary code, the rest is the extension (sqlite.org/rescode.html).
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in PASSING_SQLITE
    passing = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction)
    return isinstance(error, passing)


def cause_of(error: BaseException) -> str:
    """Return the message of the driver or the system in one line. It contains no SQL statement."""
    while isinstance(error.__cause__, Refusal):  # its sentence is for the user
        error = error.__cause__
    return " ".join(str(getattr(error, "orig", None) or error.__cause__ or error).split())
