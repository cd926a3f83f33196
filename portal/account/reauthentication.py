"""Reauthentication: a signed-in user confirms their identity before they change something sensitive.

The user enters the password, or uses a passkey.
"""

from flask import Response, g, make_response, redirect, request, url_for

from adoption.accounts import reauthentication
from adoption.accounts.authentication import passkeys, password_attempts
from adoption.accounts.sessions import SignedInUser
from adoption.errors import Invalid, TooMany
from adoption.request_context import current_request
from adoption.translations import gettext, message
from portal import current_user, htmx, portal_blueprint
from portal.redirects import local_path
from portal.responses import private
from portal.sign_in import unsaved_forms
from portal.sign_in.passkey_challenges import relying_party, take_challenge
from portal.sign_in.required_sign_in import sign_in_required
from portal.sign_in.responses import render_account_page, slowed
from portal.sign_in.unsaved_forms import CONFIRMED, continue_after_sign_in

NOT_YOURS = message("This passkey belongs to another account. Use your own passkey, or your password.")
WRONG = message("That is not your password. Try again, or reset your password.")


@portal_blueprint.route("/account/identity", methods=["GET", "POST"])
@sign_in_required
def confirm_identity(who: SignedInUser) -> Response:
    if request.method == "GET":
        return ask_again(200)
    try:
        password = request.form.get("password", "")
        is_right = password_attempts.verify_own_password(
            who.user_id, password, current_request().client_address
        )
    except TooMany as refusal:
        return slowed(ask_again(429, refusal.sentence), refusal)
    return confirmed(who) if is_right else ask_again(422, gettext(WRONG))


@portal_blueprint.post("/account/identity/passkey")
@sign_in_required
def confirm_identity_by_passkey(who: SignedInUser) -> Response:
    try:
        user_id = passkeys.authenticate_passkey(
            request.form.get("answer", ""), take_challenge(), relying_party()
        )
    except Invalid as refusal:
        return ask_again(422, refusal.violations[0][1])
    return confirmed(who) if user_id == who.user_id else ask_again(422, gettext(NOT_YOURS))


def ask_again(status: int, failure: str = "") -> Response:
    return identity_page(status, failure, continue_address(), request.form.get("unsaved", ""))


def continue_address() -> str:
    return local_path(request.args.get("next", "")) or url_for("portal.account")


def confirmed(who: SignedInUser) -> Response:
    reauthentication.record_proof(who)
    g.pop("person", None)  # the user is read again, with the new proof
    return continue_after_sign_in(continue_address(), CONFIRMED)


def confirm_identity_first() -> Response:
    """Ask for the password or a passkey. Keep the values of the form that this request sent."""
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
    """Return the page. After the confirmation, the page leads to ``wanted`` or to the ``unsaved`` form."""
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
