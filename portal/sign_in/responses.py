"""What the pages on the way in and a person's own have in common: they stay in no store."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, make_response, render_template

from adoption.accounts.access import ProjectAccess, list_project_access
from adoption.errors import TooMany
from adoption.storage.database import reading
from portal import access, responses
from portal.responses import private
from portal.sign_in import unsaved_forms

View = Callable[..., Response]


def render_account_page(template: str, status: int = 200, **words: Any) -> Response:
    return private(make_response(render_template(template, **words), status))


def redirect_onward(address: str) -> Response:
    """Go on to another page, after something was done."""
    return private(responses.see_other(address))


def slowed(response: Response, refusal: TooMany) -> Response:
    """Tell programs as well how long to wait."""
    response.status_code = 429
    response.headers["Retry-After"] = str(refusal.seconds)
    return response


def own(view: View) -> View:
    """Give a view the person who is signed in as its first argument. Ask strangers to sign in."""

    @wraps(view)
    def guarded(**rest: Any) -> Response:
        who = access.current_person()
        return unsaved_forms.sign_in_first() if who is None else view(who, **rest)

    return guarded


def places() -> list[ProjectAccess]:
    """All projects that whoever is signed in may go to."""
    with reading() as session:
        return list_project_access(session, access.signed_in_person().user_id)
