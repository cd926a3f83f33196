"""Changes to the ways of signing in: they need the password or a passkey within the last 10 minutes."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import update
from werkzeug.test import TestResponse

from adoption.accounts.login_throttle import AT_ONE_ACCOUNT_FROM_ONE_ADDRESS
from adoption.accounts.models import SignIn
from adoption.accounts.recent_proofs import LASTS
from adoption.storage.database import transaction
from tests.authenticator import Device
from tests.cast import PASSWORD, Colleague
from tests.mailbox import letters_to, link_to
from tests.pages import Parsed
from tests.portal import access_matrix
from tests.portal.test_passkeys import add, asked_to_add
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

NEW = "four small words here"
ASKED = "We do not ask again for 10 minutes."


@pytest.fixture
def later(owner: Colleague, outsider: Colleague) -> Iterator[None]:
    """Let the proofs of all who are signed in expire. Their sign-ins do not."""
    with time_machine.travel(datetime.now(UTC) + LASTS):
        yield


def prove(who: Colleague, page: str, **form: str) -> TestResponse:
    """Enter the password on a page that asks for it."""
    [action] = re.findall(r'action="(/account/identity\?[^"]*)"', page)
    [unsaved] = set(re.findall(r'name="unsaved" value="([^"]*)"', page))
    return who.post(action.replace("&amp;", "&"), {"password": PASSWORD, "unsaved": unsaved, **form})


def passkeys_shown(who: Colleague) -> int:
    return who.get("/account").text.count('action="/account/passkeys/')


CHANGES: list[tuple[str, dict[str, object]]] = [
    ("/account/passkeys/challenge", {}),
    ("/account/passkeys", {"name": "My phone", "answer": "{}"}),
    ("/account/passkeys/{}/removal", {}),
    ("/account/passkeys/removal", {}),
    ("/account/email", {"email": "ann@new.example"}),
    ("/account/password", {"password": NEW}),
]


@pytest.mark.parametrize(("path", "form"), CHANGES)
def test_a_session_alone_changes_no_way_of_signing_in(
    app: APIFlask, owner: Colleague, path: str, form: dict[str, object]
) -> None:
    kept = access_matrix.passkey(owner)
    with time_machine.travel(datetime.now(UTC) + LASTS):
        answer = owner.post(path.format(kept), form)
        assert answer.status_code == 401
        assert ASKED in answer.text
        in_part = owner.post(path.format(kept), form, headers={"HX-Request": "true", "HX-Target": "main"})
        assert (in_part.status_code, in_part.text) == (401, "")
        assert passkeys_shown(owner) == 1
        assert letters_to(owner.email) == letters_to("ann@new.example") == []
        assert Visitor(app.test_client()).sign_in(owner.email).status_code == 303, "the password is the same"


def test_the_password_leads_back_to_the_form_with_what_was_typed(owner: Colleague) -> None:
    with time_machine.travel(datetime.now(UTC)) as clock:
        for path, name, typed in (
            ("/account/passkeys", "name", "My second phone"),
            ("/account/email", "email", "ann@new.example"),
        ):
            clock.shift(LASTS)
            asked = owner.post(path, {name: typed, "shown_on": "/account"})
            wrong = prove(owner, asked.text, password="not it")
            assert wrong.status_code == 422
            assert "That is not your password" in wrong.text
            again = prove(owner, wrong.text)
            assert again.status_code == 200
            assert "Nothing has changed yet" in again.text
            assert f'value="{typed}"' in again.text
            assert 'href="#unsaved-form"' in again.text
            [form] = Parsed(again.text).all("form", id="unsaved-form")
            assert form["action"] == path, "the form can be far below the notice"
        assert owner.post("/account/email", {"email": "ann@new.example"}).status_code == 303
        assert link_to("ann@new.example", "/account/email/")


def test_a_proof_from_a_clock_that_was_ahead_is_not_recent(owner: Colleague) -> None:
    with transaction() as session:
        session.execute(update(SignIn).values(proved_at=datetime.now(UTC) + LASTS + timedelta(minutes=1)))
    assert owner.post("/account/password", {"password": NEW}).status_code == 401


@pytest.mark.usefixtures("later")
def test_the_page_asks_before_a_new_password_is_typed(owner: Colleague) -> None:
    page = owner.get("/account").text
    assert 'name="password"' not in page
    [address] = re.findall(r'href="(/account/identity[^"]*password-title)"', page)
    answer = prove(owner, owner.get(address).text)
    assert answer.headers["Location"] == "/account#password-title"
    assert 'name="password"' in owner.get("/account").text
    assert owner.post("/account/password", {"password": NEW}).status_code == 303


@pytest.mark.usefixtures("later")
def test_the_question_before_a_removal_asks_first(owner: Colleague) -> None:
    path = f"/account/passkeys/{access_matrix.passkey(owner)}/removal"
    asked = owner.get(path)
    assert asked.headers["Location"] == f"/account/identity?next={path}"
    in_dialog = owner.get(path, headers={"HX-Request": "true", "HX-Target": "dialog-slot"})
    assert in_dialog.headers["HX-Redirect"] == f"/account/identity?next={path}"
    assert prove(owner, owner.get(asked.headers["Location"]).text).headers["Location"] == path


def test_a_passkey_proves_it_too_but_not_that_of_someone_else(owner: Colleague, outsider: Colleague) -> None:
    device, other = Device(), Device()
    add(owner, device)
    add(outsider, other)
    with time_machine.travel(datetime.now(UTC) + LASTS):
        for used, status in ((other, 422), (device, 303)):
            options = owner.post("/sign-in/passkey/challenge").text
            answer = owner.post("/account/identity/passkey?next=/account", {"answer": used.sign(options)})
            assert answer.status_code == status
            assert asked_to_add(owner).startswith("{") == (status == 303)


@pytest.mark.usefixtures("later")
def test_the_password_cannot_be_guessed_in_a_browser_that_was_left_open(owner: Colleague) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False):
        for _ in range(AT_ONE_ACCOUNT_FROM_ONE_ADDRESS.most):
            owner.post("/account/identity", {"password": "not it"})
        answer = owner.post("/account/identity", {"password": PASSWORD})
    assert answer.status_code == 429
    assert "Too many failed attempts" in answer.text


def test_a_password_reset_lists_the_passkeys_which_can_be_removed_at_once(
    app: APIFlask, owner: Colleague
) -> None:
    for name in ("My phone", "Their phone"):
        add(owner, Device(), name)
    visitor = Visitor(app.test_client())
    visitor.send("/password/forgotten", email=owner.email)
    answer = visitor.send(link_to(owner.email, "/password/new/"), password=NEW)
    assert answer.headers["Location"] == "/account/passkeys"
    page = visitor.get("/account/passkeys").text
    assert page.index("My phone") < page.index("Their phone") < page.index("Remove all 2 passkeys")
    assert 'href="/projects">Keep them' in page
    assert 'href="/account">Keep them' in visitor.get("/account/passkeys?next=/account").text
    assert visitor.send("/account/passkeys/removal").status_code == 303
    assert "All 2 passkeys are removed." in visitor.get("/account").text
    assert "Their phone" not in visitor.get("/account").text
    subjects = [letter.subject for letter in letters_to(owner.email)]
    assert subjects[-1] == "2 passkeys were removed from your Homeward account"


def test_its_owner_gets_an_email_when_a_passkey_is_removed(owner: Colleague) -> None:
    owner.post(f"/account/passkeys/{access_matrix.passkey(owner)}/removal")
    [email] = letters_to(owner.email)
    assert email.subject == "A passkey was removed from your Homeward account"
    assert "http://localhost:8000/password/forgotten" in email.text
