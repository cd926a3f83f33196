"""Where a certificate authority asks whether a host leads here (RFC 8555, 8.3)."""

from flask import Response, request

from adoption.certificates.lookup import challenge_answer
from adoption.errors import NotFound
from adoption.projects.hosts import bare_host
from portal import people


@people.get("/.well-known/acme-challenge/<token>")
def challenge(token: str) -> Response:
    """The answer to a challenge of this very host; no other host's is told."""
    answer = challenge_answer(bare_host(request.environ.get("HTTP_HOST")), token)
    if answer is None:
        raise NotFound("There is nothing at this address.")
    response = Response(answer, mimetype="application/octet-stream")
    response.headers["Cache-Control"] = "no-store"
    return response
