"""Rules of HTTP that the server leaves to the application. They apply to pages and to ``/v1``."""

from flask import Request
from flask.globals import request_ctx
from werkzeug.exceptions import BadRequest, LengthRequired, MethodNotAllowed, NotFound

WITHOUT_BODY = ("GET", "HEAD", "OPTIONS")


def check_request(request: Request) -> None:
    """Raise BadRequest, NotFound or MethodNotAllowed for a request that breaks a rule."""
    environ = request.environ
    # RFC 9112, section 3.2: one Host line, except in HTTP/1.0. The server joins two with a comma.
    host = environ.get("HTTP_HOST", "").strip()
    if "," in host or (not host and environ.get("SERVER_PROTOCOL") == "HTTP/1.1"):
        raise BadRequest("The request must have exactly one Host header.")
    # Werkzeug reads //v1/pets as /v1/pets.
    if environ["PATH_INFO"].startswith("//"):
        raise NotFound
    # RFC 9110, section 9.1: methods are case-sensitive. Werkzeug reads "get" as "GET".
    if environ["REQUEST_METHOD"] != request.method and request.url_rule is not None:
        assert request_ctx.url_adapter is not None  # noqa: S101 - a rule was found with it
        raise MethodNotAllowed(sorted(request_ctx.url_adapter.allowed_methods()))


def demand_length(request: Request) -> None:
    """Raise LengthRequired for a chunked body, except where a body is never read, as with GET.

    One that was cut off is incomplete (RFC 9112, section 8), but the server ends it without an error, so it
    cannot be distinguished from a complete one. With a Content-Length it can.
    """
    if "HTTP_TRANSFER_ENCODING" in request.environ and request.method not in WITHOUT_BODY:
        raise LengthRequired


def has_encoded_slash(request: Request) -> bool:
    """Report whether the path contains %2F, as far as the edge reports it: the server decodes the path."""
    path = request.environ.get("HTTP_X_FORWARDED_URI", "").partition("?")[0]
    return "%2f" in path.lower()
