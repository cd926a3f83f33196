"""The account page: name, email address, password, passkeys and sign-ins."""

from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, request, url_for
from markupsafe import Markup

from adoption.accounts import display_names, reauthentication, sessions
from adoption.accounts.authentication import passkeys, password_changes
from adoption.accounts.models import SignIn
from adoption.accounts.sessions import SignedInUser
from adoption.errors import NotFound
from adoption.translations import gettext
from portal import portal_blueprint
from portal.account.user_agents import browser_name
from portal.base_form import CheckedForm
from portal.dates import ago
from portal.flash import notice
from portal.sign_in.forms import AddressForm, NewPasswordForm, PersonNameForm
from portal.sign_in.required_sign_in import sign_in_required
from portal.sign_in.responses import redirect_onward, render_account_page


class Browser(NamedTuple):
    """A browser in which a person is signed in."""

    id: int
    name: str
    address: str
    seen: Markup
    is_this: bool


class PasskeyRow(NamedTuple):
    """A passkey as its owner sees it."""

    id: int
    name: str
    added: Markup
    used: Markup | None


@portal_blueprint.get("/account")
@sign_in_required
def account(who: SignedInUser) -> Response:
    return render_own_page(who, Forms(who))


class Forms:
    """The forms of the page. A form that was not sent is blank."""

    def __init__(
        self,
        who: SignedInUser,
        name: PersonNameForm | None = None,
        email: AddressForm | None = None,
        password: NewPasswordForm | None = None,
    ) -> None:
        self.name = name or PersonNameForm(name=who.name if who.name != who.email else "")
        self.email = email or AddressForm()
        self.password = password or NewPasswordForm()

    @property
    def failed(self) -> CheckedForm:
        """The form that has errors. If no form has errors, any of the forms."""
        forms = (self.name, self.email, self.password)
        return next((form for form in forms if form.errors), self.name)


def render_own_page(who: SignedInUser, forms: Forms, status: int = 200) -> Response:
    now = datetime.now(UTC)
    browsers = [browser(each, who, now) for each in sessions.sign_ins_of(who.user_id)]
    return render_account_page(
        "account/show.html",
        status,
        person=who,
        name=forms.name,
        email=forms.email,
        password=forms.password,
        browsers=browsers,
        keys=passkey_rows(who, now),
        failed=forms.failed,
        is_proved=reauthentication.has_recent_proof(who, now),
    )


def passkey_rows(who: SignedInUser, now: datetime) -> list[PasskeyRow]:
    return [
        PasskeyRow(
            each.id, each.name, ago(each.created_at, now), ago(each.used_at, now) if each.used_at else None
        )
        for each in passkeys.passkeys_of(who.user_id)
    ]


def browser(row: SignIn, who: SignedInUser, now: datetime) -> Browser:
    return Browser(
        row.id, browser_name(row.browser), row.address, ago(row.seen_at, now), row.id == who.sign_in_id
    )


@portal_blueprint.post("/account/name")
@sign_in_required
def rename(who: SignedInUser) -> Response:
    form = PersonNameForm(request.form)
    if not form.validate():
        return render_own_page(who, Forms(who, name=form), 422)
    display_names.rename_user(who.user_id, form.cleaned["name"])
    notice(gettext("Name changed."))
    return redirect_onward(url_for(".account"))


@portal_blueprint.post("/account/password")
@sign_in_required
def change_password(who: SignedInUser) -> Response:
    reauthentication.require_recent_proof(who)
    form = NewPasswordForm(request.form)
    if not form.validate():
        return render_own_page(who, Forms(who, password=form), 422)
    password_changes.change_password(who, form.cleaned["password"])
    notice(gettext("Password changed. You have been signed out everywhere else."))
    return redirect_onward(url_for(".account"))


@portal_blueprint.post("/account/sign-ins/<int64:sign_in_id>/removal")
@sign_in_required
def sign_out_there(who: SignedInUser, sign_in_id: int) -> Response:
    if sign_in_id == who.sign_in_id:
        raise NotFound(gettext("To sign out of this browser, use its Sign out button."))
    sessions.sign_out(who.user_id, sign_in_id)
    notice(gettext("Signed out of that browser."))
    return redirect_onward(url_for(".account"))


@portal_blueprint.post("/account/sign-ins/removal")
@sign_in_required
def sign_out_elsewhere(who: SignedInUser) -> Response:
    sessions.sign_out_everywhere(who.user_id, but=who.sign_in_id)
    notice(gettext("You have been signed out everywhere else."))
    return redirect_onward(url_for(".account"))
