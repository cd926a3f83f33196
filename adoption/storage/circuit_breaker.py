"""A circuit breaker. While a server does not answer, callers fail immediately instead of waiting."""

from collections.abc import Callable
from threading import Event, Lock, Thread

CHECK_SECONDS = 0.5
"""The seconds between two checks of an unresponsive server."""


class Breaker:
    """A breaker that is open while a server does not answer.

    A thread checks the server, so requests never wait.
    """

    def __init__(self, answers: Callable[[], bool], check_seconds: float = CHECK_SECONDS) -> None:
        self.answers = answers
        self.check_seconds = check_seconds
        self.is_open = False
        self.is_closing = Event()
        self.lock = Lock()

    def open(self) -> None:
        """Open the breaker until the server answers again."""
        with self.lock:
            if self.is_open:
                return
            self.is_open = True
        self.is_closing.clear()
        Thread(target=self.watch, name="breaker", daemon=True).start()

    def watch(self) -> None:
        while not self.is_closing.wait(self.check_seconds):
            if self.answers():
                break
        self.is_open = False

    def stop(self) -> None:
        """Stop the checks."""
        self.is_closing.set()
