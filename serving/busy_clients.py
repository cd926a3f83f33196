"""Clients that used much time of this process lately. Their requests wait for each other."""

import time
from contextlib import AbstractContextManager
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
    """The recently used time of each client, and which clients are busy.

    A visitor's request would compete with a request on each connection of a busy client. So the requests of
    all busy clients wait for each other.
    """

    def __init__(self) -> None:
        self.used: dict[str, float] = {}
        """The recently used seconds, by client."""
        self.window_end = 0.0

    def is_busy(self, client: str) -> bool:
        if self.used.get(client, 0.0) <= BUSY:
            return False
        self.forget()
        return self.used.get(client, 0.0) > BUSY

    def add(self, client: str, seconds: float) -> None:
        """Add the time of a request that ends now."""
        self.forget()
        self.used[client] = self.used.get(client, 0.0) + seconds

    def forget(self) -> None:
        """Halve the used time of each client once for each window that has ended."""
        past = time.monotonic() - self.window_end
        if past < 0:
            return
        ended = 1 + int(past / WINDOW)
        self.window_end += ended * WINDOW
        # The copy is for other threads that add a client at the same time.
        halved = {each: used / 2 ** min(ended, 64) for each, used in self.used.copy().items()}
        self.used = {each: used for each, used in halved.items() if used > BUSY / 4}
