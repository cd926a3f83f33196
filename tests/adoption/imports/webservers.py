"""Web servers with photos on the loopback. Some are hostile."""

import gzip
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "pictures.example"


@dataclass
class PhotoServer:
    """A server with a function for each path, which answers, and the received requests with their headers."""

    port: int = 0
    paths: dict[str, Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def at(self, path: str, host: str = HOST, scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@contextmanager
def serving(secured: ssl.SSLContext | None = None) -> Iterator[PhotoServer]:
    web = PhotoServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append((self.path, dict(self.headers)))
            try:
                web.paths[self.path](self)
            except OSError:  # the client closed the connection
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if secured:
        server.socket = secured.wrap_socket(server.socket, server_side=True)
    web.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def respond_with(body: bytes, status: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(to: BaseHTTPRequestHandler) -> None:
        to.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            to.send_header(name.replace("_", "-"), value)
        to.end_headers()
        to.wfile.write(body)

    return answer


def redirect_to(address: str) -> Callable[[BaseHTTPRequestHandler], None]:
    return respond_with(b"", 302, Location=address)


def respond_with_gzip_bomb() -> Callable[[BaseHTTPRequestHandler], None]:
    return respond_with(gzip.compress(b"\0" * 30_000_000), Content_Encoding="gzip")


def send_without_end(to: BaseHTTPRequestHandler) -> None:
    to.send_response(200)
    to.end_headers()
    while True:
        to.wfile.write(b"\0" * 65_536)


def send_slowly(to: BaseHTTPRequestHandler) -> None:
    """Send one byte at a time. Each byte arrives before the client's read timeout."""
    to.send_response(200)
    to.send_header("Content-Length", "1000000")
    to.end_headers()
    while True:
        to.wfile.write(b"\xff")
        time.sleep(0.05)


def send_headers_slowly(to: BaseHTTPRequestHandler) -> None:
    to.wfile.write(b"HTTP/1.1 200 OK\r\nX-Endless: ")
    while True:
        to.wfile.write(b"a")
        time.sleep(0.05)


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, str]:
    """Return a server context with a self-signed certificate for ``name``, and the file to trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / f"{name}.pem", folder / f"{name}.key"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return context, str(public)


def closed_port() -> int:
    """Return a port on which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
