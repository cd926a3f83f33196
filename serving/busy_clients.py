"""Clients that used much time of this process lately. Their requests wait for each other."""

import time
from contextlib import AbstractContextManager, nullcontext
from threading import Lock, Semaphore
from typing import Any

WINDOW = 1.0
"""The seconds after which the used time of each client is halved."""
BUSY = 0.1
"""The recently used seconds above which a client is busy."""


def turns(number: int) -> AbstractContextManager[Any]:
    """Return a context that at most ``number`` threads can be in at the same time. Other threads wait."""
    # A semaphore is implemented in Python, and costs several times as much as a lock.
    return Lock() if number == 1 else Semaphore(number)


class BusyClients:
    """The recently used time of each client, and the turns that all busy clients share.

    A visitor's request would otherwise compete with a request on each connection of a busy client. With one
    turn for all busy clients, the visitor's request competes with one request.
    """

    def __init__(self, number: int = 1) -> None:
        """``number`` is how many requests of busy clients can run at the same time."""
        self.turns = turns(number)
        self.used: dict[str, float] = {}
        """The recently used seconds, by client."""
        self.window_end = 0.0

    def turn(self, client: str) -> AbstractContextManager[Any]:
        """Return the context in which a request of the client runs."""
        return self.turns if self.used.get(client, 0.0) > BUSY else nullcontext()

    def add(self, client: str, seconds: float) -> None:
        """Add the time of a request that ends now."""
        now = time.monotonic()
        if now > self.window_end:
            self.window_end = now + WINDOW
            # The copy is for other threads that add a client at the same time.
            self.used = {each: used / 2 for each, used in self.used.copy().items() if used > BUSY / 2}
        self.used[client] = self.used.get(client, 0.0) + seconds
