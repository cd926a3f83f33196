"""Signing in with a passkey."""

from flask import Response, request

from adoption.accounts.authentication import passkeys
from adoption.accounts.authentication.webauthn import (
    sign_in_options,
)
from adoption.errors import Invalid
from portal import current_user, portal_blueprint
from portal.sign_in.passkey_challenges import challenge_response, relying_party, take_challenge
from portal.sign_in.sign_in_page import requested_page, sign_in_page
from portal.sign_in.unsaved_forms import continue_after_sign_in


@portal_blueprint.post("/sign-in/passkey/challenge")
def ask_for_passkey() -> Response:
    return challenge_response(*sign_in_options(relying_party()))


@portal_blueprint.post("/sign-in/passkey")
def sign_in_by_passkey() -> Response:
    try:
        user_id = passkeys.authenticate_passkey(
            request.form.get("answer", ""), take_challenge(), relying_party()
        )
    except Invalid as refusal:
        return sign_in_page(422, refusal.violations[0][1])
    current_user.start_session(user_id, stay="stay" in request.form)
    return continue_after_sign_in(requested_page())
