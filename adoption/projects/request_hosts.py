"""Hosts of requests: the platform's own host, a shelter's host below it, or a different host."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from adoption.settings import Settings

HOST = re.compile(
    r"(?P<name>\[[0-9a-f:.]{2,45}\]|(?=[0-9a-z._-]{1,254}(:|$))[0-9a-z_-]{1,63}(\.[0-9a-z_-]{1,63})*)"
    r"(?P<dot>\.?)(:(?P<port>[0-9]{0,5}))?"
)
"""The format of a valid ``Host`` header (RFC 9110, 7.2) in lower case. Labels have 1 to 63 characters (RFC
1035), because Flask cannot build addresses with longer or empty labels."""

SLUG = re.compile(r"[0-9a-z]([0-9a-z-]{0,61}[0-9a-z])?")


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class HostAndPort(NamedTuple):
    """A ``Host`` header in lower case."""

    name: str
    """The host name without port and last dot; empty if the header is missing or malformed."""
    port: str
    """The port with its colon; empty without a port."""
    ends_in_dot: bool
    """Whether the name ends with the dot of the DNS root."""


def parse_host_header(header: str | None) -> HostAndPort:
    found = HOST.fullmatch(header.lower()) if header and header.isascii() else None
    if not found or int(found["port"] or 1) not in range(1, 65_536):
        return HostAndPort("", "", False)
    return HostAndPort(found["name"], f":{found['port']}" if found["port"] else "", bool(found["dot"]))


def bare_host(header: str | None) -> str:
    """Return the host name in lower case, without port and last dot; empty if the header is invalid."""
    return parse_host_header(header).name


class RequestHost(NamedTuple):
    """The host that a request names in its ``Host`` header."""

    header: str | None
    name: str
    """The host name in lower case, without port and last dot; empty if the header is missing or malformed."""
    port: str
    """The client's port with its colon; empty without a port."""
    ends_in_dot: bool
    is_platform: bool
    slug: str
    """The slug of a shelter's host below the platform's host; empty for other hosts."""
    authority: str
    """The host and port for links.

    The port is the configured port, because a client can send any port. In development, the port is the
    client's port.
    """


class Hosts:
    """The hosts of one installation."""

    def __init__(self, settings: Settings) -> None:
        addresses = (settings.base_url, settings.staging_base_url)
        spellings = {urlsplit(address).netloc.rpartition("@")[2].lower() for address in addresses}
        spellings.add(settings.platform_host)
        self.platform_host = settings.platform_host
        self.development = settings.environment == "development"
        self.platform = {bare_host(host) for host in spellings} - {""}
        _, colon, port = settings.platform_host.rpartition("]")[2].partition(":")
        self.port = colon + port
        """The port of all hosts of this installation, with its colon; empty for the default port."""
        self.above_sites = [f".{bare_host(settings.platform_host)}"]
        if self.development:
            self.above_sites.append(".localhost")
            spellings |= {f"{host}{port}" for host in LOOPBACK for port in ("", f":{settings.port}")}
        self.spellings = spellings | self.platform
        self.usual = {spelling: self.parse(spelling) for spelling in self.spellings}
        """The results for common spellings of the platform's hosts, so that most requests need one lookup."""

    def read(self, header: str | None) -> RequestHost:
        """Return the host of a request from its ``Host`` header."""
        return self.usual.get(header or "") or self.parse(header)

    def parse(self, header: str | None) -> RequestHost:
        name, port, ends_in_dot = parse_host_header(header)
        is_loopback_here = self.development and (header is None or is_loopback(name))
        is_platform = name in self.platform or is_loopback_here
        keeps_port = self.development or f"{name}{port}" in self.spellings
        authority = name + (port if keeps_port else self.port) if name else self.platform_host
        slug = "" if is_platform else self.slug_in(name)
        return RequestHost(header, name, port, ends_in_dot, is_platform, slug, authority)

    def slug_in(self, name: str) -> str:
        """Return the slug of a shelter's host below the platform's host; empty for other hosts."""
        for end in self.above_sites:
            slug = name.removesuffix(end)
            if slug != name and SLUG.fullmatch(slug):
                return slug
        return ""


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
