"""The server's front: granian receives, the application answers, and a slow client keeps nobody waiting.

Granian's own WSGI interface hands a request on before its body has come, and the application then waits for
the body in the thread that everybody needs: one phone in a tunnel stops a worker. So each request is taken
over granian's asynchronous interface (RSGI) and given to the WSGI application once it is whole.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol

from werkzeug.exceptions import ClientDisconnected

BODY_SECONDS = 15
"""How long a body may take to come; each further ``PACE`` bytes that it tells of give it a second more."""

PACE = 32_768
"""Bytes a second of a slow phone that sends a photo."""

IN_MEMORY = 262_144
"""Bytes of a body that are kept in memory; of a larger one the rest goes to disk."""

UPLOADS = 8
"""Bodies that go to disk which a worker takes at a time; the others wait until one is done."""

WRITERS = 4
"""Threads for what writes where one reads: those that wait for the disk at the same time share a commit."""

READING = {"GET", "HEAD", "OPTIONS"}

UNREADABLE = "\x80"
"""Stands for a header's value that is not ASCII, which granian names and does not give."""

Answer = tuple[int, list[tuple[str, str]], bytes]


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


class Exchange(Protocol):
    """RSGI's other half: the body comes out of it, the answer goes into it."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...
    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None: ...


class Front:
    """An RSGI application before a WSGI one.

    With one thread what reads runs in the event loop itself, which on SQLite is the fastest there is, and
    what writes beside it in a few others, since writers wait for each other and for the disk. With more
    threads all runs beside it. Of a body no more than ``largest_body`` of its path gives, and one byte, are
    kept: enough for the application to see that it is too large.
    """

    def __init__(self, app: Any, threads: int, largest_body: Callable[[str], int]) -> None:
        self.app = app
        self.largest_body = largest_body
        self.uploads = asyncio.Semaphore(UPLOADS)
        self.threads = ThreadPoolExecutor(threads if threads > 1 else WRITERS)
        self.readers = self.threads if threads > 1 else None

    async def __rsgi__(self, scope: Scope, exchange: Exchange) -> None:
        environ = environ_of(scope)
        most = self.largest_body(scope.path)
        length = int(environ.get("CONTENT_LENGTH", -1))
        if length > most:
            environ["wsgi.input"] = CutShort()  # refused by its length, so there is no need to wait for it
        elif length > IN_MEMORY or (length < 0 and most > IN_MEMORY and chunked(environ)):
            async with self.uploads:
                await self.take(exchange, environ, length, most)
        elif length >= 0 or chunked(environ):
            await self.take(exchange, environ, length, most)
        pool = self.readers if scope.method in READING else self.threads
        if pool is None:
            answer = self.respond(environ)
        else:
            answer = await asyncio.get_running_loop().run_in_executor(pool, self.respond, environ)
        exchange.response_bytes(*answer)

    async def take(self, exchange: Exchange, environ: dict[str, Any], length: int, most: int) -> None:
        """Put the body into the environment once it is whole."""
        body = await self.read(exchange, length, most)
        environ["wsgi.input"] = CutShort() if body is None else body

    async def read(self, exchange: Exchange, length: int, most: int) -> IO[bytes] | None:
        """The body, or None when it does not come whole in its time. ``length`` is -1 where none was told."""
        body: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the request closes it
        taken = 0
        try:
            async with asyncio.timeout(BODY_SECONDS + max(length, most if length < 0 else 0) / PACE):
                async for chunk in exchange:
                    taken += body.write(chunk[: most + 1 - taken])
                    if taken > most:
                        break
        except (TimeoutError, RuntimeError, OSError):
            return None
        body.seek(0)
        return None if taken < length else body

    def respond(self, environ: dict[str, Any]) -> Answer:
        status, headers = 500, []

        def start_response(line: str, given: list[tuple[str, str]], _error: object = None) -> None:
            nonlocal status, headers
            status, headers = int(line[:3]), [(name.lower(), value) for name, value in given]

        chunks: Iterable[bytes] = self.app(environ, start_response)
        try:
            return status, headers, b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
            if hasattr(environ["wsgi.input"], "close"):
                environ["wsgi.input"].close()


class CutShort:
    """A body that did not come whole: an application that reads it answers 400."""

    def read(self, _size: int = -1) -> bytes:
        raise ClientDisconnected


def chunked(environ: dict[str, Any]) -> bool:
    return "HTTP_TRANSFER_ENCODING" in environ


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
    return environ
