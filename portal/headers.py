"""What every answer to people bears beside its content, each by what it is: a document or a file."""

from flask import Response, current_app, g, request

from adoption.domains.https_policy import YEAR
from adoption.settings import Settings

POLICY = {
    "default-src": "'self'",
    # A photo is shown as a tiny picture of its own until it has come.
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
NOT_TO_BE_RUN = "default-src 'none'; frame-ancestors 'none'"
"""The policy of what is no document, if a browser takes it for one all the same."""

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
    # Photos are shown by feed readers, and scripts for other pages are loaded by those.
    "Cross-Origin-Resource-Policy": "cross-origin",
}
PRIVATE = {
    # The address of an application is a secret: it goes to no other page, no store and no search engine.
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}


def policy(**changes: str) -> str:
    """The policy of a document, with ``changes`` such as ``frame_ancestors="*"``."""
    told = POLICY | {name.replace("_", "-"): value for name, value in changes.items()}
    parts = [f"{name} {value}" for name, value in told.items()]
    return "; ".join([*parts, "upgrade-insecure-requests"] if request.is_secure else parts)


def dress(response: Response) -> Response:
    """Headers that the view has not set by itself; a browser asks again before it shows a kept page.

    Whatever the status, and not under /v1, which has a contract of its own.
    """
    if g._get_current_object().get("under_v1"):
        return response
    if request.path.startswith("/applications/"):
        response.headers.update(PRIVATE)
    wanted = (DOCUMENT if response.mimetype == "text/html" else FILE) | {"Cache-Control": "no-cache"}
    if response.mimetype == "text/html":
        wanted["Content-Security-Policy"] = policy(**form_targets())
    seconds = g.get("https_seconds", YEAR)
    if request.is_secure and seconds and told_of_tls():
        wanted["Strict-Transport-Security"] = f"max-age={seconds}"
    # Werkzeug looks through all headers for each that is set by its name: here they are looked through once.
    there = {name.lower() for name in response.headers.keys()}  # noqa: SIM118 - it is no dict
    for name, value in wanted.items():
        if name.lower() not in there:
            response.headers.add(name, value)
    return response


def form_targets() -> dict[str, str]:
    """Return the hosts that a page's forms may lead to. Browsers check redirects too (CSP 3, 6.4.2).

    An application that is sent on a shelter's site leads to its private page on the platform's host.
    """
    if g.get("site") is None:
        return {}
    settings: Settings = current_app.config["HOMEWARD"]
    return {"form_action": f"'self' {settings.platform_url.removesuffix('/')}"}


def told_of_tls() -> bool:
    """Whether browsers may learn that this host always has TLS: in development it soon has not."""
    settings: Settings | None = current_app.config.get("HOMEWARD")
    return settings is not None and settings.environment != "development"
