"""The application under granian's WSGI interface: what runs at the same time, and what waits.

Granian hands a request to one of its threads as soon as its head has arrived. There is a thread for each
connection, so requests with a body that does not arrive stop no others. But threads that run Python at the
same time take the interpreter from each other, which costs more than it gives. So quick requests run one
after the other. Other requests change something, have a body, or are for pages that may take long. Each of
them needs one of a limited number of places to run, and never keeps the quick ones waiting. It waits for that
place once its body is there. A body that is not small needs another place to be read.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from io import BytesIO
from math import inf
from typing import Any

from werkzeug.wsgi import FileWrapper

from serving.request_bodies import RejectedBody, complete_body, content_length

LONG_REQUESTS, PER_CLIENT, WAITING = 8, 4, 64
"""Requests of a process that may take long: at a time, of one client, and that wait for a place. A browser
asks for many staff pages at the same time when it opens its tabs again, as do colleagues in one office."""
WAITING_PER_CLIENT = 48
"""So that one client leaves places to wait for others."""
SMALL_BODY, LARGE_BODY = 65_536, 1_048_576
"""Bytes. Bodies that are not large come from ``deploy/edge`` only once they are complete."""
UPLOADS, UPLOADS_PER_CLIENT, UPLOADS_PER_ACCOUNT = 5, 2, 2
"""Large bodies of a process at a time, from their first byte to the answer."""
FORMS, FORMS_PER_CLIENT = 16, 4
"""The same for bodies that are neither small nor large."""
BRIEF_REQUESTS = 6
"""Requests of a process that change something quickly, at a time. Any number may wait for a place."""
SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that computes lets another one run, if that wants to. A page lets go of the
interpreter at each of its SQL statements, and then waits so long to get it back from each busy thread.
Python's 5 ms made a page beside three busy threads take 68 ms instead of 8."""
PATIENCE = 2.0
"""Seconds. Nobody waits for places if none was taken or given back for so long: then they are stuck."""

READING = {"GET", "HEAD", "OPTIONS"}
OVERLOADED = "homeward.overloaded"
"""Key in ``environ`` of a request that got no place: the application answers 503."""

Environ = dict[str, Any]


def share_interpreter() -> None:
    """Have the threads of this process take short turns."""
    sys.setswitchinterval(SWITCH_INTERVAL)


@dataclass(frozen=True)
class Policy:
    """What the application knows about its requests."""

    largest_body: Callable[[Environ], int]
    may_take_long: Callable[[Environ], bool]
    client_of: Callable[[Environ], str]
    account_of: Callable[[Environ], str]
    """Of requests with a large body."""


class Places:
    """So many places, of which one client gets no more than its share."""

    def __init__(self, places: int, per_client: int | None = None, waiting: int | None = None) -> None:
        """``waiting`` is how many requests may wait for a place; any number if it is None."""
        self.free = places
        self.per_client = per_client or places
        # One that is woken goes on waiting if its client has its share, so all are woken then.
        self.to_wake = 1 if self.per_client == places else WAITING
        self.may_wait = inf if waiting is None else waiting
        # Places without shares know no clients, so any number may wait there.
        self.waiting_per_client = inf if self.per_client == places else WAITING_PER_CLIENT
        self.waiting = Counter[str]()
        self.taken = Counter[str]()
        self.changed = threading.Condition()
        self.last_change = 0.0

    def take(self, client: str = "") -> bool:
        """Take a place. Return False if there is none and none is to be expected."""
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
    """A WSGI application that runs another one within these limits."""

    def __init__(self, app: Any, policy: Policy, quick: int = 1) -> None:
        self.app = app
        self.policy = policy
        # A semaphore is written in Python, and costs several times a lock.
        self.quick: AbstractContextManager[Any] = (
            threading.Lock() if quick == 1 else threading.Semaphore(quick)
        )
        self.started: dict[int, float] = {}
        """When each quick request that runs now was started, by its thread."""
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
        """Run a request that only reads, when its turn has come."""
        environ["wsgi.input"] = environ.get(OVERLOADED, BytesIO())
        thread = threading.get_ident()
        with self.quick:
            self.started[thread] = time.monotonic()
            try:
                return [join_chunks(self.app(environ, start_response))]
            finally:
                del self.started[thread]

    def refuse(self, environ: Environ, start_response: Any) -> list[bytes]:
        """Answer a request for which there is no place, without its body."""
        environ[OVERLOADED] = RejectedBody()
        return self.run_quick(environ, start_response)

    def run_brief(self, environ: Environ, start_response: Any) -> list[bytes]:
        """Run a request that changes something quickly, unless the database keeps it waiting."""
        with ExitStack() as at_end:
            if not (self.receive_body(environ, at_end) and reserve_place(self.brief, "", at_end)):
                at_end.close()
                return self.refuse(environ, start_response)
            return [join_chunks(self.app(environ, start_response))]

    def run_long(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Run a request that has its place until the end. A download ends when its client has read it."""
        client = self.policy.client_of(environ)
        with ExitStack() as at_end:
            if not (self.receive_body(environ, at_end) and reserve_place(self.long, client, at_end)):
                at_end.close()
                return self.refuse(environ, start_response)
            answer: Iterable[bytes] = self.app(environ, start_response)
            return (
                Download(answer, at_end.pop_all())
                if isinstance(answer, FileWrapper)
                else [join_chunks(answer)]
            )

    def receive_body(self, environ: Environ, at_end: ExitStack) -> bool:
        """Read the whole body, and have it closed at the end. Return False if there is no place for it."""
        largest = self.policy.largest_body(environ)
        for places, whose in self.places_for_body(environ, largest):
            if not reserve_place(places, whose, at_end):
                return False
        environ["wsgi.input"] = body = complete_body(environ, largest)
        at_end.callback(body.close)
        return True

    def places_for_body(self, environ: Environ, largest: int) -> list[tuple[Places, str]]:
        """Return the places that a body needs until the answer, and who takes each."""
        length = content_length(environ)
        if not SMALL_BODY < length <= largest:
            return []
        client = self.policy.client_of(environ)
        if length <= LARGE_BODY:
            return [(self.forms, client)]
        return [(self.uploads, client), (self.uploads_of_accounts, self.policy.account_of(environ))]


def reserve_place(places: Places, whose: str, at_end: ExitStack) -> bool:
    """Take a place until the end. Return False if there is none."""
    taken = places.take(whose)
    if taken:
        at_end.callback(places.give_back, whose)
    return taken


def join_chunks(chunks: Iterable[bytes]) -> bytes:
    """Return an answer as one piece. Granian then sends it without a thread of ours."""
    try:
        return b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()


class Download:
    """A file that is sent piece by piece, by the thread that made it."""

    def __init__(self, file: FileWrapper, at_end: ExitStack) -> None:
        self.file = file
        self.at_end = at_end

    def __iter__(self) -> FileWrapper:
        return self.file

    def close(self) -> None:
        with self.at_end:
            self.file.close()
