"""Waiting for locks of rows, on PostgreSQL: SQLite has one writer at a time."""

from concurrent.futures import Future

from sqlalchemy import text

from adoption.storage.database import db

WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")


def wait_until_blocked(work: "Future[object]") -> None:
    """Wait until a transaction waits for a lock, or ``work`` is done without."""
    with db.engine.connect() as watching:
        while not work.done() and not watching.scalar(WAITING):
            watching.rollback()
