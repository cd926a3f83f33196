"""What the processes of a service owe each other."""

import ctypes
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess

import click

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
RESTART_AFTER = 1
"""Seconds."""


def die_with_parent() -> None:
    """Have the kernel end this process when the one that started it is killed, and leave Ctrl+C to that one.

    A terminal tells the whole group: whoever is then told by the parent too hears it twice, which granian's
    workers may hang on, or ends before the parent has said that it should.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def end_at_once_when_told() -> None:
    """Let SIGTERM end this process until it has a handler of its own: its parent's, which came along in the
    fork, does nothing here, and the parent would wait in vain for a worker that was told while it began."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def call_process(name: str) -> None:
    """How lists of processes name this one: 15 letters at most."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())


class Ending:
    """Whether SIGTERM or SIGINT has come. A forked child has its own, which begins as the parent's."""

    def __init__(self) -> None:
        self.told = False
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self.note)

    def note(self, *_: object) -> None:
        self.told = True


class Kept:
    """A process beside the web's, and another in its place when that dies, until all of the service ends.

    A thread of the server watches over it: whatever kills the server takes it along (PR_SET_PDEATHSIG).
    """

    def __init__(self, name: str, begin: Callable[[], BaseProcess], is_ending: Callable[[], bool]) -> None:
        """``is_ending``: whether the service was told to end, of which the process may have heard first."""
        self.name, self.begin, self.is_ending = name, begin, is_ending
        self.stopping = threading.Event()
        self.process = begin()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        while True:
            self.process.join()
            if self.stopping.wait(RESTART_AFTER) or self.is_ending():
                return
            click.echo(f"{self.name} died; another takes its place.", err=True)
            self.process = self.begin()

    def stop(self) -> None:
        self.stopping.set()
        self.process.terminate()
        self.process.join()
