"""What the processes of a service owe each other."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15


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
