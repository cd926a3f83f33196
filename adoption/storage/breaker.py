"""A breaker for a server that does not answer: callers fail at once instead of waiting for it one by one."""

from collections.abc import Callable
from threading import Event, Lock, Thread

ASK_EVERY = 0.5
"""Seconds between two checks of a server that did not answer."""


class Breaker:
    """Open while a server does not answer. A thread asks it again, so that no request waits for it."""

    def __init__(self, answers: Callable[[], bool], ask_every: float = ASK_EVERY) -> None:
        self.answers = answers
        self.ask_every = ask_every
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
        while not self.is_closing.wait(self.ask_every):
            if self.answers():
                break
        self.is_open = False

    def stop(self) -> None:
        """Stop asking."""
        self.is_closing.set()
