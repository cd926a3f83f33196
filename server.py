"""The server's front: granian receives, the application answers, and a slow client keeps nobody waiting.

Granian's own WSGI interface hands a request on before its body has come, and the application then waits for
the body in the thread that everybody needs: one phone in a tunnel stops a worker. So each request is taken
over granian's asynchronous interface (RSGI) and given to the WSGI application once it is whole.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any, Protocol

from werkzeug.exceptions import ClientDisconnected

BODY_SECONDS = 15
"""How long a body may take to come."""

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
    threads all runs beside it. Of a body no more than ``largest_body`` bytes and one are kept: enough for the
    application to see that it is too large.
    """

    def __init__(self, app: Any, threads: int, largest_body: int) -> None:
        self.app = app
        self.largest_body = largest_body
        self.threads = ThreadPoolExecutor(threads if threads > 1 else WRITERS)
        self.readers = self.threads if threads > 1 else None

    async def __rsgi__(self, scope: Scope, exchange: Exchange) -> None:
        environ = environ_of(scope)
        length = environ.get("CONTENT_LENGTH")
        if length is not None and int(length) > self.largest_body:
            environ["wsgi.input"] = CutShort()  # refused by its length, so there is no need to wait for it
        elif length is not None or "HTTP_TRANSFER_ENCODING" in environ:
            body = await self.read(exchange)
            if body is None or (length is not None and len(body) < int(length)):
                environ["wsgi.input"] = CutShort()
            else:
                environ["wsgi.input"] = BytesIO(body)
        pool = self.readers if scope.method in READING else self.threads
        if pool is None:
            answer = self.respond(environ)
        else:
            answer = await asyncio.get_running_loop().run_in_executor(pool, self.respond, environ)
        exchange.response_bytes(*answer)

    async def read(self, exchange: Exchange) -> bytes | None:
        """The body, or None when it does not come whole in its time."""
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for chunk in exchange:
                    body += chunk
                    if len(body) > self.largest_body:
                        break
        except (TimeoutError, RuntimeError, OSError):
            return None
        return bytes(body[: self.largest_body + 1])

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


class CutShort:
    """A body that did not come whole: an application that reads it answers 400."""

    def read(self, _size: int = -1) -> bytes:
        raise ClientDisconnected


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
