"""What the database is asked."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from adoption.database import db


@contextmanager
def statements() -> Iterator[list[str]]:
    """Those of this thread meanwhile: not what another writes down beside it now and then."""
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
