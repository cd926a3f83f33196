"""Cross-origin requests of web pages to the directory: preflights, origins and headers.

The protocol is CORS (WHATWG Fetch, 3.2).
"""

from flask import Response

from adoption.request_context import RequestContext
from api.errors import Problem
from api.responses import HeaderList, JsonResponse

DIRECTORY = "/v1/directory"
PREFLIGHT_CACHED = 7_200
"""How many seconds a browser caches the response to a preflight. Chromium's limit is the same."""
REQUEST_HEADERS = ("authorization", "if-none-match", "accept")
EXPOSED = "Link, ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"


def is_cross_origin_path(path: str) -> bool:
    """Return whether web pages of other origins can request this path."""
    return path == DIRECTORY or path.startswith(f"{DIRECTORY}/")


def is_preflight(context: RequestContext) -> bool:
    environ = context.environ
    return environ["REQUEST_METHOD"] == "OPTIONS" and is_cross_origin_path(environ["PATH_INFO"])


def preflight_response(context: RequestContext) -> Response:
    """Return the response to a browser that asks which methods and headers a page may send."""
    asked = context.environ.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS", "").lower().split(",")
    allowed = [name for each in asked if (name := each.strip()) in REQUEST_HEADERS]
    headers = [
        ("Access-Control-Allow-Methods", "GET, HEAD"),
        ("Access-Control-Max-Age", str(PREFLIGHT_CACHED)),
    ]
    if allowed:
        headers.append(("Access-Control-Allow-Headers", ", ".join(allowed)))
    response = JsonResponse(b"", 204)
    response.header_list = headers
    return response


def demand_origin(context: RequestContext) -> None:
    """Raise Problem (403) if a page uses a publishable key that does not list the page's website."""
    origin, caller = context.environ.get("HTTP_ORIGIN"), context.caller
    if caller is None or caller.accepts(origin):
        return
    listed = f"It can be used in pages of {', '.join(caller.origins.split())}."
    if origin is None:
        reason = (
            f"This key is for web pages, which send the header Origin. {listed} For a program, use a secret "
            "key, or create a key with the option “also from programs”."
        )
    else:
        reason = (
            f"This key cannot be used in pages of {origin[:100]}. {listed} Create a key that lists yours."
        )
    raise Problem(403, reason, "origin_not_allowed")


def cors_headers(context: RequestContext) -> HeaderList:
    """Return the headers that let a page of another origin read the response.

    A page cannot read responses to requests with a secret key, so that no one puts a secret key into a page.
    If a request has no valid key, the page can read the error.
    """
    if not is_cross_origin_path(context.environ["PATH_INFO"]):
        return []
    headers, origin, caller = (
        [("Vary", "Origin, Authorization")],
        context.environ.get("HTTP_ORIGIN"),
        context.caller,
    )
    is_readable = caller is None or (caller.is_publishable and caller.accepts(origin))
    if origin is not None and is_readable:
        headers += [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", EXPOSED)]
    return headers
