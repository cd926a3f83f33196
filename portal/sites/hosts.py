"""Which pages a host shows: the platform's, or one shelter's site."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from flask import Flask, Request, Response, current_app, g, make_response, render_template, request
from flask.sessions import NullSession, SessionInterface, SessionMixin

from adoption.certificates.lookup import is_secured
from adoption.domains.host_lookup import (
    Served,
    find_site_by_host,
    find_site_by_slug,
    was_published_at,
    was_published_below,
)
from adoption.domains.https_policy import YEAR, https_seconds
from adoption.errors import NotFound
from adoption.projects.hosts import Hosts, bare_host, ends_in_dot, port_of
from adoption.projects.queries import Site
from adoption.settings import Settings
from portal import people
from portal.headers import add_page_headers
from portal.redirects import Redirect, path_as_written, query_as_written

ON_ANY_HOST = {"static", "portal.health", "portal.readiness", "portal.challenge"}
"""Endpoints that answer on every host: the error page needs its stylesheet, health checks use an address, and
a certificate authority asks before the site is shown."""

ON_SITES = {
    "portal.catalogue",
    "portal.animal",
    "portal.poster",
    "portal.media",
    "portal.apply",
    "portal.colours",
    "portal.tokens",
    "portal.feed",
    "portal.sitemap",
    "portal.sitemap_part",
    "portal.robots",
    "portal.how_adoption_works",
    "portal.help",
    "portal.privacy",
    "portal.accessibility",
    "portal.favicon",
    "portal.touch_icon",
    "portal.manifest",
    "portal.embed",
    "portal.embed_script",
}
"""Endpoints of a shelter's own site. All others are not found there."""

PRIVATE_LINKS = {"portal.application", "portal.withdraw"}
"""An applicant's private pages. They are only on the platform's host, because a site can be taken offline and
a domain can be removed. On any other host they redirect."""


def hosts() -> Hosts:
    known: Hosts = current_app.extensions["homeward.hosts"]
    return known


def origin() -> str:
    """Return scheme, host in punycode and port of this page: sitemaps and feeds need URIs (RFC 3986)."""
    return f"{request.scheme}://{request.host}"


def address_here(path: str) -> str:
    """Return the whole address of a path on this page's host."""
    return origin() + path


def canonical_origin(slug: str) -> str:
    """Return the origin of a shelter's canonical links: its primary domain, or the platform.

    It is the same on every host that shows the shelter's animals.
    """
    site = current_site()
    primary = g.primary if site else primary_host_of_slug(slug)
    if not primary:
        settings: Settings = current_app.config["HOMEWARD"]
        return settings.platform_url.rstrip("/")
    scheme, port = scheme_and_port(primary)
    return f"{scheme}://{primary}{port}"


def primary_host_of_slug(slug: str) -> str:
    served = find_site_by_slug(slug, datetime.now(UTC))
    return served.primary if served else ""


def current_site() -> Site | None:
    """Return the shelter whose own site this is, or None on the platform's host."""
    site: Site | None = g.get("site")
    return site


@people.before_app_request
def find_site() -> Response | None:
    """Find the site of the request's host, or return a redirect or the page of an unknown host.

    Raises NotFound for an address that sites do not have.
    """
    if g._get_current_object().under_v1:
        return None
    g.site, g.primary = None, ""
    given, known = request.environ.get("HTTP_HOST"), hosts()
    is_platform = known.are_platform(given)
    slug = "" if is_platform else known.slug_in(given)
    # Domains differ, and a browser keeps the last answer (RFC 6797, 8.1): files of a domain send none.
    g.https_seconds = YEAR if is_platform or slug else 0
    if request.endpoint in ON_ANY_HOST:
        return None
    has_dot = ends_in_dot(given or "")
    # In one spelling: it becomes part of addresses on the page.
    request.host = known.authority(request.host or bare_host(given))
    if is_platform:
        return redirect_to_host(bare_host(given), redirect_status()) if has_dot else None
    if request.endpoint in PRIVATE_LINKS:
        return redirect_to_platform()
    return find_shelter_site(given, slug, has_dot)


def find_shelter_site(given: str | None, slug: str, has_dot: bool) -> Response | None:
    """Set ``g.site`` and ``g.primary``. Otherwise as ``find_site``, for a host that is not the platform's."""
    host, now = bare_host(given), datetime.now(UTC)
    served = find_site_by_slug(slug, now) if slug else site_at_own_domain(host, now)
    if served is None:
        return unclaimed(given, slug)
    g.site, g.primary = served.site, served.primary
    if not slug:
        g.https_seconds = https_seconds(served.keeps_https)
    if response := redirect_from(host, slug, served, has_dot, now):
        return response
    if g.primary:
        # Links to the page itself use the address that the shelter has chosen.
        request.host = g.primary + (port_of(given) if hosts().development else hosts().port)
    refuse_missing_page()
    return None


def redirect_from(host: str, slug: str, served: Served, has_dot: bool, now: datetime) -> Response | None:
    """Return the redirect to the host that shows this site, or None if this host does."""
    elsewhere = served.primary if slug else served.redirect_host
    if elsewhere:
        return redirect_to_host(elsewhere, served.redirect_status or redirect_status())
    if not slug and request.scheme == "http" and is_secured(host, now):
        return redirect_to_host(host, 308)
    return redirect_to_host(host, redirect_status()) if has_dot else None


def refuse_missing_page() -> None:
    """Raise NotFound if sites have no page at this address."""
    if request.endpoint not in ON_SITES and not ends_in_slash():
        settings: Settings = current_app.config["HOMEWARD"]
        raise NotFound(f"There is nothing at this address on this host. The API is at {settings.base_url}.")


def ends_in_slash() -> bool:
    """Return whether no page has this address, but one may have it without its last slash."""
    return request.endpoint is None and request.path.endswith("/")


def redirect_to_platform() -> Response:
    """Redirect to the same page on the platform's host. Its page asks again before a form is saved there."""
    settings: Settings = current_app.config["HOMEWARD"]
    path = quote(request.path.removeprefix("/"), safe="/")
    address = f"{settings.platform_url}{path}{query_as_written(request.environ)}"
    return Redirect(address, 302 if request.method in ("GET", "HEAD") else 303)


def site_at_own_domain(host: str, now: datetime) -> Served | None:
    return find_site_by_host(host, now) if host else None


def redirect_status() -> int:
    """Return the status of a permanent redirect that keeps the method and body of a form."""
    return 301 if request.method in ("GET", "HEAD") else 308


def redirect_to_host(host: str, status: int) -> Response:
    """Redirect to the same path and query, over TLS if visitors get a certificate for the host.

    Neither path nor query can change the host of the address or end the header's line.
    """
    scheme, port = scheme_and_port(host)
    path = path_as_written(request.environ).removeprefix("/")
    response = Redirect(f"{scheme}://{host}{port}/{path}{query_as_written(request.environ)}", status)
    # Browsers keep a 301 for ever otherwise, even after the domain is removed.
    response.headers["Cache-Control"] = "no-cache"
    return response


def scheme_and_port(host: str) -> tuple[str, str]:
    """Return how visitors reach another host of ours: over TLS if they get a certificate for it."""
    scheme, port = request.scheme, port_of(request.environ.get("HTTP_HOST"))
    if scheme == "http" and is_secured(host, datetime.now(UTC)):
        return "https", secured_port(port)
    return scheme, port


def secured_port(port: str) -> str:
    """Return the port for HTTPS, with its colon, for a visitor who used this port for plain HTTP."""
    edge = current_app.config["HOMEWARD"].edge
    return f":{edge[1]}" if port and edge and edge[1] != 443 else ""


def site_address(slug: str) -> str:
    """Return the address of a project's site below the platform's host."""
    settings: Settings = current_app.config["HOMEWARD"]
    scheme, _, host = settings.platform_url.partition("://")
    return f"{scheme}://{slug}.{host}"


def unclaimed(given: str | None, slug: str) -> Response:
    """Return the page of a host without a site, or whose site is offline or not published yet."""
    settings: Settings = current_app.config["HOMEWARD"]
    host = bare_host(given)
    is_offline = was_published_below(slug) if slug else bool(host) and was_published_at(host)
    page = render_template(
        "errors/unclaimed.html", host=host, slug=slug, platform=settings.platform_url, is_offline=is_offline
    )
    response = make_response(page, 404)
    # The owner reloads to see whether it works now.
    response.headers.update({"X-Robots-Tag": "noindex", "Cache-Control": "no-store"})
    return add_page_headers(response)


class PlatformSessions(SessionInterface):
    """The application's sessions, on the platform's hosts only: a shelter's site sets no cookies."""

    def __init__(self, sessions: SessionInterface) -> None:
        self.sessions = sessions

    def open_session(self, app: Flask, request: Request) -> SessionMixin | None:
        known: Hosts = app.extensions["homeward.hosts"]
        if known.are_platform(request.environ.get("HTTP_HOST")):
            return self.sessions.open_session(app, request)
        return NullSession()

    def save_session(self, app: Flask, session: Any, response: Any) -> None:
        self.sessions.save_session(app, session, response)
