"""PostgreSQL's own client library, asked without the rest of its driver."""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import pq
from psycopg.adapt import PyFormat, Transformer

PREPARED_MOST = 100
"""Statements that a connection keeps ready, as psycopg has it; a form of search makes one of its own."""


class Direct:
    """Runs statements as ``psycopg.RawCursor`` does, with ``$1`` for parameters; each commits by itself.

    They are prepared on their first use. psycopg's own way to the same call of the library, through plans and
    generators that wait for asynchronous programs too, costs more than the call.
    """

    def __init__(self, connection: psycopg.Connection) -> None:
        self.library = connection.pgconn
        self.transformer = Transformer(connection)
        self.cursor = psycopg.RawCursor(connection)
        self.names: dict[str, bytes] = {}

    def execute(self, sql: str, parameters: Sequence[Any]) -> "Direct | psycopg.RawCursor[Any]":
        """Run a statement; ``fetchall`` gives its rows. Raises psycopg's errors."""
        name = self.names.get(sql)
        if name is None:
            if len(self.names) >= PREPARED_MOST:
                return self.cursor.execute(sql, parameters)
            name = self.prepare(sql)
        values = self.transformer.dump_sequence(parameters, [PyFormat.TEXT] * len(parameters))
        self.result = self.checked(self.library.exec_prepared(name, values))  # type: ignore[arg-type]
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        self.transformer.set_pgresult(self.result)
        return self.transformer.load_rows(0, self.result.ntuples, tuple)

    def prepare(self, sql: str) -> bytes:
        name = b"homeward_%d" % len(self.names)
        self.checked(self.library.prepare(name, sql.encode()))
        self.names[sql] = name
        return name

    def checked(self, result: pq.abc.PGresult) -> pq.abc.PGresult:
        if result.status in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
            return result
        if self.library.status != pq.ConnStatus.OK:
            raise psycopg.OperationalError(result.get_error_message())
        raise psycopg.errors.error_from_result(result)
