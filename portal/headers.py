"""Security and cache headers of pages and files."""

from flask import Response, current_app, request

from adoption.domains.hsts import YEAR, https_seconds
from adoption.request_context import RequestContext, current_request
from adoption.settings import Settings

POLICY = {
    "default-src": "'self'",
    # Until a photo has loaded, a tiny inline picture is shown.
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
NOT_TO_BE_RUN = "default-src 'none'; frame-ancestors 'none'"
"""The policy of files other than documents, for browsers that open such a file as a document."""

ALL = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
DOCUMENT = {
    **ALL,
    "Permissions-Policy": "browsing-topics=(), camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FILE = {
    **ALL,
    "Content-Security-Policy": NOT_TO_BE_RUN,
    # Feed readers show photos, and other websites load the embed script.
    "Cross-Origin-Resource-Policy": "cross-origin",
}
PRIVATE = {
    # Other sites, caches and search engines must not see the address of an application, which is secret.
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}


def content_security_policy(**changes: str) -> str:
    """Return the Content-Security-Policy of a page, with changes such as ``frame_ancestors="*"``."""
    directives = POLICY | {name.replace("_", "-"): value for name, value in changes.items()}
    parts = [f"{name} {value}" for name, value in directives.items()]
    return "; ".join([*parts, "upgrade-insecure-requests"] if request.is_secure else parts)


def add_page_headers(response: Response) -> Response:
    """Add the headers that the view has not set.

    Browsers check a cached page with the server before they show it. Responses of any status get the headers,
    except responses of /v1.
    """
    context = current_request()
    if request.path.startswith("/applications/"):
        response.headers.update(PRIVATE)
    wanted = (DOCUMENT if response.mimetype == "text/html" else FILE) | {"Cache-Control": "no-cache"}
    if response.mimetype == "text/html":
        wanted["Content-Security-Policy"] = content_security_policy(**form_targets())
    seconds = https_seconds_of(context)
    if context.scheme == "https" and seconds and may_require_https():
        wanted["Strict-Transport-Security"] = f"max-age={seconds}"
    # Werkzeug searches all headers each time that a header is set by name. This code searches once.
    present = {name.lower() for name in response.headers.keys()}  # noqa: SIM118 - not a dict
    for name, value in wanted.items():
        if name.lower() not in present:
            response.headers.add(name, value)
    return response


def form_targets() -> dict[str, str]:
    """Return the hosts that a page's forms are allowed to lead to.

    Browsers check redirects too (CSP 3, 6.4.2). An application on a shelter's site redirects to the private
    page on the platform's host.
    """
    if current_request().site is None:
        return {}
    settings: Settings = current_app.config["HOMEWARD"]
    return {"form_action": f"'self' {settings.platform_url.removesuffix('/')}"}


def https_seconds_of(context: RequestContext) -> int:
    """Return the number of seconds for which browsers must use only HTTPS for this host.

    A browser keeps the last value that a host sent (RFC 6797, 8.1). Each domain has its own value. On a
    domain, static files are sent without a lookup of the domain. So their responses contain no value.
    """
    if context.host.is_platform or context.host.slug:
        return YEAR
    return https_seconds(context.served.keeps_https) if context.served else 0


def may_require_https() -> bool:
    """Return whether responses can make browsers use only HTTPS.

    False in development: browsers would remember the rule, and plain HTTP would fail later.
    """
    settings: Settings | None = current_app.config.get("HOMEWARD")
    return settings is not None and settings.environment != "development"
