"""The blueprint of staff pages (``/projects/<slug>/…``), and its access checks."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from apiflask import APIBlueprint
from flask import Response, current_app, g, make_response, request
from flask_wtf.csrf import CSRFError

from adoption.accounts.permissions import PERMISSIONS
from adoption.accounts.project_access import find_project_access, require_permission
from adoption.storage.database import reading
from portal import csrf, current_user, htmx
from portal.sign_in import unsaved_forms
from portal.staff import costly_requests
from serving.compression import pack

staff = APIBlueprint("staff", __name__, url_prefix="/projects/<slug>", enable_openapi=False)

View = Callable[..., Any]


def may(what: str, in_background: bool = False) -> Callable[[View], View]:
    """Return a decorator for a view that requires the permission ``what``.

    The view gets the user's ``ProjectAccess`` as an argument. If ``in_background``, scripts request the view
    while the user types. The response of such a view never redirects the page, even if the session has ended.
    """
    assert what in PERMISSIONS, what  # noqa: S101

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(**rest: Any) -> Any:
            return view(g.access, **rest)

        guarded.may = what  # type: ignore[attr-defined]
        guarded.in_background = in_background  # type: ignore[attr-defined]
        return guarded

    return guard


@staff.url_value_preprocessor
def take_slug(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    g.slug = (values or {}).pop("slug", "")


@staff.url_defaults
def give_slug(_endpoint: str, values: dict[str, Any]) -> None:
    values.setdefault("slug", g.get("slug"))


@staff.before_request
def gate() -> Response | None:
    """Check the sign-in, the membership, the role and the form's CSRF token.

    Raises NotFound if the user is no member, NotAllowed if the role lacks the permission, and CSRFError if
    the token is invalid.
    """
    # A view without the decorator ``may`` raises AttributeError here, so no one can open that view.
    view: Any = current_app.view_functions[str(request.endpoint)]
    what: str = view.may
    who = current_user.current_person()
    if who is None:
        return unsaved_forms.sign_in_first(view.in_background)
    with reading() as session:
        g.access = find_project_access(session, who.user_id, g.slug)
    require_permission(g.access, what)
    try:
        csrf.refuse_forgery()
    except CSRFError:
        if view.in_background and htmx.target_id() is not None:
            return make_response("", 204)
        raise
    costly_requests.take_place(g.access.account.id)
    return None


staff.after_request(pack)
staff.teardown_request(costly_requests.give_back_place)


@staff.after_request
def keep_private(response: Response) -> Response:
    """Keep staff pages out of caches, because a page and its htmx fragment have the same address."""
    response.headers.setdefault("Cache-Control", "no-store")
    return htmx.vary_by_htmx(response)


@staff.context_processor
def surroundings() -> dict[str, Any]:
    return {"access": g.get("access"), "person": g.get("person")}
