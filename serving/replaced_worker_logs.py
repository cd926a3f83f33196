"""Log lines about the service's processes that died and were replaced."""

import logging
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess

from serving.watchdog import LIMIT, last_words

log = logging.getLogger("homeward.processes")

CHECK_EVERY = 0.1
"""The seconds between two checks. Loading the application takes longer, so no death of a worker is missed."""
WEB_WORKER = "granian-worker"
"""Granian's name for its worker processes."""


def log_replacements(is_ending: Callable[[], bool], limit: float = LIMIT) -> None:
    """Start a thread that logs each web worker that dies before the service ends.

    ``limit`` is the watchdog's limit in seconds.
    """
    last_words.open()
    watching = (is_ending, limit)
    threading.Thread(target=keep_logging, args=watching, name="replacements", daemon=True).start()


def keep_logging(is_ending: Callable[[], bool], limit: float) -> None:
    alive: set[BaseProcess] = set()
    while not is_ending():
        alive |= {each for each in multiprocessing.active_children() if each.name == WEB_WORKER}
        dead = {each for each in alive if each.exitcode is not None}
        alive -= dead
        for each in dead:
            # Exit code 1 means that the watchdog ended the worker, so the stacks are that worker's.
            stacks = last_words.unread() if each.exitcode == 1 else ""
            log_replacement("web worker", each, limit if "Timeout (" in stacks else None, stacks)
        time.sleep(CHECK_EVERY)


def log_replacement(what: str, process: BaseProcess, held: float | None = None, stacks: str = "") -> None:
    """Log that a process died, and the reason. ``held`` is the number of seconds without progress."""
    exit_code = process.exitcode or 0
    fields: dict[str, object] = {
        "event": "process_replaced",
        "what": what,
        "pid": process.pid,
        "exit_code": exit_code,
    }
    if held is not None:
        fields |= {"reason": "held", "held_seconds": held}
        why = f"made no progress for {held:g} seconds"
    elif exit_code < 0:
        fields["reason"] = signal.Signals(-exit_code).name
        why = f"was ended by {fields['reason']}"
    else:
        fields["reason"] = "exit"
        why = f"ended with exit code {exit_code}"
    message = f"The {what} {process.pid} {why}. Another takes its place."
    log.error("\n".join([message, stacks]).strip(), extra=fields)
