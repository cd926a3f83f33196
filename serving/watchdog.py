"""A web worker that has made no progress for ten seconds ends, and granian starts another."""

import faulthandler
import os
import sys
import threading
import time
from collections.abc import Mapping
from tempfile import TemporaryFile
from typing import IO

LIMIT = 10.0
"""Seconds."""
CHECK_EVERY = 1.0


class LastWords:
    """A file in which workers that hang leave the stacks of their threads for the process that started them.

    They are forked, and so have it open too.
    """

    def __init__(self) -> None:
        self.file: IO[bytes] | None = None
        self.seen = 0

    def open(self) -> None:
        """Open the file, before the first worker is started."""
        # All append, since a place to write at would be shared.
        self.file = TemporaryFile("ab+", buffering=0)  # noqa: SIM115 - open for as long as the service runs

    def unread(self) -> str:
        """Return what has been written since the last call."""
        if self.file is None:
            return ""
        words = os.pread(self.file.fileno(), 1_000_000, self.seen)
        self.seen += len(words)
        return words.decode(errors="replace")


last_words = LastWords()


def start_watchdog(started: Mapping[int, float], limit: float = LIMIT) -> None:
    """Watch over this process in a thread of its own. ``started`` is when each running request started.

    The process ends when a request has run for ``limit`` seconds, or when no Python thread but one could run
    for as long. The stacks of all threads are then written to ``last_words``, or else to standard error,
    after "Timeout".
    """
    threading.Thread(target=keep_watching, args=(started, limit), name="watchdog", daemon=True).start()


def keep_watching(started: Mapping[int, float], limit: float) -> None:
    file = last_words.file or sys.stderr
    while True:
        left = seconds_left(started, limit, time.monotonic())
        # The interpreter's own timer, written in C: it goes off even if a regular expression or a library
        # does not let go of the interpreter, in which case nothing written in Python would run.
        faulthandler.dump_traceback_later(max(left, 0.001), exit=True, file=file)
        time.sleep(CHECK_EVERY)


def seconds_left(started: Mapping[int, float], limit: float, now: float) -> float:
    """Return how long the request that has run longest may go on."""
    return limit - (now - min([*started.values()], default=now))
