"""Facts about a request that are decided once and read everywhere."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from functools import lru_cache, partial
from typing import Any, NamedTuple

from adoption.accounts.api_access.callers import Caller
from adoption.accounts.plans import FREE, Quota
from adoption.accounts.quotas.windows import Verdict
from adoption.domains.site_lookup import ServedSite
from adoption.ip_addresses import client_address, is_within
from adoption.projects.published_sites import Site
from adoption.projects.request_hosts import Hosts, RequestHost
from adoption.settings import Settings

Environ = dict[str, Any]


class Interface(Enum):
    """The part of the service that a path belongs to. Each has its own checks and error responses."""

    PAGES = "pages"
    V1 = "v1"
    PETFINDER = "petfinder"


class RequestContext(NamedTuple):
    """The facts about one request. Facts are never changed, but steps before the view add facts."""

    environ: Environ
    """The WSGI environment."""
    request_id: str
    now: float
    """The Unix time when the request began."""
    interface: Interface
    scheme: str
    host: RequestHost
    authority: str
    """The host and port for URLs of this page. If the site has a primary domain, that domain is the host."""
    client_address: str
    endpoint: str | None = None
    caller: Caller | None = None
    """The caller with the API key; None for pages, which call ``current_person`` if they need the signed-in
    user."""
    verdict: Verdict | None = None
    """The decision of the quota storage; None if the storage was not asked or could not be reached."""
    quota: Quota = FREE.quota
    """The quota of the verdict. Without a valid key, it is the free plan's, counted by IP address."""
    served: ServedSite | None = None
    """The site at this host, if the host is a shelter's own."""

    @property
    def site(self) -> Site | None:
        """The shelter's site at this host; None on the platform's host."""
        return self.served and self.served.site

    @property
    def origin(self) -> str:
        """The scheme, host and port of this page. The host is in punycode, because sitemaps and feeds need
        URIs (RFC 3986)."""
        return f"{self.scheme}://{self.authority}"

    @property
    def project_id(self) -> int:
        """The project of the API key. Every operation that needs a scope has a project."""
        assert self.caller is not None, "no operation without a key has a project"  # noqa: S101
        return self.caller.project_id


# With Flask's proxies, a list of animals would spend as much time on them as on the database.
CURRENT: ContextVar[RequestContext] = ContextVar("request_context")


def current_request() -> RequestContext:
    """Return the context of the current request. Raises LookupError outside of a request."""
    return CURRENT.get()


def add_to_context(**found: Any) -> RequestContext:
    """Add facts to the context, for the rest of the request. Return the new context."""
    context = CURRENT.get()._replace(**found)
    CURRENT.set(context)
    return context


def path_of(environ: Environ) -> str:
    """Return the path of a request as Flask routes it: several leading slashes count as one."""
    return "/" + str(environ["PATH_INFO"]).lstrip("/")


FORWARDED_LONGEST = 500
"""The number of characters read at the end of ``X-Forwarded-For``. Without a limit, long headers would fill
the cache."""


class RequestContexts:
    """The maker of request contexts. It also corrects the WSGI environment before Flask reads the
    environment.

    ``X-Forwarded-Proto`` and ``X-Forwarded-For`` are used only if they come from a trusted proxy.
    ``X-Forwarded-Host`` is never used: an edge passes on ``Host`` unchanged, and anyone who could send a
    second header could choose the site.
    """

    def __init__(self, settings: Settings, hosts: Hosts, interface_of: Callable[[str], Interface]) -> None:
        self.hosts = hosts
        self.interface_of = interface_of
        # Most requests come from a few proxies or clients.
        self.is_trusted = lru_cache(1_000)(partial(is_within, networks=settings.trusted_proxies))
        self.client_address = lru_cache(1_000)(partial(client_address, trusted=settings.trusted_proxies))

    def client_of(self, environ: Environ) -> str:
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
        return self.client_address(environ.get("REMOTE_ADDR"), forwarded[-FORWARDED_LONGEST:])

    def decide(self, environ: Environ) -> RequestContext:
        """Return the context of a request. Set the request's scheme, and remove a malformed ``Host``.

        Flask cannot build URLs with a malformed host, and the error page contains URLs.
        """
        if "HTTP_X_FORWARDED_PROTO" in environ and self.is_trusted(environ.get("REMOTE_ADDR", "")):
            scheme = environ["HTTP_X_FORWARDED_PROTO"].rpartition(",")[2].strip().lower()
            if scheme in ("http", "https"):
                environ["wsgi.url_scheme"] = scheme
        host = self.hosts.read(environ.get("HTTP_HOST"))
        if not host.name:
            environ.pop("HTTP_HOST", None)
        return RequestContext(
            environ,
            f"req_{os.urandom(12).hex()}",
            time.time(),
            self.interface_of(path_of(environ)),
            environ["wsgi.url_scheme"],
            host,
            host.authority,
            self.client_of(environ),
        )

    @contextmanager
    def opened(self, environ: Environ) -> Iterator[RequestContext]:
        """Yield a current context, for code that reads a request before the application does."""
        token = CURRENT.set(self.decide(environ.copy()))
        try:
            yield CURRENT.get()
        finally:
            CURRENT.reset(token)

    def around(self, app: Any) -> Callable[[Environ, Any], Iterable[bytes]]:
        """Return the WSGI application with a current context during each request."""

        def with_context(environ: Environ, start_response: Any) -> Iterable[bytes]:
            token = CURRENT.set(self.decide(environ))
            try:
                answer: Iterable[bytes] = app(environ, start_response)
                return answer
            finally:
                CURRENT.reset(token)

        return with_context
