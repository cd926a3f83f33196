"""Statements that are compiled once and run on the driver. Only the most frequent requests use such
statements."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Dialect, Engine
from sqlalchemy.sql import Executable

from adoption.storage.database import UTCDateTime, may_write
from adoption.storage.driver_connections import the_driver_connections


class Compiled(NamedTuple):
    """A statement in the SQL of one kind of database."""

    sql: str
    order: tuple[str, ...]
    """The parameters' names, in the order of the statement."""
    constants: dict[str, Any]
    instants: Sequence[tuple[str, Callable[[Any], Any]]]
    """The parameters that are times: each name, with a function that converts the time for the driver."""

    def bound(self, parameters: dict[str, Any]) -> list[Any]:
        for name, form in self.instants:
            parameters[name] = form(parameters[name])
        return [*map((self.constants | parameters).__getitem__, self.order)]


def positional(dialect: Dialect) -> Dialect:
    """Return the dialect with the positional parameters that the driver requires."""
    return dialect if dialect.name == "sqlite" else type(dialect)(paramstyle="numeric_dollar")  # type: ignore[call-arg]


class Prepared:
    """A statement that is compiled once for each kind of database and runs on the driver.

    Use it only for the few statements of nearly every API request. For them, SQLAlchemy's compilation and
    result handling take several times as long as the database. Values are not converted, so parameters and
    columns must be integers, floats, texts or booleans. A parameter can also be a time.
    """

    def __init__(self, statement: Executable) -> None:
        self.statement = statement
        self.compiled: dict[str, Compiled] = {}

    def for_engine(self, engine: Engine) -> Compiled:
        kind = engine.dialect.name
        if kind not in self.compiled:
            compiled = self.statement.compile(dialect=positional(engine.dialect))  # type: ignore[attr-defined]
            order = tuple(compiled.positiontup or ())
            instants = [
                (str(name), form)
                for name, bind in compiled.binds.items()
                if isinstance(bind.type, UTCDateTime)
                and (form := bind.type.dialect_impl(engine.dialect).bind_processor(engine.dialect))
            ]
            self.compiled[kind] = Compiled(str(compiled), order, dict(compiled.params), instants)
        return self.compiled[kind]

    def rows(self, **parameters: Any) -> list[tuple[Any, ...]]:
        """Return all rows. Raises the driver's errors (see ``is_unavailable``)."""
        connections = the_driver_connections()
        compiled = self.for_engine(connections.engine)
        return connections.rows(compiled.sql, compiled.bound(parameters))

    def commit(self, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run a change as one transaction. Return its rows once they are on disk.

        Raises Unavailable if the turn to write does not come in time, and the driver's errors.
        """
        connections = the_driver_connections()
        compiled = self.for_engine(connections.engine)
        with may_write():
            return connections.commit(compiled.sql, compiled.bound(parameters))

    def first(self, **parameters: Any) -> tuple[Any, ...] | None:
        rows = self.rows(**parameters)
        return rows[0] if rows else None
