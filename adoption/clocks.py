"""Where work outside requests has its time from, unless a test brings its own."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the instant, aware, each time that it is asked."""


def utc_now() -> datetime:
    return datetime.now(UTC)
