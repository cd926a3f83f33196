"""What concerns a person alone, whichever shelters they belong to."""

from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, request, url_for

from adoption.accounts import passkeys, persons, sign_ins
from adoption.accounts.models import SignIn
from adoption.accounts.sign_ins import Person
from adoption.errors import NotFound, TooMany
from portal import access, people
from portal.account_forms import NameForm, PasswordForm
from portal.browsers import in_words
from portal.door import onward, own, page, slowed
from portal.instants import ago
from portal.notices import notice

NOT_THE_OLD = "This is not your present password"


class Browser(NamedTuple):
    """Where somebody is signed in."""

    id: int
    name: str
    address: str
    seen: str
    is_this: bool


class Key(NamedTuple):
    """A passkey as its owner sees it."""

    id: int
    name: str
    added: str
    used: str
    """Empty for never."""


@people.get("/account")
@own
def account(who: Person) -> Response:
    return page_of(who, NameForm(name=who.name if who.name != who.email else ""), PasswordForm())


def page_of(who: Person, name: NameForm, password: PasswordForm, status: int = 200) -> Response:
    now = datetime.now(UTC)
    browsers = [browser(each, who, now) for each in sign_ins.sign_ins_of(who.user_id)]
    keys = [
        Key(each.id, each.name, ago(each.created_at, now), ago(each.used_at, now) if each.used_at else "")
        for each in passkeys.passkeys_of(who.user_id)
    ]
    return page(
        "account/show.html",
        status,
        person=who,
        name=name,
        password=password,
        browsers=browsers,
        keys=keys,
        failed=name if name.errors else password,
    )


def browser(row: SignIn, who: Person, now: datetime) -> Browser:
    return Browser(
        row.id, in_words(row.browser), row.address, ago(row.seen_at, now), row.id == who.sign_in_id
    )


@people.post("/account/name")
@own
def rename(who: Person) -> Response:
    form = NameForm(request.form)
    if not form.validate():
        return page_of(who, form, PasswordForm(), 422)
    persons.rename(who.user_id, form.cleaned["name"])
    notice("Your name is changed.")
    return onward(url_for(".account"))


@people.post("/account/password")
@own
def change_password(who: Person) -> Response:
    form, name = PasswordForm(request.form), NameForm(name=who.name)
    right = form.validate()
    try:
        if not persons.has_password(who.user_id, form.cleaned["old"], access.address_of_client()):
            form.blame("old", NOT_THE_OLD)
    except TooMany as refusal:
        form.blame("old", refusal.sentence)
        return slowed(page_of(who, name, form), refusal)
    if not right or form.errors:
        return page_of(who, name, form, 422)
    persons.change_password(who.user_id, form.cleaned["password"], who.sign_in_id)
    notice("Your password is changed. Everywhere else you are signed out.")
    return onward(url_for(".account"))


@people.post("/account/sign-ins/<int64:sign_in_id>/removal")
@own
def sign_out_there(who: Person, sign_in_id: int) -> Response:
    if sign_in_id == who.sign_in_id:
        raise NotFound("Sign out of this browser with the button for it.")
    sign_ins.sign_out(who.user_id, sign_in_id)
    notice("That browser is signed out.")
    return onward(url_for(".account"))


@people.post("/account/sign-ins/removal")
@own
def sign_out_elsewhere(who: Person) -> Response:
    sign_ins.sign_out_everywhere(who.user_id, but=who.sign_in_id)
    notice("You are signed out everywhere but here.")
    return onward(url_for(".account"))
