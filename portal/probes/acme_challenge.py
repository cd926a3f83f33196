"""HTTP-01 challenges of a certificate authority (RFC 8555, 8.3)."""

from flask import Response

from adoption.certificates.challenge_answers import challenge_answer
from adoption.errors import NotFound
from adoption.request_context import current_request
from portal import portal_blueprint


@portal_blueprint.get("/.well-known/acme-challenge/<token>")
def challenge(token: str) -> Response:
    """Return the answer to a challenge of this host. Challenges of other hosts are not answered."""
    answer = challenge_answer(current_request().host.name, token)
    if answer is None:
        raise NotFound("There is nothing at this address.")
    response = Response(answer, mimetype="application/octet-stream")
    response.headers["Cache-Control"] = "no-store"
    return response
