"""Waiting for what another process does, with a bound."""

import time
from collections.abc import Callable

import pytest

DEADLINE = 60
"""Seconds after which what a test waits for will not come any more."""


def wait_for(told: str, what: Callable[[], object]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not what():
        if time.monotonic() > deadline:
            pytest.fail(f"waited {DEADLINE} seconds in vain for {told}")
        time.sleep(0.05)
