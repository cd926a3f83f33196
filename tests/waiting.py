"""Waiting for another process, with a deadline."""

import time
from collections.abc import Callable

import pytest

DEADLINE = 60
"""Seconds after which a test fails."""


def wait_for(event: str, is_over: Callable[[], object]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not is_over():
        if time.monotonic() > deadline:
            pytest.fail(f"waited {DEADLINE} seconds for {event}")
        time.sleep(0.05)
