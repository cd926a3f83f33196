"""Statements for the few requests that come all the time: compiled once, and run on the driver itself."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Dialect, Engine
from sqlalchemy.sql import Executable

from adoption.storage.database import UTCDateTime
from adoption.storage.driver import the_reader


class Compiled(NamedTuple):
    """A statement as one kind of database takes it."""

    sql: str
    order: tuple[str, ...]
    """The parameters' names in their order."""
    constants: dict[str, Any]
    instants: Sequence[tuple[str, Callable[[Any], Any]]]
    """The parameters that are instants, with what makes the driver's form of them."""

    def bound(self, parameters: dict[str, Any]) -> list[Any]:
        for name, form in self.instants:
            parameters[name] = form(parameters[name])
        return [*map((self.constants | parameters).__getitem__, self.order)]


def positional(dialect: Dialect) -> Dialect:
    """The dialect, with parameters as the driver itself has them: by their order."""
    return dialect if dialect.name == "sqlite" else type(dialect)(paramstyle="numeric_dollar")  # type: ignore[call-arg]


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
