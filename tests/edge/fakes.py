"""What stands behind an edge, as small as it can be: an application, and a listener with certificates."""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers import ALONE


class StandIn(ThreadingHTTPServer):
    """Notes the path of each request."""

    daemon_threads = True

    def __init__(self, handler: type["Quiet"]) -> None:
        super().__init__((ALONE, 0), handler)
        self.asked: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing where the edge has gone in the middle: some tests are about that."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Listener(StandIn):
    """Gives the certificates that it ``holds``: PEM chain and key by host."""

    def __init__(self) -> None:
        super().__init__(Handing)
        self.holds: dict[str, str] = {}
        self.denies = 403


class Quiet(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StandIn

    def log_message(self, *_: Any) -> None:
        pass

    @property
    def asked_for(self) -> str:
        """The path as it came: the library's own has fewer slashes."""
        return self.requestline.split()[1]

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Echo(Quiet):
    """Tells what has come, as JSON."""

    def do_GET(self) -> None:
        self.server.asked.append(self.asked_for)
        taken = len(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        told = {"path": self.asked_for, "headers": self.headers.items(), "taken": taken}
        self.answer(200, json.dumps(told).encode())

    do_POST = do_GET  # noqa: N815 - the library's name


class Handing(Quiet):
    server: Listener

    def do_GET(self) -> None:
        self.server.asked.append(self.asked_for)
        parts = urlsplit(self.path)
        if parts.path == "/deny":
            return self.answer(self.server.denies)
        if parts.path != "/cert":
            return self.answer(404)
        pem = self.server.holds.get(parse_qs(parts.query).get("server_name", [""])[0])
        return self.answer(204) if pem is None else self.answer(200, pem.encode())


@contextmanager
def standing_in(server: StandIn) -> Iterator[None]:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
