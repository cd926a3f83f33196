"""Granian's settings for pages and the API."""

import resource
import threading
from collections.abc import Callable
from typing import Protocol

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings

ADDRESS = "127.0.0.1"
HEAD_SECONDS = 10
"""The maximum seconds for receiving a request's head, and for keeping an idle connection open."""
CONNECTIONS_MOST, BACKLOG = 1_024, 4_096
"""The maximum of open connections per worker, and of connections that wait to be accepted."""


class WebServer(Protocol):
    """The interface of granian's server, as far as we use it.

    The server's class depends on the build of Python.
    """

    def on_startup(self, hook: Callable[[], object]) -> object: ...

    def serve(self) -> None: ...


def web_server(target: str, port: int, workers: int) -> WebServer:
    """Return a server for the WSGI application that the function named ``target`` returns."""
    connections = connection_limit()
    return Granian(
        target,
        factory=True,
        interface=Interfaces.WSGI,
        address=ADDRESS,
        port=port,
        workers=workers,
        blocking_threads=connections,  # threads start on demand, so stalled bodies never occupy all of them
        backlog=BACKLOG,
        backpressure=connections,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEAD_SECONDS * 1_000),
        respawn_failed_workers=True,
        workers_kill_timeout=20,  # time for requests in progress, such as slow uploads and downloads
        websockets=False,
        log_enabled=False,
    )


def connection_limit() -> int:
    """Return the maximum of connections per worker that the limit of file descriptors allows.

    First raise that limit for this process and its workers, as far as the system allows.
    """
    wanted = 2 * CONNECTIONS_MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS_MOST if soft == resource.RLIM_INFINITY else min(CONNECTIONS_MOST, soft // 2)


def call_at_end(call: Callable[[], object]) -> None:
    """Call a function when this worker ends normally, after its last request.

    Granian's workers do not run ``atexit`` functions, but wait for non-daemon threads.
    """

    def wait() -> None:
        threading.main_thread().join()
        call()

    threading.Thread(target=wait, name="at-end").start()
