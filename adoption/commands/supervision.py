"""Signals between the processes of the service, and their restart."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any

from serving.replacements import log_replacement

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
RESTART_AFTER = 1
"""Seconds."""


def hold_sigterm_in_forks() -> None:
    """Block SIGTERM across a fork, so that the child sees it in ``begin_as_child``.

    Python drops a signal between the fork and the child's first step, and the sender would wait forever.
    """
    term = [signal.SIGTERM]
    os.register_at_fork(
        before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, term),
        after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, term),
    )


def begin_as_child() -> None:
    """Make this process end when its parent dies or sends SIGTERM.

    SIGTERM ends it at once until it has a handler of its own: the parent's handler, which it inherits, does
    nothing here. Ctrl+C is left to the parent: a terminal signals the whole group, and a process that gets it
    twice may hang (granian's workers do) or end before its parent asks it to.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def call_process(name: str) -> None:
    """Set the name of this process in lists of processes: 15 letters at most."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())


class Ending:
    """Whether this process has received SIGTERM or SIGINT."""

    def __init__(self) -> None:
        self.begun = False
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self.note)

    def note(self, *_: object) -> None:
        self.begun = True


class ServerEnding:
    """Whether the web server, which handles signals itself, has received SIGTERM or SIGINT."""

    def __init__(self) -> None:
        self.begun = False

    def listen(self) -> None:
        """Note signals from now on, and pass them to the server's handlers. Call it when they are set."""
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, partial(self.note, signal.getsignal(each)))

    def note(self, handler: Any, *signal_and_frame: object) -> None:
        self.begun = True
        handler(*signal_and_frame)


class SupervisedProcess:
    """A process beside the web workers.

    A thread of the server starts another process when this one dies. If the server dies, the process dies
    too (PR_SET_PDEATHSIG).
    """

    def __init__(self, name: str, begin: Callable[[], BaseProcess], is_ending: Callable[[], bool]) -> None:
        """``is_ending`` returns whether the service is ending; the process may have got the signal first."""
        self.name, self.begin, self.is_ending = name, begin, is_ending
        self.stopping = threading.Event()
        self.process = begin()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        while True:
            self.process.join()
            if self.stopping.wait(RESTART_AFTER) or self.is_ending():
                return
            log_replacement(self.name, self.process)
            self.process = self.begin()

    def stop(self) -> None:
        self.stopping.set()
        self.process.terminate()
        self.process.join()
