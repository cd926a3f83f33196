"""Download of photos from URLs in a file, protected against requests to private networks (SSRF).

Anyone can have written the URLs. So this module resolves the host itself, and all addresses of the host must
be public. The connection goes to a checked address: DNS cannot replace the address after the check. No proxy,
cookies or credentials are used. Each redirect is checked in the same way.
"""

import ipaddress
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from urllib.parse import urljoin, urlsplit

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, SSLError
from urllib3.response import BaseHTTPResponse
from urllib3.util.ssl_match_hostname import CertificateError

from adoption.animals.image_format_detection import BYTES_MOST, MEGA
from adoption.ip_addresses import IP, is_public
from adoption.translations import message

ADDRESS_LONGEST = 2_000
REDIRECTS_MOST = 3
SECONDS_MOST = 20.0
"""Limit of seconds for one photo, from the DNS lookup to the last byte, including redirects."""
SILENCE_MOST = 8.0
"""Limit of seconds in which a server sends nothing."""
PORTS = frozenset([80, 443])
BLOCK = 65_536
HEADERS = {
    "Accept": "image/avif,image/webp,image/jpeg,image/png,image/heic;q=0.9,image/*;q=0.5",
    "Accept-Encoding": "identity",
    "User-Agent": "Homeward (photos of animals for adoption)",
}
NO_ADDRESS = message("this is not the address of a picture. Write the full address, with https://")
REDIRECTS = frozenset([301, 302, 303, 307, 308])


class NotFetched(Exception):
    """The photo cannot be downloaded.

    The text of the exception says why, and can follow the URL in a sentence.
    """


class NoAnswer(NotFetched):
    """The server cannot be reached, so photos from the same server will fail too."""


def look_up(host: str) -> list[str]:
    """Return the addresses of a host, best first. An address family that this machine lacks is left out.

    Raises OSError if the lookup fails.
    """
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


@dataclass(frozen=True)
class FetchContext:
    """The limits of a download, and the functions for DNS lookup and address check.

    Tests replace these limits and functions.
    """

    look_up: Callable[[str], list[str]] = look_up
    is_public: Callable[[IP], bool] = is_public
    ports: frozenset[int] = PORTS
    certificates: str | None = None
    """A file of CA certificates; None for the system's certificates."""
    seconds: float = SECONDS_MOST
    bytes_most: int = BYTES_MOST


WORLD = FetchContext()


@dataclass(frozen=True)
class Target:
    """The parts of a URL that passed the checks."""

    secure: bool
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, address: str, ports: frozenset[int]) -> "Target":
        """Parse a URL. Raises NotFetched if the URL is invalid or not allowed."""
        try:
            parts = urlsplit(address)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            host = (parts.hostname or "").encode("idna").decode("ascii").lower().rstrip(".")
            path = percent_encoded(parts.path or "/") + (
                f"?{percent_encoded(parts.query)}" if parts.query else ""
            )
        except ValueError:
            raise NotFetched(NO_ADDRESS) from None
        if parts.scheme not in ("http", "https") or not host or len(address) > ADDRESS_LONGEST:
            raise NotFetched(NO_ADDRESS)
        if parts.username is not None or parts.password is not None:
            raise NotFetched(
                message("the address contains a user name or a password. Write the address without them")
            )
        if port not in ports:
            raise NotFetched(
                f"the address has the port {port}, which is not allowed. Write the address without a port"
            )
        return cls(parts.scheme == "https", host, port, path)

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def percent_encoded(text: str) -> str:
    """Return the text with percent-encoding of the characters that are invalid in a request line."""
    return re.sub(rb"[^\x21-\x7e]", lambda odd: b"%%%02X" % odd[0][0], text.encode()).decode("ascii")


def fetch(address: str, world: FetchContext = WORLD) -> bytes:
    """Return the content at a URL.

    Raises NotFetched, with the reason, if the content cannot be downloaded.
    """
    deadline = time.monotonic() + world.seconds
    for _ in range(REDIRECTS_MOST + 1):
        target = Target.of(address, world.ports)
        found = request_once(target, world, deadline)
        if isinstance(found, bytes):
            return found
        try:
            address = urljoin(address, found)
        except ValueError:
            raise NotFetched(message("the address redirects to an invalid address")) from None
    raise NotFetched(message("the address redirects too often"))


def request_once(target: Target, world: FetchContext, deadline: float) -> bytes | str:
    """Return the content as bytes, or the URL of a redirect as text.

    Raises NotFetched if the request fails.
    """
    connection = connection_to(target, resolve_public(target.host, world, deadline), world, deadline)
    try:
        with cut_at_deadline(connection, deadline):
            connection.request(
                "GET", target.path, headers={"Host": target.host_header, **HEADERS}, preload_content=False
            )
            response = connection.getresponse()
            if response.status in REDIRECTS and (onward := response.headers.get("Location")):
                return onward
            refuse_answer(response, world)
            return body_of(response, world, deadline)
    except (HTTPError, HTTPException, OSError, ValueError) as error:
        if time.monotonic() >= deadline:
            raise NotFetched(message("the server took too long")) from error
        raise (NoAnswer if connection.sock is None else NotFetched)(connection_failure(error)) from error
    finally:
        connection.close()


def connection_failure(error: Exception) -> str:
    if isinstance(error, (SSLError, CertificateError)) or "certificate" in str(error).lower():
        return message("the server's certificate is not valid for this name")
    return message("the server does not answer")


def resolve_public(host: str, world: FetchContext, deadline: float) -> str:
    """Return the address to connect to. Raises NotFetched if some address of the host is not public."""
    try:
        literal = ipaddress.ip_address(host)
        found = [str(literal)]
    except ValueError:
        found = in_time(lambda: world.look_up(host), deadline)
    if not found:
        raise NoAnswer(message("there is no such server"))
    for each in found:
        if not world.is_public(ipaddress.ip_address(each.partition("%")[0])):
            raise NotFetched(message("the address is in a private network"))
    return found[0]


def in_time(look: Callable[[], list[str]], deadline: float) -> list[str]:
    """Return the result of a DNS lookup. A lookup has no timeout, so it runs in its own thread.

    Raises NoAnswer if the deadline passes first."""
    found: list[list[str]] = []

    def work() -> None:
        try:
            found.append(look())
        except (OSError, UnicodeError):
            found.append([])

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(max(0.0, deadline - time.monotonic()))
    if not found:
        raise NoAnswer(message("DNS did not find the photo's server in time"))
    return found[0]


def connection_to(target: Target, address: str, world: FetchContext, deadline: float) -> HTTPConnection:
    patience = max(0.1, min(SILENCE_MOST, deadline - time.monotonic()))
    if not target.secure:
        return HTTPConnection(address, target.port, timeout=patience)
    return HTTPSConnection(
        address,
        target.port,
        timeout=patience,
        cert_reqs="CERT_REQUIRED",
        ca_certs=world.certificates,
        server_hostname=target.host,
        assert_hostname=target.host,
    )


@contextmanager
def cut_at_deadline(connection: HTTPConnection, deadline: float) -> Iterator[None]:
    """Close the connection at the deadline, even if data still arrives."""

    def cut() -> None:
        sock = connection.sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return

    timer = threading.Timer(max(0.0, deadline - time.monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def refuse_answer(response: BaseHTTPResponse, world: FetchContext) -> None:
    if response.status != 200:
        raise NotFetched(f"the server answers {response.status}")
    if response.headers.get("Content-Encoding", "identity").lower() not in ("", "identity"):
        # The request asks for no compression. Compressed data could unpack to any size.
        raise NotFetched(
            message(
                "the server sent the picture compressed, which is not allowed. Upload the picture "
                "on the animal's page instead"
            )
        )
    length = response.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > world.bytes_most:
        raise too_large_error(world)


def body_of(response: BaseHTTPResponse, world: FetchContext, deadline: float) -> bytes:
    blocks, taken = [], 0
    while block := response.read1(BLOCK, decode_content=False):
        taken += len(block)
        if taken > world.bytes_most:
            raise too_large_error(world)
        if time.monotonic() >= deadline:
            raise NotFetched(message("the server took too long"))
        blocks.append(block)
    if time.monotonic() >= deadline:
        raise NotFetched(message("the server took too long"))
    return b"".join(blocks)


def too_large_error(world: FetchContext) -> NotFetched:
    return NotFetched(f"the picture has more than {world.bytes_most // MEGA} MB")
