"""The sign-in page."""

from flask import Response, make_response, render_template, request, url_for

from portal import current_user
from portal.responses import private


def sign_in_page(status: int = 200, failure: str = "", **words: object) -> Response:
    """Return the page.

    ``words`` has three optional values: the reason ``why`` sign-in is needed, the ``unsaved`` form, and the
    address ``next``.
    """
    wanted = current_user.local_path(request.args.get("next", ""))
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
