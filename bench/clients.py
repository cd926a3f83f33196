"""HTTP clients with separate addresses, signed in or not. They connect to the service or to the TLS edge."""

import json
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException
from typing import Self
from urllib.parse import urlencode

from bench.measure import HOST

FORM = "application/x-www-form-urlencoded"
BOUNDARY = "bench-bench-bench"
OWN = {"Sec-Fetch-Site": "same-origin"}
"""The header that a browser sends with a form from the service's pages."""


@dataclass(frozen=True)
class Target:
    """The server that receives the requests: the service, or the TLS edge before it."""

    port: int
    tls: bool = False

    def connect(self, address: str, timeout: float = 30) -> socket.socket:
        """Return a connection from the given loopback address. IPv4 has 16 million loopback addresses."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout, (address, 0))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # HTTPConnection sets the same option
        if not self.tls:
            return plain
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # the certificate is our own
        return context.wrap_socket(plain, server_hostname=HOST)


class Connection(HTTPConnection):
    def __init__(self, target: Target, address: str, timeout: float) -> None:
        super().__init__(HOST, target.port, timeout)
        self.target, self.address = target, address

    def connect(self) -> None:
        self.sock = self.target.connect(self.address, self.timeout or 30)


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    headers: Mapping[str, str]
    cookies: str


@dataclass(frozen=True)
class Client:
    """A client at one network address. With a cookie, the client is signed in."""

    target: Target
    address: str
    cookie: str = ""
    token: str = ""
    """The CSRF token for the cookie."""
    key: str = ""
    slug: str = ""
    animal: int = 0
    timeout: float = 30

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = FORM, **headers: str
    ) -> Answer:
        sent = {"Host": HOST, **OWN} | {name.replace("_", "-"): each for name, each in headers.items()}
        if self.cookie:
            sent |= {"Cookie": self.cookie, "X-CSRFToken": self.token}
        if body is not None:
            sent["Content-Type"] = kind
        connection = Connection(self.target, self.address, self.timeout)
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            given = response.headers.get_all("Set-Cookie") or []
            cookies = "; ".join(each.partition(";")[0] for each in given)
            return Answer(response.status, response.read(), dict(response.headers), cookies)
        finally:
            connection.close()

    def with_token(self, page: str) -> Self:
        """Return the same client with the CSRF token from a page, and with the cookie that the page sets."""
        answer = self.ask("GET", page)
        found = re.search(rb'name="csrf_token" value="([^"]+)"', answer.body)
        assert found, (page, answer)
        return replace(self, cookie=answer.cookies or self.cookie, token=found[1].decode())

    def post(self, path: str, fields: Mapping[str, object]) -> Answer:
        return self.ask("POST", path, urlencode(fields, doseq=True).encode())

    def api(self, method: str, path: str, value: object = None) -> Answer:
        body = None if value is None else json.dumps(value, ensure_ascii=False).encode()
        return self.ask(method, path, body, "application/json", Authorization=f"Bearer {self.key}")

    def upload(self, path: str, field: str, files: list[tuple[str, bytes]]) -> Answer:
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="%s"\r\n\r\n'
        parts = [(head % name).encode() + data + b"\r\n" for name, data in files]
        body = b"".join([*parts, f"--{BOUNDARY}--\r\n".encode()])
        return self.ask("POST", path, body, f"multipart/form-data; boundary={BOUNDARY}")

    def staff(self, path: str) -> str:
        return f"/projects/{self.slug}{path}"


def result_of(step: Callable[[], Answer]) -> str:
    """Return the status of a response, or the reason why there is none."""
    try:
        return str(step().status)
    except TimeoutError:
        return "no answer"
    except (OSError, HTTPException):
        return "closed"
