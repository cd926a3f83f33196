"""Responses of the sign-in and account pages. No cache may store them."""

from typing import Any

from flask import Response, make_response, render_template, url_for

from adoption.errors import Conflict, NotFound, TooMany
from adoption.translations import gettext
from portal import responses
from portal.responses import private


def render_account_page(template: str, status: int = 200, **words: Any) -> Response:
    return private(make_response(render_template(template, **words), status))


def redirect_onward(address: str) -> Response:
    """Redirect to another page after a change."""
    return private(responses.see_other(address))


def slowed(response: Response, refusal: TooMany) -> Response:
    """Set status 429, and ``Retry-After`` with the seconds to wait."""
    response.status_code = 429
    response.headers["Retry-After"] = str(refusal.seconds)
    return response


def link_expired_page(refusal: NotFound | Conflict, again: str, label: str) -> Response:
    """Return the page for a link that no longer works.

    If the account exists already, the page links to sign-in, else to ``again``.
    """
    has_account = isinstance(refusal, Conflict)
    return render_account_page(
        "sign_in/link_expired.html",
        409 if has_account else 404,
        sentence=refusal.sentence,
        onward=url_for(".sign_in") if has_account else again,
        label=gettext("Sign in") if has_account else label,
    )
