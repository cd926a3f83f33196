"""Waiting for row locks on PostgreSQL. SQLite has only one writer at a time, and no row locks."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from flask import current_app
from sqlalchemy import text

from adoption.storage.database import db

T = TypeVar("T")

WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")


def wait_until_blocked(work: "Future[object]") -> None:
    """Wait until a transaction waits for a lock.

    The wait also ends if ``work`` finishes without waiting.
    """
    with db.engine.connect() as watching:
        while not work.done() and not watching.scalar(WAITING):
            watching.rollback()


def in_own_session(work: Callable[[], T]) -> Callable[[], T]:
    """Return the work with its own application context, and so its own ``db.session``."""
    new_context = current_app.app_context

    def run() -> T:
        with new_context():
            return work()

    return run
