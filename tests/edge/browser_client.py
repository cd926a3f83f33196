"""The edge as visitors meet it: handshakes for a host, and requests by HTTPS and plain HTTP."""

import socket
import ssl
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from types import TracebackType
from typing import NamedTuple, Self

from cryptography import x509

from tests.servers import ALONE

SECONDS = 20


class Shown(NamedTuple):
    serial: str
    """Hexadecimal."""
    issuer: str


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """Names in small letters."""
    body: bytes


def handshake(edge: int, sni: str | None) -> Shown | None:
    """What an edge shows to whoever asks for this host; None where it refuses the handshake."""
    try:
        with dial(edge, trusting_anyone(), sni) as secured:
            certificate = x509.load_der_x509_certificate(secured.getpeercert(binary_form=True) or b"")
    except ssl.SSLError as fault:
        if "ALERT" not in str(fault):  # it was no answer
            raise
        return None
    return Shown(f"{certificate.serial_number:x}", certificate.issuer.rfc4514_string())


def trusting_anyone() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def trusting(root: str) -> ssl.SSLContext:
    """As a browser that trusts this one authority, PEM, and compares the host."""
    return ssl.create_default_context(cadata=root)


def dial(
    edge: int, context: ssl.SSLContext, sni: str | None, session: ssl.SSLSession | None = None
) -> ssl.SSLSocket:
    connection = socket.create_connection((ALONE, edge), SECONDS)
    try:
        return context.wrap_socket(connection, server_hostname=sni, session=session)
    except BaseException:
        connection.close()
        raise


@dataclass
class Visitor:
    """A connection that is kept open, by HTTPS where there is a ``context`` and plain otherwise.

    The first request connects. ``sni`` is the host of the handshake where it is to be another one.
    """

    edge: int
    host: str
    context: ssl.SSLContext | None = None
    sni: str | None = None

    def __post_init__(self) -> None:
        self.connection = HTTPConnection(ALONE, self.edge, timeout=SECONDS)
        self.connection.auto_open = False
        self.connection.sock = (
            dial(self.edge, self.context, self.sni or self.host)
            if self.context
            else socket.create_connection((ALONE, self.edge), SECONDS)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _fault: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Path and headers are sent as they are."""
        self.connection._validate_path = lambda _path: None  # type: ignore[attr-defined]
        self.connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": self.host, **(headers or {})}.items():
            self.connection.putheader(name, value)
        if body is not None:
            self.connection.putheader("Content-Length", str(len(body)))
        self.connection.endheaders(body)
        return answer_of(self.connection.getresponse())


def answer_of(response: HTTPResponse) -> Answer:
    return Answer(response.status, {name.lower(): v for name, v in response.getheaders()}, response.read())


def visit(edge: int, host: str, path: str, root: str) -> Answer:
    """One request by HTTPS, from somebody who trusts this authority alone."""
    with Visitor(edge, host, trusting(root)) as visitor:
        return visitor.get(path)


def visit_plainly(edge: int, host: str, path: str) -> Answer:
    with Visitor(edge, host) as visitor:
        return visitor.get(path)
