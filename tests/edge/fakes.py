"""Minimal servers for an edge: an application, and a listener with certificates."""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers import ALONE


class FakeServer(ThreadingHTTPServer):
    """A server that records the path of each request."""

    daemon_threads = True

    def __init__(self, handler: type["QuietHandler"]) -> None:
        super().__init__((ALONE, 0), handler)
        self.requested_paths: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore closed connections. Some tests make the edge close them."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class FakeListener(FakeServer):
    """A listener with the certificates in ``pems``.

    ``pems`` has the chain and the key of each host.
    """

    def __init__(self) -> None:
        super().__init__(CertificateHandler)
        self.pems: dict[str, str] = {}
        self.deny_status = 403


class QuietHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeServer

    def log_message(self, *_: Any) -> None:
        pass

    @property
    def raw_path(self) -> str:
        """The unchanged path. The library would remove slashes from the path."""
        return self.requestline.split()[1]

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class EchoHandler(QuietHandler):
    """Returns the received request as JSON."""

    def do_GET(self) -> None:
        self.server.requested_paths.append(self.raw_path)
        taken = len(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        received = {"path": self.raw_path, "headers": self.headers.items(), "taken": taken}
        self.answer(200, json.dumps(received).encode())

    do_POST = do_GET  # noqa: N815 - the library's name


class CertificateHandler(QuietHandler):
    server: FakeListener

    def do_GET(self) -> None:
        self.server.requested_paths.append(self.raw_path)
        parts = urlsplit(self.path)
        if parts.path == "/deny":
            return self.answer(self.server.deny_status)
        if parts.path != "/cert":
            return self.answer(404)
        pem = self.server.pems.get(parse_qs(parts.query).get("server_name", [""])[0])
        return self.answer(204) if pem is None else self.answer(200, pem.encode())


@contextmanager
def serving_requests(server: FakeServer) -> Iterator[None]:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
