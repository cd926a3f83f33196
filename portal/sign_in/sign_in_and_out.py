"""Signing in and out."""

from flask import Response, make_response, redirect, request, url_for

from adoption.accounts.authentication import password_attempts
from adoption.errors import TooMany
from adoption.request_context import current_request
from adoption.translations import gettext, message
from portal import current_user, portal_blueprint
from portal.sign_in.responses import redirect_onward, slowed
from portal.sign_in.sign_in_page import requested_page, sign_in_page
from portal.sign_in.unsaved_forms import continue_after_sign_in

WRONG = message("Email or password is wrong. Check both, or reset your password.")


@portal_blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    if request.method == "POST":
        return let_in_or_ask_again()
    if current_user.current_person() is not None:
        return make_response(redirect(requested_page()))
    return sign_in_page()


def let_in_or_ask_again() -> Response:
    email, password = request.form.get("email", ""), request.form.get("password", "")
    try:
        user = password_attempts.authenticate_password(email, password, current_request().client_address)
    except TooMany as refusal:
        return slowed(sign_in_page(429, refusal.sentence), refusal)
    if user is None:
        return sign_in_page(422, gettext(WRONG))
    current_user.start_session(user.id, stay="stay" in request.form)
    return continue_after_sign_in(requested_page())


@portal_blueprint.post("/sign-out")
def sign_out() -> Response:
    current_user.end_session()
    response = redirect_onward(url_for(".sign_in"))
    # Drafts of forms must not stay on a shared computer. The header removes them without a script.
    response.headers["Clear-Site-Data"] = '"storage"'
    return response
