"""Password reset pages."""

from flask import Response, request, url_for

from adoption.accounts.authentication import passkeys, password_resets
from adoption.errors import NotFound, TooMany
from adoption.request_context import current_request
from adoption.translations import gettext
from portal import current_user, portal_blueprint
from portal.flash import notice
from portal.sign_in.forms import AddressForm, NewPasswordForm
from portal.sign_in.responses import link_expired_page, redirect_onward, render_account_page, slowed
from portal.sign_in.sign_up import to_mailbox


@portal_blueprint.route("/password/forgotten", methods=["GET", "POST"])
def forgotten() -> Response:
    form = AddressForm(request.form)
    if request.method == "GET":
        return render_account_page("sign_in/forgotten.html", form=form)
    if not form.validate():
        return render_account_page("sign_in/forgotten.html", 422, form=form)
    try:
        password_resets.request_reset(form.cleaned["email"], current_request().client_address)
    except TooMany as refusal:
        return slowed(
            render_account_page("sign_in/forgotten.html", form=form, failure=refusal.sentence), refusal
        )
    return to_mailbox(form.cleaned["email"])


@portal_blueprint.route("/password/new/<token>", methods=["GET", "POST"])
def new_password(token: str) -> Response:
    form = NewPasswordForm(request.form)
    try:
        user = password_resets.user_of_link(token)
        if request.method == "GET":
            return render_account_page("sign_in/new_password.html", form=form, email=user.email)
        if not form.validate():
            return render_account_page("sign_in/new_password.html", 422, form=form, email=user.email)
        user_id = password_resets.reset_password(token, form.cleaned["password"])
    except NotFound as refusal:
        return link_expired_page(refusal, url_for(".forgotten"), gettext("Ask for a new link"))
    current_user.start_session(user_id, stay=False)
    notice(gettext("Password changed. You have been signed out everywhere else."))
    return redirect_onward(url_for(".review_passkeys" if passkeys.passkeys_of(user_id) else ".projects"))
