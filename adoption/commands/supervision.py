"""Supervision of the service's processes: signals between processes, and restart of dead processes."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any

from serving.replaced_worker_logs import log_replacement

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
RESTART_AFTER = 1
"""The seconds from the end of a process to its restart."""


def hold_sigterm_in_forks() -> None:
    """Block SIGTERM across a fork, so that the child receives it in ``begin_as_child``.

    Python drops a signal that arrives between the fork and the child's first step. The sender would wait
    forever.
    """
    term = [signal.SIGTERM]
    os.register_at_fork(
        before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, term),
        after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, term),
    )


def begin_as_child() -> None:
    """Make this process end when its parent dies or sends SIGTERM.

    Until this process sets a handler of its own, SIGTERM ends it immediately: the handler that it inherited
    from the parent has no effect here. Only the parent reacts to Ctrl+C. A terminal sends SIGINT to the whole
    group, and a process that also gets a signal from its parent may hang, as granian's workers do, or end too
    early.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def call_process(name: str) -> None:
    """Set the name of this process in process lists, which show at most 15 characters."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())


class Ending:
    """A flag that is set when this process has received SIGTERM or SIGINT."""

    def __init__(self) -> None:
        self.begun = False
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self.note)

    def note(self, *_: object) -> None:
        self.begun = True


class ServerEnding:
    """A flag that is set when the web server, which has its own handlers, has received SIGTERM or SIGINT."""

    def __init__(self) -> None:
        self.begun = False

    def listen(self) -> None:
        """Record signals from now on, and pass them to the server's handlers.

        Call this method after the server has set its handlers.
        """
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, partial(self.note, signal.getsignal(each)))

    def note(self, handler: Any, *signal_and_frame: object) -> None:
        self.begun = True
        handler(*signal_and_frame)


class SupervisedProcess:
    """A process that runs next to the web workers.

    When the process dies, a thread of the server starts it again. When the server dies, the process dies too
    (PR_SET_PDEATHSIG).
    """

    def __init__(self, name: str, begin: Callable[[], BaseProcess], is_ending: Callable[[], bool]) -> None:
        """``is_ending`` returns whether the service is ending. The process is then not started again."""
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
