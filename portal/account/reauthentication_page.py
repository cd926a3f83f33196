"""The page that asks for the password or a passkey again, before a change to the ways of signing in."""

from flask import Response, make_response, redirect, request, url_for

from adoption.accounts.authentication import passkeys
from portal import current_user, htmx
from portal.responses import private
from portal.sign_in import unsaved_forms
from portal.sign_in.responses import render_account_page


def confirm_identity_first() -> Response:
    """Ask for the password or a passkey, and keep the form that this request sent."""
    if request.method in ("GET", "HEAD"):
        target = url_for("portal.confirm_identity", next=request.full_path.rstrip("?"))
        is_part = htmx.target_id() is not None
        return htmx.client_redirect(target) if is_part else make_response(redirect(target))
    if htmx.target_id() is not None:
        # The script then sends the form without htmx, so that the answer is a whole page.
        return private(make_response("", 401))
    unsaved, text = unsaved_forms.kept_form()
    return identity_page(401, wanted=unsaved.page, unsaved=text)


def identity_page(status: int = 200, failure: str = "", wanted: str = "", unsaved: str = "") -> Response:
    """Return the page. Afterwards it leads to ``wanted``, or to the ``unsaved`` form."""
    return render_account_page(
        "account/identity.html",
        status,
        failure=failure,
        unsaved=unsaved,
        email=current_user.signed_in_person().email,
        here=url_for("portal.confirm_identity", next=wanted),
        passkey_address=url_for("portal.confirm_identity_by_passkey", next=wanted),
        has_passkeys=bool(passkeys.passkeys_of(current_user.signed_in_person().user_id)),
    )
