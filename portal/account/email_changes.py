"""Changing the email address that a person signs in with."""

from flask import Response, request, url_for

from adoption.accounts.authentication import email_changes
from adoption.accounts.sessions import SignedInUser
from adoption.errors import Conflict, Invalid, NotFound, TooMany
from adoption.request_context import current_request
from adoption.translations import gettext
from portal import current_user, portal_blueprint
from portal.account.account_page import Forms, render_own_page
from portal.flash import notice
from portal.sign_in.forms import AddressForm
from portal.sign_in.required_sign_in import sign_in_required
from portal.sign_in.responses import link_expired_page, redirect_onward, render_account_page, slowed


@portal_blueprint.post("/account/email")
@sign_in_required
def change_email(who: SignedInUser) -> Response:
    form = AddressForm(request.form)
    try:
        if form.validate():
            email_changes.request_email_change(who, form.cleaned["email"], current_request().client_address)
    except Invalid as refusal:
        form.add_error("email", refusal.violations[0][1])
    except TooMany as refusal:
        form.add_error("email", refusal.sentence)
        return slowed(render_own_page(who, Forms(who, email=form)), refusal)
    if form.errors:
        return render_own_page(who, Forms(who, email=form), 422)
    notice(
        gettext(
            "We have sent a link to %(email)s. Open the link to change your address.",
            email=form.cleaned["email"],
        )
    )
    return redirect_onward(url_for(".account"))


@portal_blueprint.route("/account/email/<token>", methods=["GET", "POST"])
def new_email(token: str) -> Response:
    """Show the page that the emailed link opens.

    Only the page's button changes the email address, because mail scanners open links.
    """
    who = current_user.current_person()
    try:
        user_id, old, new = email_changes.read_change_link(token)
        if request.method == "GET":
            return render_account_page("account/new_email.html", old=old, new=new)
        kept = who.sign_in_id if who and who.user_id == user_id else None
        email_changes.confirm_email_change(token, current_request().client_address, kept)
    except (NotFound, Conflict) as refusal:
        return link_expired_page(refusal, url_for(".account"), gettext("Your account"))
    notice(gettext("Email address changed. Sign in as %(email)s from now on.", email=new))
    return redirect_onward(url_for(".account" if kept else ".sign_in"))
