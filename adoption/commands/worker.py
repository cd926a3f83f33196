import logging
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

import click
from flask import Flask, current_app
from flask.cli import with_appcontext
from redis import RedisError

from adoption.commands.supervision import RESTART_AFTER, Ending, begin_as_child, call_process
from adoption.logs import set_up_logs
from adoption.storage.queue import STOPPING, queue_of
from serving.replaced_worker_logs import log_replacement

LET_FINISH = 30
"""The seconds that running jobs have to end after SIGTERM."""
POLLED_EACH = 0.5
"""The seconds between two reads of the queue's file. Redis needs no polling, because it notifies."""
LOOKED_EACH = 0.2
"""The seconds between two checks. Each check finds out whether to end, and whether all processes are
alive."""
JOBS_TOGETHER = 6
"""The number of threads for jobs. Domain checks take up to a minute, imports and photos take longer, and
emails must not wait for them."""
NICENESS = 5
"""The niceness of the worker. Jobs have a lower priority than requests, because people wait for requests."""

FORK = multiprocessing.get_context("fork")


@click.command("worker")
@with_appcontext
def worker() -> None:
    """Run only the queue of background jobs, such as emails.

    "homeward serve" runs the queue too. Use "homeward worker" on further machines.
    """
    set_up_logs(current_app.config["HOMEWARD"].environment)
    click.echo("The worker is running. Ctrl+C stops it.", err=True)
    run_queue(current_app, Ending())


def run_queue(app: Flask, ending: Ending) -> None:
    """Run jobs until SIGTERM, then finish the running jobs."""
    from huey.consumer import Consumer

    for part in ("Worker", "Scheduler"):
        logging.getLogger(f"huey.consumer.{part}").addFilter(FaultsInOneLine())
    consumer = Consumer(
        queue_of(app).huey,
        workers=JOBS_TOGETHER,
        initial_delay=POLLED_EACH,
        max_delay=POLLED_EACH,
        scheduler_interval=60,
        shutdown_timeout=LET_FINISH,
    )
    STOPPING.clear()
    with keeping_signal_handlers():
        consumer.start()
    while not ending.begun:
        time.sleep(LOOKED_EACH)
        consumer.check_worker_health()
    STOPPING.set()
    consumer.stop(graceful=True)


@contextmanager
def keeping_signal_handlers() -> Iterator[None]:
    """Restore this process's signal handlers after the block. Signals that arrive during the block are
    delivered after it.

    Huey's handlers would interrupt running jobs on SIGTERM, and restart our command line on SIGHUP.
    """
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, handlers)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


class FaultsInOneLine(logging.Filter):
    """A log filter for an unreadable queue: one line a minute, instead of a traceback for each try."""

    def __init__(self) -> None:
        super().__init__()
        self.silent_until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        fault = record.exc_info[1] if record.exc_info else None
        if not isinstance(fault, (RedisError, sqlite3.Error, OSError)):
            return True
        record.msg, record.args, record.exc_info = "The queue cannot be read: %s", (fault,), None
        silent = time.monotonic() < self.silent_until
        if not silent:
            self.silent_until = time.monotonic() + 60
        return not silent


def begin_keeper(app: Flask) -> BaseProcess:
    """Start a keeper: a process that runs the queue in a child process, and replaces a child that dies.

    Both processes are forked, so that they share the memory of imported modules with the web workers.
    """
    process = FORK.Process(target=run_keeper, args=(app,))
    process.start()
    return process


def run_keeper(app: Flask) -> None:
    begin_as_child()
    call_process("homeward-keeper")
    ending = Ending()
    while not ending.begun:
        child = FORK.Process(target=run_queue_process, args=(app,))
        child.start()
        while child.is_alive() and not ending.begun:
            time.sleep(LOOKED_EACH)
        if ending.begun:
            child.terminate()
        child.join()
        if not ending.begun:
            log_replacement("queue worker", child)
            time.sleep(RESTART_AFTER)


def run_queue_process(app: Flask) -> None:
    begin_as_child()
    ending = Ending()
    call_process("homeward-worker")
    os.nice(NICENESS)
    run_queue(app, ending)
