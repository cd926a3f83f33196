"""Waiting for locks of rows, on PostgreSQL: SQLite has one writer at a time."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from flask import current_app
from sqlalchemy import text

from adoption.storage.database import db

T = TypeVar("T")

WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")


def wait_until_blocked(work: "Future[object]") -> None:
    """Wait until a transaction waits for a lock, or ``work`` is done without."""
    with db.engine.connect() as watching:
        while not work.done() and not watching.scalar(WAITING):
            watching.rollback()


def in_own_session(work: Callable[[], T]) -> Callable[[], T]:
    """Return the work with an application context, and so a ``db.session``, of its own."""
    new_context = current_app.app_context

    def run() -> T:
        with new_context():
            return work()

    return run
