"""ETags and conditional requests (RFC 9110, section 13)."""

import hashlib

import orjson
from flask import Response, request

from adoption.request_context import current_request
from api.responses import HeaderList, JsonResponse
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
    if matches_copy(digest):
        return Response(status=304, headers=headers)
    # Skip the library's checks if the client accepts no compression: they take as long as reading the key.
    if "HTTP_ACCEPT_ENCODING" in environ:
        return documents.after_request(Response(text, headers=headers, mimetype="application/json"))
    return JsonResponse(text, headers=headers)


def matches_copy(tag: str) -> bool:
    """Return whether the caller has the response with this ETag (RFC 9110, section 13.1.2)."""
    given = current_request().environ.get("HTTP_IF_NONE_MATCH")
    if given is None:
        return False
    # The library's parser takes longer than reading the animal, and most callers send one ETag.
    return given == f'"{tag}"' or request.if_none_match.contains_weak(tag)


def strong_etag_headers(tag: str, cache_control: str) -> HeaderList:
    return [("ETag", f'"{tag}"'), ("Cache-Control", cache_control), ("Vary", "Accept-Encoding")]
