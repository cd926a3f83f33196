"""ETags and conditional requests (RFC 9110, section 13)."""

import hashlib

import orjson
from flask import Response, request

from adoption.request_context import current_request
from api.responses import JsonResponse
from serving.compression import documents

PRIVATE = "private, no-cache"


def etag_response(body: object, link: str = "", cache_control: str = PRIVATE) -> Response:
    """Return a JSON response with an ETag, or 304 if the caller's copy is current (RFC 9110, section 13)."""
    text = orjson.dumps(body)
    digest = hashlib.blake2b(text + link.encode(), digest_size=12).hexdigest()
    headers = [
        ("ETag", f'W/"{digest}"'),
        ("Cache-Control", cache_control),
        ("Vary", "Accept-Encoding"),
    ]
    if link:
        headers.append(("Link", link))
    environ = current_request().environ
    if "HTTP_IF_NONE_MATCH" in environ and request.if_none_match.contains_weak(digest):
        return Response(status=304, headers=headers)
    # Skip the library's checks if the client accepts no compression: they take as long as reading the key.
    if "HTTP_ACCEPT_ENCODING" in environ:
        return documents.after_request(Response(text, headers=headers, mimetype="application/json"))
    return JsonResponse(text, headers=headers)
