"""A watchdog that ends a web worker without progress for ten seconds. Granian then starts another."""

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
    """A file in which hanging workers write the stacks of their threads, for their parent process to log.

    Workers are forked, and so inherit the open file.
    """

    def __init__(self) -> None:
        self.file: IO[bytes] | None = None
        self.seen = 0

    def open(self) -> None:
        """Open the file, before the first worker is started."""
        # Opened for appending, because all processes share the position for writing.
        self.file = TemporaryFile("ab+", buffering=0)  # noqa: SIM115 - open for as long as the service runs

    def unread(self) -> str:
        """Return the text that was written since the last call."""
        if self.file is None:
            return ""
        words = os.pread(self.file.fileno(), 1_000_000, self.seen)
        self.seen += len(words)
        return words.decode(errors="replace")


last_words = LastWords()


def start_watchdog(started: Mapping[int, float], limit: float = LIMIT) -> None:
    """Start the watchdog's thread. ``started`` contains the start time of each running request.

    It ends the process when a request has run for ``limit`` seconds, or when one thread has blocked all
    others for that long. The stacks of all threads are then written to ``last_words``, or else to standard
    error, after "Timeout".
    """
    threading.Thread(target=keep_watching, args=(started, limit), name="watchdog", daemon=True).start()


def keep_watching(started: Mapping[int, float], limit: float) -> None:
    file = last_words.file or sys.stderr
    while True:
        left = seconds_left(started, limit, time.monotonic())
        # This timer is written in C. It fires even if a regular expression or a library does not release the
        # interpreter, so that no Python code can run.
        faulthandler.dump_traceback_later(max(left, 0.001), exit=True, file=file)
        time.sleep(CHECK_EVERY)


def seconds_left(started: Mapping[int, float], limit: float, now: float) -> float:
    """Return the seconds left for the request that has run longest."""
    return limit - (now - min([*started.values()], default=now))
