"""A browser's view of an edge: TLS handshakes, and requests over HTTPS and plain HTTP."""

import socket
import ssl
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from types import TracebackType
from typing import NamedTuple, Self

from cryptography import x509

from tests.servers import ALONE

SECONDS = 20


class ShownCertificate(NamedTuple):
    serial: str
    """The serial number, in hexadecimal."""
    issuer: str


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """The headers. Their names are in lower case."""
    body: bytes


def handshake(edge: int, sni: str | None) -> ShownCertificate | None:
    """Return the certificate that an edge shows for a host, or None if the edge refuses the handshake."""
    try:
        with dial(edge, trusting_anyone(), sni) as secured:
            certificate = x509.load_der_x509_certificate(secured.getpeercert(binary_form=True) or b"")
    except ssl.SSLError as fault:
        if "ALERT" not in str(fault):  # An edge never gives this answer.
            raise
        return None
    return ShownCertificate(f"{certificate.serial_number:x}", certificate.issuer.rfc4514_string())


def trusting_anyone() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def trusting(root: str) -> ssl.SSLContext:
    """Return the context of a browser that trusts only this authority (PEM) and verifies the host."""
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
    """An open connection over HTTPS, or over plain HTTP if ``context`` is None.

    ``sni`` is the host of the handshake, if that differs from ``host``.
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
        """Send a request with this path and these headers, unchanged."""
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
    """Send one request over HTTPS from a client that trusts only this authority."""
    with Visitor(edge, host, trusting(root)) as visitor:
        return visitor.get(path)


def visit_over_http(edge: int, host: str, path: str) -> Answer:
    with Visitor(edge, host) as visitor:
        return visitor.get(path)
