"""Whose pages a host shows: the platform's own, or one shelter's site."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote

from flask import Flask, Request, Response, current_app, g, make_response, redirect, render_template, request
from flask.sessions import NullSession, SessionInterface, SessionMixin

from adoption.certificates.serving import is_secured
from adoption.domains.serving import Served, site_at, site_below, was_published_at, was_published_below
from adoption.errors import NotFound
from adoption.projects.hosts import Hosts, bare_host, port_of
from adoption.projects.queries import Site
from adoption.settings import Settings
from portal import people
from portal.headers import dress

ON_ANY_HOST = {"static", "portal.health", "portal.readiness", "portal.challenge"}
"""What answers whoever asks: the error page needs its stylesheet, those who watch need no name, and an
authority asks before there is any site."""

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
"""All that a shelter's own site has. Whatever is not named here is not found there."""

PRIVATE_LINKS = {"portal.application", "portal.withdraw"}
"""An applicant's private pages. They are on the platform's host alone, since a site can be taken offline and
a domain can be removed; a link to one on any other host redirects."""

VISIBLE = "".join(map(chr, range(0x21, 0x7F)))
"""Of a query: ``quote`` leaves these as they are, and with ``%`` what is encoded already."""


WRITTEN = re.compile(r"/[\x21-\x7e]*")
"""A path as it can stand in a header's line."""


def hosts() -> Hosts:
    known: Hosts = current_app.extensions["homeward.hosts"]
    return known


def origin() -> str:
    """Scheme, host and port of this page, the host as DNS has it: sitemaps and feeds want URIs (RFC 3986)."""
    return f"{request.scheme}://{request.host}"


def address_here(path: str) -> str:
    """A path of this page's host as a whole address."""
    return origin() + path


def canonical_origin(slug: str) -> str:
    """Where the one address of a shelter's animals is: at the domain that it has made its primary one, or on
    the platform. Every host that shows an animal names the same.
    """
    site = current_site()
    primary = g.primary if site else primary_of(slug)
    if not primary:
        settings: Settings = current_app.config["HOMEWARD"]
        return settings.platform_url.rstrip("/")
    scheme, port = scheme_and_port(primary)
    return f"{scheme}://{primary}{port}"


def primary_of(slug: str) -> str:
    served = site_below(slug, datetime.now(UTC))
    return served.primary if served else ""


def current_site() -> Site | None:
    """The shelter whose own site this is; None on the platform's host, which shows all of them."""
    site: Site | None = g.get("site")
    return site


@people.before_app_request
def find_site() -> Response | None:
    """Raises NotFound for what a site has not; a host that is nobody's gets a page for its owner."""
    if g._get_current_object().under_v1:
        return None
    g.site, g.primary = None, ""
    given, known = request.environ.get("HTTP_HOST"), hosts()
    g.at_own_domain = not known.are_platform(given) and not known.slug_in(given)
    if request.endpoint in ON_ANY_HOST:
        return None
    # However it was written: the page's own address is told to others.
    request.host = tidy(request.host or bare_host(given))
    if known.are_platform(given):
        return None
    if request.endpoint in PRIVATE_LINKS:
        return sent_to_platform()
    slug = known.slug_in(given)
    now = datetime.now(UTC)
    served = site_below(slug, now) if slug else found_at(bare_host(given), now)
    g.site = served.site if served else None
    g.primary = served.primary if served else ""
    if served and (elsewhere := address_elsewhere(served, bool(slug))):
        return sent_on(elsewhere, status_of(served))
    if served and not slug and request.scheme == "http" and is_secured(bare_host(given), now):
        return sent_on(bare_host(given), 308)
    if served and served.primary:
        # What is told of the page's own address leads to the one that the shelter has chosen.
        request.host = served.primary + port_of(given)
    if g.site and request.endpoint not in ON_SITES and not ends_in_slash():
        settings: Settings = current_app.config["HOMEWARD"]
        raise NotFound(f"There is nothing at this address on this host. The API is at {settings.base_url}.")
    return None if g.site else unclaimed(given, slug)


def ends_in_slash() -> bool:
    """Whether no page is at this address, but one may be at the address without its last slash."""
    return request.endpoint is None and request.path.endswith("/")


def sent_to_platform() -> Response:
    """Redirect to the same page on the platform's host. A form is not sent on: its page asks again there."""
    settings: Settings = current_app.config["HOMEWARD"]
    path = quote(request.path.removeprefix("/"), safe="/")
    query = quote(request.query_string, safe=VISIBLE)
    address = f"{settings.platform_url}{path}{'?' if query else ''}{query}"
    return make_response(redirect(address, 302 if request.method in ("GET", "HEAD") else 303))


def found_at(host: str, now: datetime) -> Served | None:
    return site_at(host, now) if host else None


def address_elsewhere(served: Served, below_platform: bool) -> str:
    """The host that visitors are sent on to; empty where the site is shown here."""
    return served.primary if below_platform else served.to


def status_of(served: Served) -> int:
    """What a redirect says. The platform's own has a form that is under way arrive as it was sent."""
    return served.status or (301 if request.method in ("GET", "HEAD") else 308)


def sent_on(host: str, status: int) -> Response:
    """A redirect to the same path and query, over TLS where the host has a certificate that visitors get.

    Neither path nor query can change where it leads, or end the header's line.
    """
    scheme, port = scheme_and_port(host)
    path = path_as_written(request.environ)
    query = quote(request.environ["QUERY_STRING"].encode("latin-1"), safe=VISIBLE)
    response = make_response("", status)
    response.headers["Location"] = (
        f"{scheme}://{host}{port}/{path.removeprefix('/')}{'?' if query else ''}{query}"
    )
    # It ends with the domain; browsers keep a 301 for good otherwise.
    response.headers["Cache-Control"] = "no-cache"
    return response


def scheme_and_port(host: str) -> tuple[str, str]:
    """How visitors reach another host of ours: over TLS where it has a certificate that they get."""
    scheme, port = request.scheme, port_of(request.environ.get("HTTP_HOST"))
    if scheme == "http" and is_secured(host, datetime.now(UTC)):
        return "https", secured_port(port)
    return scheme, port


def path_as_written(environ: Mapping[str, Any]) -> str:
    """The path of a request byte for byte, such as ``%2F``, where the edge tells it in ``X-Forwarded-Uri``.

    The server hands it over decoded, and it is encoded anew where nobody tells. It does not matter who does:
    whatever is not another way to write the very path of the request is not heard.
    """
    decoded = environ["PATH_INFO"].encode("latin-1")
    told = environ.get("HTTP_X_FORWARDED_URI", "").partition("?")[0]
    if WRITTEN.fullmatch(told) and unquote(told) == decoded.decode("utf-8", "replace"):
        return str(told)
    return quote(decoded, safe="/!$&'()*+,;=:@-._~")


def secured_port(port: str) -> str:
    """Where TLS is spoken, for whoever came to this port for plain HTTP."""
    edge = current_app.config["HOMEWARD"].edge
    return f":{edge[1]}" if port and edge and edge[1] != 443 else ""


def site_address(slug: str) -> str:
    """Where the site of a project is."""
    settings: Settings = current_app.config["HOMEWARD"]
    scheme, _, host = settings.platform_url.partition("://")
    return f"{scheme}://{slug}.{host}"


def tidy(host: str) -> str:
    """The host in small letters and without a dot at the end of its name."""
    name, colon, port = host.lower().partition(":") if not host.startswith("[") else (host.lower(), "", "")
    return f"{name.removesuffix('.')}{colon}{port}"


def unclaimed(given: str | None, slug: str) -> Response:
    """Return the page of a host that no site is at, or whose site is offline or not published yet."""
    settings: Settings = current_app.config["HOMEWARD"]
    host = bare_host(given)
    is_offline = was_published_below(slug) if slug else bool(host) and was_published_at(host)
    page = render_template(
        "errors/unclaimed.html", host=host, slug=slug, platform=settings.platform_url, is_offline=is_offline
    )
    response = make_response(page, 404)
    # The owner reloads to see whether it works now.
    response.headers.update({"X-Robots-Tag": "noindex", "Cache-Control": "no-store"})
    return dress(response)


class PlatformSessions(SessionInterface):
    """Sessions as they are, on the platform's hosts alone: on a shelter's site nobody gets a cookie."""

    def __init__(self, sessions: SessionInterface) -> None:
        self.sessions = sessions

    def open_session(self, app: Flask, request: Request) -> SessionMixin | None:
        known: Hosts = app.extensions["homeward.hosts"]
        if known.are_platform(request.environ.get("HTTP_HOST")):
            return self.sessions.open_session(app, request)
        return NullSession()

    def save_session(self, app: Flask, session: Any, response: Any) -> None:
        self.sessions.save_session(app, session, response)
