"""Limits on concurrent requests, between granian's WSGI interface and the application.

Granian gives a request to a thread as soon as the request's head has arrived. Each connection has a thread,
so a slow body blocks no other request. But concurrent Python threads compete for the interpreter, and that
costs more than it gains. So quick requests run one at a time. Clients that send many of them do not delay
other clients by more than one request (``busy_clients.py``).

A request is not quick if it changes something, has a body, or is for a page that may take long. It waits for
its body, then for one of a limited number of places, and never delays quick requests. A body that is not
small also needs a place before it is read.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from io import BytesIO
from math import inf
from typing import Any

from werkzeug.wsgi import FileWrapper

from serving.busy_clients import BusyClients, turns
from serving.request_bodies import RejectedBody, complete_body, content_length

LONG_REQUESTS, PER_CLIENT, WAITING = 8, 4, 64
"""The limits on long requests of a process: how many can run, how many can run for one client, and how many
can wait. Many staff pages are requested at once when a browser restores its tabs, or by colleagues in one
office."""
WAITING_PER_CLIENT = 48
"""The maximum of waiting requests of one client. The other waiting requests are from other clients."""
SMALL_BODY, LARGE_BODY = 65_536, 1_048_576
"""The maximum size in bytes of a small body, and of any body. ``deploy/edge`` passes on bodies up to
``LARGE_BODY`` only when they are complete."""
UPLOADS, UPLOADS_PER_CLIENT, UPLOADS_PER_ACCOUNT = 10, 2, 2
"""The limits on concurrent large bodies of a process. A body counts from its first byte to the end of the
response."""
FORMS, FORMS_PER_CLIENT = 16, 4
"""The limits on concurrent bodies between small and large."""
BRIEF_REQUESTS = 6
"""The maximum of concurrent quick requests that change something, in one process. Any number of such requests
may wait."""
SWITCH_INTERVAL = 0.001
"""The seconds until a busy thread gives the interpreter to a waiting thread. A page releases the interpreter
at each SQL statement, and then waits this long for each busy thread. With Python's default of 5 ms and three
busy threads, a page took 68 ms instead of 8."""
PATIENCE = 2.0
"""If no place is taken or released for this number of seconds, the places are stuck, and requests stop
waiting."""

READING = {"GET", "HEAD", "OPTIONS"}
OVERLOADED = "homeward.overloaded"
"""The key in ``environ`` that marks a request without a place. The application answers 503."""

Environ = dict[str, Any]


def share_interpreter() -> None:
    """Set a short switch interval for the threads of this process."""
    sys.setswitchinterval(SWITCH_INTERVAL)


@dataclass(frozen=True)
class Policy:
    """The application's classification of its requests."""

    largest_body: Callable[[Environ], int]
    may_take_long: Callable[[Environ], bool]
    client_of: Callable[[Environ], str]
    account_of: Callable[[Environ], str]
    """A function that returns the account of a request with a large body."""


class Places:
    """A limited number of places, with a maximum per client."""

    def __init__(self, places: int, per_client: int | None = None, waiting: int | None = None) -> None:
        """``waiting`` is the maximum of requests that wait for a place. None means no maximum."""
        self.free = places
        self.per_client = per_client or places
        # With a limit per client, wake all: a single woken request may have to wait again because of its
        # client.
        self.to_wake = 1 if self.per_client == places else WAITING
        self.may_wait = inf if waiting is None else waiting
        # Places without a limit per client accept any number of waiting requests.
        self.waiting_per_client = inf if per_client is None else WAITING_PER_CLIENT
        self.waiting = Counter[str]()
        self.taken = Counter[str]()
        self.changed = threading.Condition()
        self.last_change = 0.0

    def take(self, client: str = "") -> bool:
        """Take a place. If no place is free, wait first.

        Return False if too many requests wait, or if the places are stuck.
        """
        with self.changed:
            while not self.is_free(client):
                if not self.has_room_to_wait(client) or time.monotonic() - self.last_change > PATIENCE:
                    return False
                self.wait(client)
            self.free -= 1
            self.taken[client] += 1
            self.last_change = time.monotonic()
            return True

    def has_room_to_wait(self, client: str) -> bool:
        return self.may_wait >= 1 and self.waiting[client] < self.waiting_per_client

    def wait(self, client: str) -> None:
        self.may_wait -= 1
        self.waiting[client] += 1
        self.changed.wait(PATIENCE)
        self.may_wait += 1
        self.waiting[client] -= 1
        if not self.waiting[client]:
            del self.waiting[client]

    def is_free(self, client: str) -> bool:
        return self.free > 0 and self.taken[client] < self.per_client

    def give_back(self, client: str = "") -> None:
        with self.changed:
            self.free += 1
            self.taken[client] -= 1
            if not self.taken[client]:
                del self.taken[client]
            self.last_change = time.monotonic()
            self.changed.notify(self.to_wake)


class Limited:
    """A WSGI application that limits the concurrent requests of another WSGI application."""

    def __init__(self, app: Any, policy: Policy, quick: int = 1) -> None:
        self.app = app
        self.policy = policy
        self.quick = turns(quick)
        self.busy = BusyClients()
        # If several quick requests may run, one of them is not of a busy client.
        self.quick_of_busy = turns(max(1, quick - 1))
        self.busy_with_long = BusyClients()
        self.long_of_busy = Places(1, 1, WAITING)
        self.started: dict[int, float] = {}
        """The start times of running quick requests, by thread."""
        self.long = Places(LONG_REQUESTS, PER_CLIENT, WAITING)
        self.forms = Places(FORMS, FORMS_PER_CLIENT, 0)
        self.uploads = Places(UPLOADS, UPLOADS_PER_CLIENT, 0)
        self.uploads_of_accounts = Places(UPLOADS, UPLOADS_PER_ACCOUNT, 0)
        self.brief = Places(BRIEF_REQUESTS)

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if self.policy.may_take_long(environ):
            return self.run_long(environ, start_response)
        if environ["REQUEST_METHOD"] in READING:
            return self.run_quick(environ, start_response)
        return self.run_brief(environ, start_response)

    def run_quick(self, environ: Environ, start_response: Any) -> list[bytes]:
        """Run a request that only reads, after waiting for its turn."""
        environ["wsgi.input"] = environ.get(OVERLOADED, BytesIO())
        thread = threading.get_ident()
        client = self.policy.client_of(environ)
        with self.quick_of_busy if self.busy.is_busy(client) else nullcontext(), self.quick:
            self.started[thread] = started = time.monotonic()
            try:
                return [join_chunks(self.app(environ, start_response))]
            finally:
                self.busy.add(client, time.monotonic() - started)
                del self.started[thread]

    def refuse(self, environ: Environ, start_response: Any) -> list[bytes]:
        """Answer 503 to a request without a place. Its body is not read."""
        environ[OVERLOADED] = RejectedBody()
        return self.run_quick(environ, start_response)

    def run_brief(self, environ: Environ, start_response: Any) -> list[bytes]:
        """Run a request that changes something.

        The request is quick unless it has to wait for the database.
        """
        with ExitStack() as at_end:
            if not (self.receive_body(environ, at_end) and reserve_place(self.brief, "", at_end)):
                at_end.close()
                return self.refuse(environ, start_response)
            return [join_chunks(self.app(environ, start_response))]

    def run_long(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Run a long request. The request has its place until its end: a download until the last byte."""
        client = self.policy.client_of(environ)
        with ExitStack() as at_end, ExitStack() as turn:
            if not (
                self.receive_body(environ, at_end)
                and (
                    not self.busy_with_long.is_busy(client) or reserve_place(self.long_of_busy, client, turn)
                )
                and reserve_place(self.long, client, at_end)
            ):
                turn.close()
                at_end.close()
                return self.refuse(environ, start_response)
            started = time.thread_time()
            try:
                answer: Iterable[bytes] = self.app(environ, start_response)
            finally:
                self.busy_with_long.add(client, time.thread_time() - started)
            return (
                Download(answer, at_end.pop_all())
                if isinstance(answer, FileWrapper)
                else [join_chunks(answer)]
            )

    def receive_body(self, environ: Environ, at_end: ExitStack) -> bool:
        """Read the whole body, and close it when the request ends.

        Return False if there is no place for the body.
        """
        largest = self.policy.largest_body(environ)
        for places, whose in self.places_for_body(environ, largest):
            if not reserve_place(places, whose, at_end):
                return False
        environ["wsgi.input"] = body = complete_body(environ, largest)
        at_end.callback(body.close)
        return True

    def places_for_body(self, environ: Environ, largest: int) -> list[tuple[Places, str]]:
        """Return the places that a body needs, each with its client or account."""
        length = content_length(environ)
        if not SMALL_BODY < length <= largest:
            return []
        client = self.policy.client_of(environ)
        if length <= LARGE_BODY:
            return [(self.forms, client)]
        return [(self.uploads, client), (self.uploads_of_accounts, self.policy.account_of(environ))]


def reserve_place(places: Places, whose: str, at_end: ExitStack) -> bool:
    """Take a place, and release it when the request ends. Return False if no place is free."""
    taken = places.take(whose)
    if taken:
        at_end.callback(places.give_back, whose)
    return taken


def join_chunks(chunks: Iterable[bytes]) -> bytes:
    """Return the response in one piece. Granian sends one piece without a Python thread."""
    try:
        return b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()


class Download:
    """A file that the request's own thread sends in pieces."""

    def __init__(self, file: FileWrapper, at_end: ExitStack) -> None:
        self.file = file
        self.at_end = at_end

    def __iter__(self) -> FileWrapper:
        return self.file

    def close(self) -> None:
        with self.at_end:
            self.file.close()
