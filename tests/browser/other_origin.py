"""A website of another origin, such as a shelter's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class OtherOrigin:
    origin: str
    body: str = ""
    """The body of its page."""


@contextmanager
def serve_other_origin() -> Iterator[OtherOrigin]:
    """Serve one page, whose body the test can change, on a port of its own."""

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = f"<!doctype html><html lang=en><title>Elsewhere</title><body>{served.body}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    served = OtherOrigin(f"http://127.0.0.1:{server.server_port}")
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
