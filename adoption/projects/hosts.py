"""Whose a host is: the platform's own, one shelter's below it, or nobody's that we know."""

import ipaddress
import re
from urllib.parse import urlsplit

from adoption.settings import Settings

HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[0-9a-z._-]{1,254})(:(?P<port>[0-9]{0,5}))?")
"""A ``Host`` header (RFC 9110, 7.2) in small letters, as far as it can name a machine."""

SLUG = re.compile(r"[0-9a-z]([0-9a-z-]{0,61}[0-9a-z])?")


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def bare_host(given: str | None) -> str:
    """A host without its port and the dot at its end, in small letters; empty where it can be none."""
    found = HOST.fullmatch(given.lower()) if given and given.isascii() else None
    if not found or int(found["port"] or 1) not in range(1, 65_536):
        return ""
    return found[1].removesuffix(".")


def port_of(given: str | None) -> str:
    """The port of a ``Host`` header with its colon; empty where none is told, or the header is none."""
    found = HOST.fullmatch(given.lower()) if given and bare_host(given) else None
    return f":{found['port']}" if found and found["port"] else ""


class Hosts:
    """The hosts of one installation."""

    def __init__(self, settings: Settings) -> None:
        addresses = (settings.base_url, settings.staging_base_url)
        told = {urlsplit(address).netloc.rpartition("@")[2].lower() for address in addresses}
        told.add(settings.platform_host)
        self.development = settings.environment == "development"
        self.platform = {bare_host(host) for host in told} - {""}
        self.above_sites = [f".{bare_host(settings.platform_host)}"]
        if self.development:
            self.above_sites.append(".localhost")
            told |= {f"{host}{port}" for host in LOOPBACK for port in ("", f":{settings.port}")}
        self.as_told = told | self.platform
        """How the header nearly always names the platform, so that one look tells."""

    def are_platform(self, given: str | None) -> bool:
        """Whether a ``Host`` header names the platform. In development any loopback address does."""
        if given in self.as_told:
            return True
        host = bare_host(given)
        return host in self.platform or (self.development and (given is None or is_loopback(host)))

    def slug_in(self, given: str | None) -> str:
        """The slug that a host below the platform's begins with; empty where there is none."""
        host = bare_host(given)
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
