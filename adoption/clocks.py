"""The clock for work outside requests. Tests pass a clock of their own."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""A function that returns the current time, with its time zone."""


def utc_now() -> datetime:
    return datetime.now(UTC)
