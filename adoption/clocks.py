"""The clock of work outside requests. Tests pass their own."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the current instant, with its time zone."""


def utc_now() -> datetime:
    return datetime.now(UTC)
