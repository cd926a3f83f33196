"""Responses of the sign-in and account pages, which no cache may store."""

from typing import Any

from flask import Response, make_response, render_template

from adoption.errors import TooMany
from portal import responses
from portal.responses import private


def render_account_page(template: str, status: int = 200, **words: Any) -> Response:
    return private(make_response(render_template(template, **words), status))


def redirect_onward(address: str) -> Response:
    """Redirect to another page after a change."""
    return private(responses.see_other(address))


def slowed(response: Response, refusal: TooMany) -> Response:
    """Add the status and header that say how long to wait."""
    response.status_code = 429
    response.headers["Retry-After"] = str(refusal.seconds)
    return response
