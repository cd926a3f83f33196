"""The database: one declarative base, ways to read it, and ways to change it, each a whole transaction."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

import psycopg
from flask import Flask, current_app
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import BigInteger, Connection, DateTime, Dialect, Engine, Integer, MetaData, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import DeclarativeBase, Session, registry
from sqlalchemy.sql import Executable
from sqlalchemy.types import TypeDecorator

from adoption.turns import BUSY_SECONDS, Turn, begin, turn_to_write

# SQLite counts only an INTEGER key up by itself.
Identity = BigInteger().with_variant(Integer, "sqlite")

NEVER_AGAIN = {"sqlite_autoincrement": True}
"""For tables whose ids are told outside or kept elsewhere: SQLite gives a removed row's id to another."""

MOST_THREADS = 64
"""Threads of a process, each of which may want a connection at once."""


class UTCDateTime(TypeDecorator[datetime]):
    """An aware instant in UTC; SQLite has no such type and keeps it without its zone."""

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


class Database(SQLAlchemy):
    def init_app(self, app: Flask) -> None:
        """Without the hook that lets go of ``db.session``, which nothing here opens."""
        super().init_app(app)
        app.teardown_appcontext_funcs.remove(self._teardown_session)


db = Database(model_class=Base)


def open_database(app: Flask, url: str) -> None:
    """Tie the application to its database; nothing is connected yet."""
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    if url.startswith("sqlite"):
        bounds: dict[str, Any] = {"timeout": BUSY_SECONDS}
    else:
        # A lock or a server that is silent holds up a request for a bounded time, and then it is 503.
        bounds = {
            "connect_timeout": 3,
            "tcp_user_timeout": BUSY_SECONDS * 1000,
            "options": f"-c statement_timeout={BUSY_SECONDS}s",
        }
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
        "connect_args": bounds,
        "pool_size": MOST_THREADS,
        "pool_timeout": BUSY_SECONDS,
        "hide_parameters": True,  # they are people's names and addresses, and errors are logged
    }
    db.init_app(app)
    with app.app_context():
        engine = db.engine
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", set_pragmas)
        event.listen(engine, "begin", begin_immediate)
    app.extensions["homeward.reader"] = Reader(engine)


def set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun below, and not by the driver
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    # What was answered 201 is on disk: WAL at FULL syncs at each commit.
    connection.execute("PRAGMA synchronous = FULL")


def begin_immediate(connection: Connection) -> None:
    # Reads alone need no transaction and block nobody.
    if connection.get_execution_options().get("begin", True):
        begin(connection.connection.driver_connection)  # type: ignore[arg-type]  # SQLite's, as the listener's


@contextmanager
def transaction() -> Iterator[Session]:
    """One change of state: committed whole at the end, or not at all. Raises Unavailable."""
    engine = db.engine
    with may_write(engine), Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def may_write(engine: Engine) -> Iterator[None]:
    if engine.dialect.name != "sqlite":
        yield
        return
    if (turn := the_reader().open_turn()) is not None:
        turn.commit()  # which holds what is asked for next
    with turn_to_write():
        yield


def write_if_free(statement: Executable) -> None:
    """Carry out one statement that is not worth waiting for. Raises DBAPIError where another is writing."""
    with each_by_itself(db.engine).connect() as connection:
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
    """A session that only reads, each statement by itself."""
    with Session(each_by_itself(db.engine)) as session:
        yield session


def each_by_itself(engine: Engine) -> Engine:
    """The engine, with each statement a transaction of its own."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(begin=False)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


class Compiled(NamedTuple):
    """A statement as one kind of database takes it."""

    sql: str
    order: tuple[str, ...] | None
    """The parameters' names in their order; None where they go by name."""
    constants: dict[str, Any]
    instants: dict[str, Callable[[Any], Any] | None]
    """The parameters that are instants, with what makes the driver's form of them."""

    def bound(self, parameters: dict[str, Any]) -> Any:
        for name, form in self.instants.items():
            if form is not None:
                parameters[name] = form(parameters[name])
        if self.order is None:
            return self.constants | parameters
        parameters = self.constants | parameters
        return [parameters[name] for name in self.order]


class Prepared:
    """A statement that is compiled once for each kind of database and then runs on the driver itself.

    For the few that API requests make all the time: compiling and result handling cost several times what
    the database does. Parameters and columns pass as the driver has them, so both must be integers, text or
    booleans; a parameter may be an instant too.
    """

    def __init__(self, statement: Executable) -> None:
        self.statement = statement
        self.compiled: dict[str, Compiled] = {}

    def for_engine(self, engine: Engine) -> Compiled:
        kind = engine.dialect.name
        if kind not in self.compiled:
            compiled = self.statement.compile(engine)  # type: ignore[attr-defined]
            order = tuple(compiled.positiontup) if compiled.positiontup else None
            instants: dict[str, Callable[[Any], Any] | None] = {
                str(name): bind.type.dialect_impl(engine.dialect).bind_processor(engine.dialect)
                for name, bind in compiled.binds.items()
                if isinstance(bind.type, UTCDateTime)
            }
            self.compiled[kind] = Compiled(str(compiled), order, dict(compiled.params), instants)
        return self.compiled[kind]

    def rows(self, **parameters: Any) -> list[tuple[Any, ...]]:
        """Every row. Raises the driver's own errors (``is_unavailable`` tells which will pass)."""
        reader = the_reader()
        compiled = self.for_engine(reader.engine)
        return reader.rows(compiled.sql, compiled.bound(parameters))

    def commit(self, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run a change, which is one transaction by itself; gives what it returns, once that is on disk.

        Raises Unavailable, and the driver's own errors.
        """
        reader = the_reader()
        compiled = self.for_engine(reader.engine)
        return reader.commit(compiled.sql, compiled.bound(parameters))

    def first(self, **parameters: Any) -> tuple[Any, ...] | None:
        rows = self.rows(**parameters)
        return rows[0] if rows else None


def the_reader() -> "Reader":
    reader: Reader = current_app._get_current_object().extensions["homeward.reader"]  # type: ignore[attr-defined]
    return reader


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
            self.kept.execute = connection.execute
            if isinstance(connection, psycopg.Connection):
                connection.rollback()
                connection.autocommit = True
                # A cursor anew for each query would cost half as much as the query.
                self.kept.execute = connection.cursor().execute
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
        turn = self.kept.turn = Turn(self.connection())
        try:
            yield turn
        finally:
            self.kept.turn = None
            turn.commit()

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


def is_unavailable(error: BaseException) -> bool:
    """Whether the database cannot be reached, is locked or full: nothing is wrong with what was asked."""
    if isinstance(error, DBAPIError):
        error = error.orig or error
    if isinstance(error, PoolTimeout):
        return True
    if isinstance(error, sqlite3.Error):
        # The low byte is the kind, the rest its variety (sqlite.org/rescode.html).
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in PASSING_SQLITE
    passing = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction)
    return isinstance(error, passing)
