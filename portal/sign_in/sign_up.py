"""Sign-up pages. The link in the email leads to the page that asks for a password."""

from typing import Any
from urllib.parse import unquote, urlsplit

from flask import Response, current_app, request, url_for

from adoption.accounts import sign_ups
from adoption.accounts.sign_ups import SignUp
from adoption.errors import Conflict, NotFound, TooMany
from adoption.projects.currencies import CURRENCIES
from adoption.request_context import current_request
from adoption.settings import Settings
from adoption.translations import gettext
from portal import current_user, portal_blueprint
from portal.flash import notice
from portal.sign_in.currency_suggestion import suggested_currency
from portal.sign_in.forms import NewPasswordForm, SignUpForm
from portal.sign_in.responses import link_expired_page, redirect_onward, render_account_page, slowed


@portal_blueprint.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> Response:
    form = SignUpForm(request.form or None)
    if not form.currency.data:
        form.currency.data = suggested_currency()
    words: dict[str, Any] = {"form": form, "currencies": CURRENCIES}
    if request.method == "GET":
        return render_account_page("sign_in/sign_up.html", **words)
    if not form.validate():
        return render_account_page("sign_in/sign_up.html", 422, **words)
    try:
        wanted = SignUp(**form.cleaned, in_directory=form.in_directory.data)
        sign_ups.request_sign_up(wanted, current_request().client_address)
    except TooMany as refusal:
        return slowed(render_account_page("sign_in/sign_up.html", failure=refusal.sentence, **words), refusal)
    return to_mailbox(form.cleaned["email"])


def to_mailbox(email: str) -> Response:
    notice(gettext("We have sent an email to %(email)s.", email=email))
    return redirect_onward(url_for("portal.mailbox"))


@portal_blueprint.get("/mailbox")
def mailbox() -> Response:
    """Show what to do next.

    The page does not reveal whether the email address already has an account.
    """
    return render_account_page("sign_in/mailbox.html", folder=folder_of_mails())


def folder_of_mails() -> str:
    """Return the folder where emails are saved during development, or an empty text."""
    settings: Settings = current_app.config["HOMEWARD"]
    ours = settings.environment == "development" and settings.mail_url.startswith("file:")
    return unquote(urlsplit(settings.mail_url).path) if ours else ""


@portal_blueprint.route("/sign-up/<token>", methods=["GET", "POST"])
def finish_sign_up(token: str) -> Response:
    form = NewPasswordForm(request.form)
    try:
        sign_up_request = sign_ups.read_sign_up_link(token)
        if request.method == "GET":
            return render_account_page("sign_in/finish.html", sign_up_request=sign_up_request, form=form)
        if not form.validate():
            return render_account_page("sign_in/finish.html", 422, sign_up_request=sign_up_request, form=form)
        user_id, slug = sign_ups.finish_sign_up(
            token, form.cleaned["password"], current_request().client_address
        )
    except (NotFound, Conflict) as refusal:
        return link_expired_page(refusal, url_for(".sign_up"), gettext("Sign up again"))
    current_user.start_session(user_id, stay=False)
    notice(
        gettext(
            "Welcome to Homeward. %(shelter)s is ready. Add your first animal.",
            shelter=sign_up_request.shelter,
        )
    )
    return redirect_onward(url_for("staff.animals", slug=slug))
