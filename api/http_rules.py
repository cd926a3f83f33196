"""Rules of HTTP that the server leaves to the application. They apply to pages and to ``/v1``."""

from flask import Flask, request
from werkzeug.exceptions import BadRequest, LengthRequired, MethodNotAllowed, NotFound

from adoption.errors import Busy
from adoption.request_context import Environ, RequestContext
from serving.concurrent_request_limits import OVERLOADED, SMALL_BODY

BODY_LARGEST = SMALL_BODY
"""The maximum number of bytes in a body under /v1."""

WITHOUT_BODY = ("GET", "HEAD", "OPTIONS")


def check_request(app: Flask, context: RequestContext) -> None:
    """Raise BadRequest or MethodNotAllowed if the request breaks a rule.

    Raise Busy if the server was too busy to read the request's body.
    """
    if OVERLOADED in context.environ:
        raise Busy("Many requests are being handled at the moment.")
    # RFC 9112, section 3.2: exactly one Host line, except in HTTP/1.0. The server joins two lines with a
    # comma.
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
    """Raise LengthRequired if the body is chunked and the method takes a body.

    If a chunked body was cut off, the server reports no error (RFC 9112, section 8), and the body looks
    complete. With a Content-Length, the missing part is noticed.
    """
    if "HTTP_TRANSFER_ENCODING" in environ and environ["REQUEST_METHOD"].upper() not in WITHOUT_BODY:
        raise LengthRequired


def check_slashes(environ: Environ) -> None:
    """Raise NotFound for a path such as //v1/pets or /v1/pets%2F1.

    Without this check, the path would be normalised and found: Werkzeug drops the first slash, and the server
    decodes %2F. Only the edge can report the original path.
    """
    reported = environ.get("HTTP_X_FORWARDED_URI", "").partition("?")[0]
    if environ["PATH_INFO"].startswith("//") or "%2f" in reported.lower():
        raise NotFound
