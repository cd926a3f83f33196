"""A watchdog that ends a web worker after ten seconds without progress. Granian then starts a new worker."""

import faulthandler
import os
import sys
import threading
import time
from collections.abc import Mapping
from tempfile import TemporaryFile
from typing import IO

LIMIT = 10.0
"""The seconds without progress after which a worker ends."""
CHECK_EVERY = 1.0


class LastWords:
    """A file for the stacks of hanging workers. The parent process logs the file's text.

    Workers are forked, so they inherit the open file.
    """

    def __init__(self) -> None:
        self.file: IO[bytes] | None = None
        self.seen = 0

    def open(self) -> None:
        """Open the file. Call this before the first worker starts."""
        # Opened for appending, because all processes share the write position.
        self.file = TemporaryFile("ab+", buffering=0)  # noqa: SIM115 - open for as long as the service runs

    def unread(self) -> str:
        """Return the text written since the last call."""
        if self.file is None:
            return ""
        words = os.pread(self.file.fileno(), 1_000_000, self.seen)
        self.seen += len(words)
        return words.decode(errors="replace")


last_words = LastWords()


def start_watchdog(started: Mapping[int, float], limit: float = LIMIT) -> None:
    """Start the watchdog's thread. ``started`` contains the start time of each running request.

    The watchdog ends the process if a request runs for ``limit`` seconds, or if one thread blocks all other
    threads for that long. It then writes the stacks of all threads, after the word "Timeout", to
    ``last_words``. Without ``last_words`` it writes them to standard error.
    """
    threading.Thread(target=keep_watching, args=(started, limit), name="watchdog", daemon=True).start()


def keep_watching(started: Mapping[int, float], limit: float) -> None:
    file = last_words.file or sys.stderr
    while True:
        left = seconds_left(started, limit, time.monotonic())
        # This timer is written in C. It fires even if a regular expression or a library never releases the
        # interpreter and no Python code can run.
        faulthandler.dump_traceback_later(max(left, 0.001), exit=True, file=file)
        time.sleep(CHECK_EVERY)


def seconds_left(started: Mapping[int, float], limit: float, now: float) -> float:
    """Return the seconds left for the longest-running request."""
    return limit - (now - min([*started.values()], default=now))
