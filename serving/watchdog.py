"""A web worker that has made no progress for ten seconds ends, and granian starts another."""

import faulthandler
import threading
import time
from collections.abc import Mapping

LIMIT = 10.0
"""Seconds."""
CHECK_EVERY = 1.0


def watch(started: Mapping[int, float], limit: float = LIMIT) -> None:
    """Watch over this process in a thread of its own. ``started`` is when each running request started.

    The process ends when a request has run for ``limit`` seconds, or when no Python thread but one could run
    for as long. The stacks of all threads are then written to standard error, after "Timeout".
    """
    threading.Thread(target=keep_watching, args=(started, limit), name="watchdog", daemon=True).start()


def keep_watching(started: Mapping[int, float], limit: float) -> None:
    while True:
        oldest = min([*started.values()], default=time.monotonic())
        left = limit - (time.monotonic() - oldest)
        # The interpreter's own timer, written in C: it goes off even if a regular expression or a library
        # does not let go of the interpreter, in which case nothing written in Python would run.
        faulthandler.dump_traceback_later(max(left, 0.001), exit=True)
        time.sleep(CHECK_EVERY)
