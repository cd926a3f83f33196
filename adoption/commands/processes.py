"""What the processes of a service owe each other."""

import ctypes
import signal
import sys

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15


def die_with_parent() -> None:
    """Have the kernel end this process when the one that started it is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


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
