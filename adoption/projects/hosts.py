"""Hosts of requests: the platform's own, a shelter's host below it, or others."""

import ipaddress
import re
from urllib.parse import urlsplit

from adoption.settings import Settings

HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[0-9a-z._-]{1,254})(:(?P<port>[0-9]{0,5}))?")
"""A valid ``Host`` header (RFC 9110, 7.2) in lower case."""

SLUG = re.compile(r"[0-9a-z]([0-9a-z-]{0,61}[0-9a-z])?")


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def bare_host(header: str | None) -> str:
    """Return a host without its port and last dot, in lower case; empty if it is invalid."""
    found = HOST.fullmatch(header.lower()) if header and header.isascii() else None
    if not found or int(found["port"] or 1) not in range(1, 65_536):
        return ""
    return found[1].removesuffix(".")


def port_of(header: str | None) -> str:
    """Return the port of a ``Host`` header with its colon; empty if it has none or is invalid."""
    found = HOST.fullmatch(header.lower()) if header and bare_host(header) else None
    return f":{found['port']}" if found and found["port"] else ""


def ends_in_dot(host: str) -> bool:
    """Return whether a host, with or without a port, is written with the dot of the DNS root."""
    return host.partition(":")[0].endswith(".")


def normalize_host(host: str) -> str:
    """Return the host in lower case and without a dot at the end of its name."""
    name, colon, port = host.lower().partition(":") if not host.startswith("[") else (host.lower(), "", "")
    return f"{name.removesuffix('.')}{colon}{port}"


class Hosts:
    """The hosts of one installation."""

    def __init__(self, settings: Settings) -> None:
        addresses = (settings.base_url, settings.staging_base_url)
        spellings = {urlsplit(address).netloc.rpartition("@")[2].lower() for address in addresses}
        spellings.add(settings.platform_host)
        self.development = settings.environment == "development"
        self.platform = {bare_host(host) for host in spellings} - {""}
        _, colon, port = settings.platform_host.rpartition("]")[2].partition(":")
        self.port = colon + port
        """The port of all hosts of this installation, with its colon; empty for the default port."""
        self.above_sites = [f".{bare_host(settings.platform_host)}"]
        if self.development:
            self.above_sites.append(".localhost")
            spellings |= {f"{host}{port}" for host in LOOPBACK for port in ("", f":{settings.port}")}
        self.usual_spellings = spellings | self.platform
        """The usual spellings of the platform's hosts, so that most requests need one comparison."""

    def are_platform(self, header: str | None) -> bool:
        """Return whether a ``Host`` header names the platform. In development any loopback address does."""
        if header in self.usual_spellings:
            return True
        host = bare_host(header)
        return host in self.platform or (self.development and (header is None or is_loopback(host)))

    def authority(self, header: str) -> str:
        """Return the host of a request for use in addresses, with the configured port.

        A client can send any port. Only in development is it used.
        """
        host = normalize_host(header)
        if self.development or host in self.usual_spellings:
            return host
        return bare_host(header) + self.port

    def slug_in(self, header: str | None) -> str:
        """Return the slug of a host below the platform's; empty for other hosts."""
        host = bare_host(header)
        for end in self.above_sites:
            slug = host.removesuffix(end)
            if slug != host and SLUG.fullmatch(slug):
                return slug
        return ""


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
