"""The sign-in page, and redirects to it."""

from flask import Response, make_response, redirect, render_template, request, url_for

from portal import htmx
from portal.redirects import local_path
from portal.responses import private


def sign_in_page(status: int = 200, failure: str = "", **words: object) -> Response:
    """Return the page.

    ``words`` has three optional keys. ``why`` is the reason why the user has to sign in, ``unsaved`` is a
    signed form to keep, and ``next`` is the address after the sign-in.
    """
    wanted = local_path(request.args.get("next", ""))
    shown = {"why": "", "unsaved": request.form.get("unsaved", ""), "next": wanted, **words}
    text = render_template(
        "sign_in/sign_in.html",
        failure=failure,
        email=request.form.get("email", "") if request.endpoint == "portal.sign_in" else "",
        stay="stay" in request.form,
        here=url_for("portal.sign_in", next=shown["next"]),
        passkey_address=url_for("portal.sign_in_by_passkey", next=shown["next"]),
        **shown,
    )
    return private(make_response(text, status))


def requested_page() -> str:
    """Return the address that the visitor requested before the sign-in page."""
    return local_path(request.args.get("next", "")) or url_for("portal.projects")


def redirect_to_sign_in() -> Response:
    """Redirect to the sign-in page, which then leads back to this page."""
    is_part = htmx.target_id() is not None
    here = request.full_path.rstrip("?") if request.method in ("GET", "HEAD") else None
    target = url_for("portal.sign_in", next=htmx.current_page() if is_part else here)
    if is_part:
        return htmx.client_redirect(target)
    return make_response(redirect(target))
