"""The server's front: granian receives, the application answers, and a slow client keeps nobody waiting.

Granian's own WSGI interface hands a request on before its body has come, and the application then waits for
the body in the thread that everybody needs: one phone in a tunnel stops a worker. So each request is taken
over granian's asynchronous interface (RSGI) and given to the WSGI application once it is whole.
"""

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol

from werkzeug.exceptions import ClientDisconnected, ServiceUnavailable

BODY_SECONDS = 15
"""How long a body may take to come; each ``PACE`` bytes that have come give it a second more. One that stops
is soon given up, whatever it told of: it holds one of the ``UPLOADS``, and others wait for that."""

PACE = 32_768
"""Bytes a second of a slow phone that sends a photo."""

IN_MEMORY = 262_144
"""Bytes of a body that are kept in memory; of a larger one the rest goes to disk."""

UPLOADS = 32
"""Bodies that go to disk which a worker takes at a time; the others wait until one is done."""

WRITERS = 4
"""Threads for what may take long where one reads: a photo is developed, a password is tried."""

TOGETHER_MOST = 16
"""Brief changes that share a commit."""

READING = {"GET", "HEAD", "OPTIONS"}

UNREADABLE = "\x80"
"""Stands for a header's value that is not ASCII, which granian names and does not give."""

BLOCK = 131_072
"""Bytes of a file that are in memory on its way out."""

Answer = tuple[int, list[tuple[str, str]], "bytes | FileBody"]


class Scope(Protocol):
    """What RSGI tells of a request."""

    method: str
    path: str
    query_string: str
    http_version: str
    scheme: str
    client: str
    server: str
    headers: Any
    authority: str | None
    """The host of a target such as ``GET http://homeward.example/``."""


class Turn(Protocol):
    """Changes that share a commit; each has a number, from 1."""

    changes: int
    lost: set[int]
    """Those that did not come to the disk; known once the turn has ended."""


class Exchange(Protocol):
    """RSGI's other half: the body comes out of it, the answer goes into it."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...
    def response_stream(self, status: int, headers: list[tuple[str, str]]) -> Any: ...
    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None: ...


class Front:
    """An RSGI application before a WSGI one.

    With one thread what reads runs in the event loop itself, which on SQLite is the fastest there is, and
    beside it whatever writes, or whose path tells that it may ``take_long``. Brief changes, which
    ``are_brief`` tells, run in one thread, one after the other, and those that have come meanwhile share one
    ``turn`` and so one commit: a commit costs more than they do, and threads that take the interpreter from
    each other more still. With more threads all runs beside the loop, each by itself.

    A body is read only if its ``Content-Length`` is at most ``largest_body`` of its path. A chunked body is
    never read: granian ends one that was cut off like a complete one, so the application answers 411.
    """

    def __init__(
        self,
        app: Any,
        threads: int,
        largest_body: Callable[[str], int],
        turn: Callable[[], AbstractContextManager[Turn]],
        are_brief: Callable[[str], bool],
        take_long: Callable[[str], bool] = lambda _path: False,
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        self.app = app
        self.at_end = at_end
        self.largest_body = largest_body
        self.turn = turn
        self.are_brief = are_brief
        self.take_long = take_long
        self.changes: deque[tuple[dict[str, Any], asyncio.Future[Answer]]] = deque()
        self.changer = ThreadPoolExecutor(1) if threads == 1 else None
        self.uploads = asyncio.Semaphore(UPLOADS)
        self.threads = ThreadPoolExecutor(threads if threads > 1 else WRITERS)
        self.reads_in_loop = threads == 1

    def __rsgi_del__(self, _loop: object) -> None:
        """The last request is answered. A worker of granian's ends without Python's own ``atexit``."""
        self.at_end()

    async def __rsgi__(self, scope: Scope, exchange: Exchange) -> None:
        environ = environ_of(scope)
        most = self.largest_body(scope.path)
        length = int(environ.get("CONTENT_LENGTH", -1))
        if length > most:
            environ["wsgi.input"] = CutShort()  # refused by its length, so there is no need to wait for it
        elif length > IN_MEMORY:
            async with self.uploads:
                await self.take(exchange, environ, length)
        elif length >= 0:
            await self.take(exchange, environ, length)
        status, headers, body = await self.answer(scope, environ)
        if isinstance(body, FileBody):
            await body.send(exchange, status, headers, self.threads)
        else:
            exchange.response_bytes(status, headers, body)
        if hasattr(environ["wsgi.input"], "close"):
            environ["wsgi.input"].close()

    async def answer(self, scope: Scope, environ: dict[str, Any]) -> Answer:
        loop = asyncio.get_running_loop()
        if scope.method in READING:
            if self.reads_in_loop and not self.take_long(scope.path):
                return self.respond(environ)
            return await loop.run_in_executor(self.threads, self.respond, environ)
        if self.changer is None or not self.are_brief(scope.path):
            return await loop.run_in_executor(self.threads, self.respond, environ)
        answered: asyncio.Future[Answer] = loop.create_future()
        self.changes.append((environ, answered))
        if len(self.changes) == 1:  # otherwise the thread has not yet come to the one before
            self.changer.submit(self.make_changes, loop)
        return await answered

    def make_changes(self, loop: asyncio.AbstractEventLoop) -> None:
        while self.changes:
            taken = [self.changes.popleft() for _ in range(min(len(self.changes), TOGETHER_MOST))]
            answers: list[Answer | BaseException]
            try:
                answers = [*self.respond_together([environ for environ, _ in taken])]
            except BaseException as error:  # told to each who waits, or they would wait for ever
                answers = [error] * len(taken)
            loop.call_soon_threadsafe(tell, [answered for _, answered in taken], answers)

    def respond_together(self, environs: list[dict[str, Any]]) -> list[Answer]:
        """Each one's answer, all on disk. One whose change was lost is tried again, by itself."""
        answers, made = [], []
        with self.turn() as turn:
            for environ in environs:
                before = turn.changes
                answers.append(self.respond(environ))
                made.append(set(range(before + 1, turn.changes + 1)))
        for place, changes in enumerate(made):
            if changes & turn.lost:
                environs[place]["wsgi.input"].seek(0)
                answers[place] = self.respond(environs[place])
        return answers

    async def take(self, exchange: Exchange, environ: dict[str, Any], length: int) -> None:
        """Put the body into the environment once it is whole."""
        try:
            body = await self.read(exchange, length)
        except OSError as error:
            environ["wsgi.input"] = NoRoom(error)
        else:
            environ["wsgi.input"] = CutShort() if body is None else body

    async def read(self, exchange: Exchange, length: int) -> IO[bytes] | None:
        """Return the body, or None if it is not complete in time. Raise OSError if the disk is full."""
        body: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the request closes it
        taken, begun = 0, asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(BODY_SECONDS) as patience:
                async for chunk in exchange:
                    taken += body.write(chunk[: length - taken])
                    patience.reschedule(begun + BODY_SECONDS + taken / PACE)
        except (TimeoutError, ConnectionError, RuntimeError):  # the last from granian, for a client that left
            body.close()
            return None
        except OSError:
            body.close()
            raise
        body.seek(0)
        return None if taken < length else body

    def respond(self, environ: dict[str, Any]) -> Answer:
        status, headers = 500, []

        def start_response(line: str, given: list[tuple[str, str]], _error: object = None) -> None:
            nonlocal status, headers
            status, headers = int(line[:3]), [(name.lower(), value) for name, value in given]

        chunks: Iterable[bytes] = self.app(environ, start_response)
        if isinstance(chunks, FileBody):
            return status, headers, chunks
        try:
            return status, headers, b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()


def tell(waiting: list[asyncio.Future[Answer]], answers: list[Answer | BaseException]) -> None:
    for answered, answer in zip(waiting, answers, strict=True):
        if answered.done():
            continue  # whoever asked has gone
        if isinstance(answer, BaseException):
            answered.set_exception(answer)
        else:
            answered.set_result(answer)


class FileBody:
    """A file as an answer (PEP 3333's ``wsgi.file_wrapper``): sent piece by piece, however large it is."""

    def __init__(self, file: IO[bytes], _size: int = BLOCK) -> None:
        self.file = file

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self.file.read(BLOCK), b"")

    def close(self) -> None:
        self.file.close()

    async def send(
        self, exchange: Exchange, status: int, headers: list[tuple[str, str]], readers: ThreadPoolExecutor
    ) -> None:
        loop = asyncio.get_running_loop()
        try:
            stream = exchange.response_stream(status, headers)
            while block := await loop.run_in_executor(readers, self.file.read, BLOCK):
                await stream.send_bytes(block)
        finally:
            self.close()


class CutShort:
    """A body that did not come whole: an application that reads it answers 400."""

    def read(self, _size: int = -1) -> bytes:
        raise ClientDisconnected


class NoRoom:
    """A body that came and that the disk did not take: an application that reads it answers 503."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def read(self, _size: int = -1) -> bytes:
        # An OSError would pass for a client that has gone: werkzeug takes every one for that.
        raise ServiceUnavailable from self.error


def environ_of(scope: Scope) -> dict[str, Any]:
    """A request as PEP 3333 has it, with an empty body."""
    client, _, port = scope.client.rpartition(":")
    host, _, host_port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        # Both are decoded already, and WSGI wants their bytes one a character.
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": host,
        "SERVER_PORT": host_port,
        "REMOTE_ADDR": client.strip("[]"),
        "REMOTE_PORT": port,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": FileBody,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    given = scope.headers.items()
    unread = set(scope.headers.keys()).difference(name for name, _ in given)
    for name, value in [*given, *((name, UNREADABLE) for name in unread)]:
        if "_" in name:
            continue  # would come out as the same variable as the name with a hyphen, which proxies guard
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    if scope.authority:
        # RFC 9112, section 3.2.2: the host of an absolute target counts, and Host is ignored.
        environ["HTTP_HOST"] = scope.authority
    return environ
