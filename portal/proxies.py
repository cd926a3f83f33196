"""Headers of trusted proxies.

``X-Forwarded-Host`` is ignored, even from a trusted proxy. The site is found by ``Host``, which an edge
passes on unchanged: a second header would let a client choose another site.
"""

import ipaddress
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from adoption.settings import Network

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Forwarded:
    """WSGI middleware that sets the scheme of a request to the one that its trusted proxy reports.

    The last value of ``X-Forwarded-Proto`` counts, which is the nearest proxy's. Other clients' are ignored.
    """

    def __init__(self, app: Application, trusted: tuple[Network, ...]) -> None:
        self.app = app
        self.trusted = trusted

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if self.trusts(environ.get("REMOTE_ADDR", "")):
            scheme = last(environ.get("HTTP_X_FORWARDED_PROTO", "")).lower()
            if scheme in ("http", "https"):
                environ["wsgi.url_scheme"] = scheme
        return self.app(environ, start_response)

    def trusts(self, address: str) -> bool:
        return is_within(address, self.trusted)


@lru_cache(1_000)
def is_within(address: str, networks: tuple[Network, ...]) -> bool:
    """Return whether an address is in one of the networks. Most connections are from a few proxies."""
    try:
        sender = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(sender in network for network in networks)


def last(values: str) -> str:
    return values.rpartition(",")[2].strip()
