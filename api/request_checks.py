"""Rules of HTTP that the server leaves to the application. They apply to pages and to ``/v1``."""

from flask import Flask, request
from werkzeug.exceptions import BadRequest, LengthRequired, MethodNotAllowed, NotFound

from adoption.errors import Busy
from adoption.request_context import Environ, RequestContext
from serving.concurrency import OVERLOADED, SMALL_BODY

BODY_LARGEST = SMALL_BODY
"""Bytes of a body under /v1."""

WITHOUT_BODY = ("GET", "HEAD", "OPTIONS")


def check_request(app: Flask, context: RequestContext) -> None:
    """Raise BadRequest or MethodNotAllowed for a request that breaks a rule.

    Raise Busy if the server had no place for it, and has not read its body.
    """
    if OVERLOADED in context.environ:
        raise Busy("Many requests are being handled at the moment.")
    # RFC 9112, section 3.2: one Host line, except in HTTP/1.0. The server joins two with a comma.
    host = (context.host.header or "").strip()
    if "," in host or (not host and context.environ.get("SERVER_PROTOCOL") == "HTTP/1.1"):
        raise BadRequest("The request must have exactly one Host header.")
    # RFC 9110, section 9.1: methods are case-sensitive. Werkzeug reads "get" as "GET".
    method = context.environ["REQUEST_METHOD"]
    if method != method.upper() and request.url_rule is not None:
        adapter = app.create_url_adapter(request)
        assert adapter is not None  # noqa: S101 - there is one for every request
        raise MethodNotAllowed(sorted(adapter.allowed_methods()))


def demand_length(environ: Environ) -> None:
    """Raise LengthRequired for a chunked body, except where a body is never read, as with GET.

    One that was cut off is incomplete (RFC 9112, section 8), but the server ends it without an error, so it
    cannot be distinguished from a complete one. With a Content-Length it can.
    """
    if "HTTP_TRANSFER_ENCODING" in environ and environ["REQUEST_METHOD"].upper() not in WITHOUT_BODY:
        raise LengthRequired


def check_slashes(environ: Environ) -> None:
    """Raise NotFound for a path that is only similar to another one: //v1/pets, or /v1/pets%2F1.

    Werkzeug drops the first slash. The server decodes %2F, which is known only if the edge reports the path.
    """
    reported = environ.get("HTTP_X_FORWARDED_URI", "").partition("?")[0]
    if environ["PATH_INFO"].startswith("//") or "%2f" in reported.lower():
        raise NotFound
