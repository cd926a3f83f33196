"""The order of waiting quick requests, by the processor time of their clients."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

WINDOW = 2.0
"""The interval in seconds at which the processor time of all clients is reset."""


class ClientTurn(NamedTuple):
    """The turn of a request that had to wait."""

    client: str
    started: float
    """The thread's processor time at the start of the turn."""


class ClientTurns:
    """A limit on concurrent requests.

    Waiting requests do not run in the order of arrival. The next request is from the client with the least
    recent processor time. So a client with many requests delays other clients only by its running request.
    """

    def __init__(self, limit: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self.free = limit
        self.clock = clock
        self.lock = threading.Lock()
        self.waiting: list[tuple[str, threading.Lock]] = []
        self.used: defaultdict[str, float] = defaultdict(float)
        """The seconds of processor time by client. Only requests that had to wait count."""
        self.window_end = 0.0

    def take(self, client_of: Callable[[], str]) -> ClientTurn | None:
        """Wait for a turn.

        Return None if no other request was running: such a request needs no accounting.
        """
        with self.lock:
            if self.free:
                self.free -= 1
                return None
            client, called = client_of(), threading.Lock()
            called.acquire()
            self.waiting.append((client, called))
        called.acquire()
        return ClientTurn(client, time.thread_time())

    def give_back(self, turn: ClientTurn | None) -> None:
        """End a turn, in the thread that took it."""
        with self.lock:
            if turn:
                self.used[turn.client] += time.thread_time() - turn.started
            if not self.waiting:
                self.free += 1
                return
            if self.clock() > self.window_end:
                self.used.clear()
                self.window_end = self.clock() + WINDOW
            client_and_called = min(self.waiting, key=lambda each: self.used[each[0]])
            self.waiting.remove(client_and_called)
            client_and_called[1].release()
