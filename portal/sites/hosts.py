"""The pages that a host shows: the platform's pages, or one shelter's site."""

from datetime import UTC, datetime
from urllib.parse import quote

from flask import Response, current_app, make_response, render_template, request

from adoption.certificates.certificate_lookup import is_secured
from adoption.certificates.shelter_origins import canonical_origin_of, scheme_and_port_of
from adoption.domains.site_lookup import (
    ServedSite,
    find_site_by_host,
    find_site_by_slug,
    was_published_at,
    was_published_below,
)
from adoption.errors import NotFound
from adoption.projects.published_sites import Site
from adoption.projects.request_hosts import Hosts, RequestHost
from adoption.request_context import add_to_context, current_request
from adoption.settings import Settings
from adoption.translations import gettext
from portal.headers import add_page_headers
from portal.redirects import Redirect, path_as_written, query_as_written

ON_ANY_HOST = {"static", "portal.health", "portal.readiness", "portal.challenge"}
"""Endpoints that exist on every host.

Error pages need their stylesheet. Health checks use an IP address instead of a host. A certificate authority
sends requests to a site that is not live yet.
"""

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
"""Endpoints of a shelter's own site. All other endpoints are not found on a site."""

PRIVATE_LINKS = {"portal.application", "portal.withdraw"}
"""Endpoints of an applicant's private pages, which are only on the platform's host.

A site can be taken offline, and a domain can be removed. Other hosts redirect to the platform's host.
"""


def origin() -> str:
    """Return the scheme, host and port of this page."""
    return current_request().origin


def address_here(path: str) -> str:
    """Return the full address of a path on the host of this page."""
    return origin() + path


def canonical_origin(slug: str) -> str:
    """Return the origin of a shelter's canonical links.

    The origin is the shelter's primary domain, or the platform if the shelter has none. Every host that shows
    the shelter's animals uses the same origin.
    """
    served = current_request().served
    primary = served.primary if served else primary_host_of_slug(slug)
    context = current_request()
    return canonical_origin_of(primary, context.scheme, context.host.port)


def primary_host_of_slug(slug: str) -> str:
    served = find_site_by_slug(slug, datetime.now(UTC))
    return served.primary if served else ""


def current_site() -> Site | None:
    """Return the shelter whose own site this host shows, or None on the platform's host."""
    return current_request().site


def find_site_or_redirect() -> Response | None:
    """Find the site of the request's host. If the host shows no site, return a response.

    The response is a redirect, or the page of an unknown host. Raises NotFound if sites have no page at this
    address.
    """
    context = current_request()
    if request.endpoint in ON_ANY_HOST:
        return None
    host = context.host
    if host.is_platform:
        return redirect_to_host(host.name, redirect_status()) if host.ends_in_dot else None
    if request.endpoint in PRIVATE_LINKS:
        return redirect_to_platform()
    return find_shelter_site_or_redirect(host)


def find_shelter_site_or_redirect(host: RequestHost) -> Response | None:
    """Add the site that the host shows to the request's context, and return None.

    If the host shows no site, return the page for unclaimed hosts. If the host redirects, return the
    redirect.
    """
    now = datetime.now(UTC)
    served = find_site_by_slug(host.slug, now) if host.slug else None
    if host.name and not host.slug:
        served = find_site_by_host(host.name, now)
    if served is None:
        return render_unclaimed_host(host)
    # Links to the page itself use the address that the shelter has chosen.
    authority = served.primary + own_port(host) if served.primary else host.authority
    add_to_context(served=served, authority=authority)
    if response := redirect_from(host, served, now):
        return response
    refuse_missing_page()
    return None


def own_port(host: RequestHost) -> str:
    """Return the port of our hosts, with its colon.

    In development, it is the port that the client used.
    """
    hosts: Hosts = current_app.extensions["homeward.hosts"]
    return host.port if hosts.development else hosts.port


def redirect_from(host: RequestHost, served: ServedSite, now: datetime) -> Response | None:
    """Return a redirect to the host that shows this site, or None if this host shows it."""
    elsewhere = served.primary if host.slug else served.redirect_host
    if elsewhere:
        return redirect_to_host(elsewhere, served.redirect_status or redirect_status())
    if not host.slug and request.scheme == "http" and is_secured(host.name, now):
        return redirect_to_host(host.name, 308)
    return redirect_to_host(host.name, redirect_status()) if host.ends_in_dot else None


def refuse_missing_page() -> None:
    """Raise NotFound if sites have no page with this address."""
    if request.endpoint not in ON_SITES and not ends_in_slash():
        settings: Settings = current_app.config["HOMEWARD"]
        raise NotFound(
            gettext(
                "There is nothing at this address on this host. The API is at %(address)s.",
                address=settings.base_url,
            )
        )


def ends_in_slash() -> bool:
    """Return whether this address has no page, but ends in a slash.

    Without the slash, the address may have a page.
    """
    return request.endpoint is None and request.path.endswith("/")


def redirect_to_platform() -> Response:
    """Redirect to the same page on the platform's host.

    A form that was sent to the other host has no effect: the page on the platform's host asks the question
    again.
    """
    settings: Settings = current_app.config["HOMEWARD"]
    path = quote(request.path.removeprefix("/"), safe="/")
    address = f"{settings.platform_url}{path}{query_as_written(request.environ)}"
    return Redirect(address, 302 if request.method in ("GET", "HEAD") else 303)


def redirect_status() -> int:
    """Return the status of a permanent redirect that keeps the method and body of a form."""
    return 301 if request.method in ("GET", "HEAD") else 308


def redirect_to_host(host: str, status: int) -> Response:
    """Redirect to the same path and query on another host.

    The redirect uses HTTPS if visitors get a certificate for the host. The path and the query cannot change
    the host of the address or end the header's line.
    """
    context = current_request()
    scheme, port = scheme_and_port_of(host, context.scheme, context.host.port)
    path = path_as_written(request.environ).removeprefix("/")
    response = Redirect(f"{scheme}://{host}{port}/{path}{query_as_written(request.environ)}", status)
    # Without this header, browsers keep a 301 for ever, even after the domain is removed.
    response.headers["Cache-Control"] = "no-cache"
    return response


def render_unclaimed_host(host: RequestHost) -> Response:
    """Return the page of a host that has no site, or whose site is offline or not published yet."""
    settings: Settings = current_app.config["HOMEWARD"]
    name, slug = host.name, host.slug
    is_offline = was_published_below(slug) if slug else bool(name) and was_published_at(name)
    page = render_template(
        "errors/unclaimed.html", host=name, slug=slug, platform=settings.platform_url, is_offline=is_offline
    )
    response = make_response(page, 404)
    # The owner reloads the page to see whether the site works now.
    response.headers.update({"X-Robots-Tag": "noindex", "Cache-Control": "no-store"})
    return add_page_headers(response)
