"""Adding, renaming and removing passkeys on the account page."""

from datetime import UTC, datetime

from flask import Response, request, url_for

from adoption.accounts import reauthentication
from adoption.accounts.authentication import passkeys
from adoption.accounts.sessions import SignedInUser
from adoption.errors import Conflict, Invalid
from adoption.translations import gettext, ngettext
from portal import portal_blueprint
from portal.account.account_page import passkey_rows
from portal.account.user_agents import browser_name
from portal.confirmation_dialogs import ask_to_confirm
from portal.flash import notice
from portal.responses import private
from portal.sign_in.passkey_challenges import challenge_response, relying_party, take_challenge
from portal.sign_in.required_sign_in import sign_in_required
from portal.sign_in.responses import redirect_onward, render_account_page
from portal.sign_in.sign_in_page import requested_page

NAME_LONGEST = 100


@portal_blueprint.post("/account/passkeys/challenge")
@sign_in_required
def want_passkey(who: SignedInUser) -> Response:
    return challenge_response(*passkeys.registration_options(who, relying_party()))


@portal_blueprint.post("/account/passkeys")
@sign_in_required
def add_passkey(who: SignedInUser) -> Response:
    reauthentication.require_recent_proof(who)
    name = typed_passkey_name() or browser_name(request.headers.get("User-Agent", ""))
    try:
        passkeys.add_passkey(who, request.form.get("answer", ""), take_challenge(), relying_party(), name)
    except Invalid as refusal:
        notice(refusal.violations[0][1], "bad")
    except Conflict as refusal:
        notice(refusal.sentence, "bad")
    else:
        notice(gettext("The passkey “%(name)s” is added. You can sign in with it from now on.", name=name))
    return redirect_onward(url_for(".account"))


def typed_passkey_name() -> str:
    """Return the typed name of a passkey, or an empty text."""
    text = " ".join(request.form.get("name", "").split())
    return text[:NAME_LONGEST] if text.isprintable() else ""


@portal_blueprint.post("/account/passkeys/<int64:passkey_id>/name")
@sign_in_required
def rename_passkey(who: SignedInUser, passkey_id: int) -> Response:
    old_name = passkeys.passkey_of(who.user_id, passkey_id).name
    name = typed_passkey_name() or old_name
    passkeys.rename_passkey(who.user_id, passkey_id, name)
    notice(gettext("The passkey is called “%(name)s” now.", name=name))
    return redirect_onward(url_for(".account"))


@portal_blueprint.get("/account/passkeys/<int64:passkey_id>/removal")
@sign_in_required
def think_of_removing_passkey(who: SignedInUser, passkey_id: int) -> Response:
    reauthentication.require_recent_proof(who)
    name = passkeys.passkey_of(who.user_id, passkey_id).name
    question = ask_to_confirm(
        gettext("Remove the passkey “%(name)s”?", name=name),
        gettext("You can no longer sign in with it. Your password and your other passkeys do not change."),
        url_for(".remove_passkey", passkey_id=passkey_id),
        gettext("Remove passkey"),
        gettext("Keep passkey"),
        url_for(".account"),
        layout="layouts/account.html",
    )
    return private(question)


@portal_blueprint.post("/account/passkeys/<int64:passkey_id>/removal")
@sign_in_required
def remove_passkey(who: SignedInUser, passkey_id: int) -> Response:
    name = passkeys.remove_passkey(who, passkey_id)
    notice(gettext("The passkey “%(name)s” is removed.", name=name))
    return redirect_onward(url_for(".account"))


@portal_blueprint.get("/account/passkeys")
@sign_in_required
def review_passkeys(who: SignedInUser) -> Response:
    """List all passkeys, with a button to remove them all.

    The page is shown after a password reset, and before all passkeys are removed.
    """
    keys, back = passkey_rows(who, datetime.now(UTC)), requested_page()
    return (
        render_account_page("account/passkeys.html", keys=keys, back=back)
        if keys
        else redirect_onward(url_for(".account"))
    )


@portal_blueprint.post("/account/passkeys/removal")
@sign_in_required
def remove_all_passkeys(who: SignedInUser) -> Response:
    count = passkeys.remove_all_passkeys(who)
    notice(ngettext("The passkey is removed.", "All %(num)s passkeys are removed.", count))
    return redirect_onward(url_for(".account"))
