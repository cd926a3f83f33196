"""Responses of the sign-in and account pages, which no cache may store."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, make_response, render_template

from adoption.accounts.access import ProjectAccess, list_project_access
from adoption.errors import TooMany
from adoption.storage.database import reading
from portal import current_user, responses
from portal.responses import private
from portal.sign_in import unsaved_forms

View = Callable[..., Response]


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


def sign_in_required(view: View) -> View:
    """Pass the signed-in user to a view as its first argument. Ask others to sign in."""

    @wraps(view)
    def guarded(**rest: Any) -> Response:
        who = current_user.current_person()
        return unsaved_forms.sign_in_first() if who is None else view(who, **rest)

    return guarded


def projects_of_current_user() -> list[ProjectAccess]:
    """Return all projects of the signed-in user."""
    with reading() as session:
        return list_project_access(session, current_user.signed_in_person().user_id)
