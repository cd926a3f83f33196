"""Actions for which the user must have entered the password or a passkey within the last 10 minutes."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from adoption.accounts.authentication.password_attempts import AT_ONE_ACCOUNT_FROM_ONE_ADDRESS
from adoption.accounts.models import ApiKey, Invitation, Member, Passkey, SignIn, User
from adoption.accounts.reauthentication import LASTS
from adoption.mail.models import OutgoingEmail
from adoption.storage.database import reading, transaction
from tests.authenticator import Device
from tests.cast import PASSWORD, Colleague
from tests.mailbox import emails_to, link_in_email
from tests.pages import ParsedPage
from tests.portal import access_matrix
from tests.portal.account.test_passkeys import add, asked_to_add
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

NEW = "four small words here"
NEW_ADDRESS = "ann@new.example"
CHANGED_TABLES = [each.__table__ for each in (ApiKey, Invitation, Member, OutgoingEmail, Passkey, User)]
ASKED = "We do not ask again for 10 minutes."


@pytest.fixture
def later(owner: Colleague, outsider: Colleague) -> Iterator[None]:
    """Expire the proofs of identity of all sessions. The sessions do not end."""
    with time_machine.travel(datetime.now(UTC) + LASTS):
        yield


def prove(who: Colleague, page: str, **form: str) -> TestResponse:
    """Enter the password on a page that asks for it."""
    [action] = re.findall(r'action="(/account/identity\?[^"]*)"', page)
    [unsaved] = set(re.findall(r'name="unsaved" value="([^"]*)"', page))
    return who.post(action.replace("&amp;", "&"), {"password": PASSWORD, "unsaved": unsaved, **form})


ACTIONS: list[tuple[str, dict[str, object]]] = [
    ("/account/passkeys/challenge", {}),
    ("/account/passkeys", {"name": "My phone", "answer": "{}"}),
    ("/account/passkeys/{passkey}/removal", {}),
    ("/account/passkeys/removal", {}),
    ("/account/email", {"email": NEW_ADDRESS}),
    ("/account/password", {"password": NEW}),
    ("keys", {"name": "Kennel software", "scopes": "pets:read"}),
    ("keys/publishable", {"page-name": "Website", "page-origins": "https://adopt.example.org"}),
    ("members/invitations", {"email": NEW_ADDRESS, "role": "owner"}),
    ("members/invitations/{owner_invitation}/sending", {}),
    ("members/{member}/role", {"role": "owner"}),
    ("members/{other_owner}/role", {"role": "staff"}),
    ("members/{other_owner}/removal", {}),
]
"""All actions that require a recent proof."""


@pytest.mark.parametrize(("path", "form"), ACTIONS)
def test_sensitive_actions_need_a_recent_proof(
    app: APIFlask, owner: Colleague, path: str, form: dict[str, object]
) -> None:
    path = path.format(
        passkey=access_matrix.passkey(owner),
        member=access_matrix.member(owner),
        owner_invitation=owner_invitation(owner),
        other_owner=other_owner(owner) if "other_owner" in path else None,
    )
    before = stored()
    with time_machine.travel(datetime.now(UTC) + LASTS):
        answer = owner.post(path, form)
        assert answer.status_code == 401
        assert ASKED in answer.text
        in_part = owner.post(path, form, headers={"HX-Request": "true", "HX-Target": "main"})
        assert (in_part.status_code, in_part.text) == (401, "")
        assert stored() == before
        assert Visitor(app.test_client()).sign_in(owner.email).status_code == 303, "the password is the same"


def owner_invitation(owner: Colleague) -> int:
    """Create an invitation for a new owner."""
    invitation_id = access_matrix.invitation(owner)
    with transaction() as session:
        session.execute(update(Invitation).where(Invitation.id == invitation_id).values(role="owner"))
    return invitation_id


def other_owner(owner: Colleague) -> int:
    """Make the other member an owner too."""
    member_id = access_matrix.member(owner)
    with transaction() as session:
        session.execute(update(Member).where(Member.id == member_id).values(role="owner"))
    return member_id


def stored() -> list[object]:
    """Return all that the actions would change: passkeys, keys, members, invitations, users and emails."""
    with reading() as session:
        return [session.execute(select(table).order_by("id")).all() for table in CHANGED_TABLES]


@pytest.mark.usefixtures("later")
def test_inviting_and_removing_staff_needs_no_recent_proof(owner: Colleague) -> None:
    assert owner.post("members/invitations", {"email": NEW_ADDRESS, "role": "staff"}).status_code == 303
    path = f"members/{access_matrix.member(owner)}/removal"
    assert owner.get(path).status_code == 200
    assert owner.post(path).status_code == 303


def test_after_the_password_the_form_is_shown_with_its_values(owner: Colleague) -> None:
    with time_machine.travel(datetime.now(UTC)) as clock:
        for path, name, typed in (
            ("/account/passkeys", "name", "My second phone"),
            ("/account/email", "email", NEW_ADDRESS),
            (owner.at("keys"), "name", "Kennel software"),
            (owner.at("members/invitations"), "email", NEW_ADDRESS),
        ):
            clock.shift(LASTS)
            page = "/account" if path.startswith("/account") else path.removesuffix("/invitations")
            rest = {"scopes": "pets:read", "role": "owner", "shown_on": page}
            asked = owner.post(path, {name: typed, **rest})
            wrong = prove(owner, asked.text, password="not it")
            assert wrong.status_code == 422
            assert "That is not your password" in wrong.text
            again = prove(owner, wrong.text)
            assert again.status_code == 200
            assert "Nothing has changed yet" in again.text
            assert f'value="{typed}"' in again.text
            assert 'href="#unsaved-form"' in again.text
            [form] = ParsedPage(again.text).all("form", id="unsaved-form")
            assert form["action"] == path, "the form can be far below the notice"
        assert owner.post("/account/email", {"email": NEW_ADDRESS}).status_code == 303
        assert link_in_email(NEW_ADDRESS, "/account/email/")


def test_a_proof_from_a_clock_that_was_ahead_is_not_recent(owner: Colleague) -> None:
    with transaction() as session:
        session.execute(update(SignIn).values(proved_at=datetime.now(UTC) + LASTS + timedelta(minutes=1)))
    assert owner.post("/account/password", {"password": NEW}).status_code == 401


@pytest.mark.usefixtures("later")
def test_the_proof_is_requested_before_a_new_password_is_typed(owner: Colleague) -> None:
    page = owner.get("/account").text
    assert 'name="password"' not in page
    [address] = re.findall(r'href="(/account/identity[^"]*password-title)"', page)
    answer = prove(owner, owner.get(address).text)
    assert answer.headers["Location"] == "/account#password-title"
    assert 'name="password"' in owner.get("/account").text
    assert owner.post("/account/password", {"password": NEW}).status_code == 303


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    "question",
    [
        "/account/passkeys/{passkey}/removal",
        "members/{member}/role?role=owner",
        "members/{other_owner}/role?role=staff",
        "members/{other_owner}/removal",
    ],
)
def test_a_confirmation_page_asks_for_the_proof_first(owner: Colleague, question: str) -> None:
    path = owner.at(
        question.format(
            passkey=access_matrix.passkey(owner),
            member=access_matrix.member(owner),
            other_owner=other_owner(owner) if "other_owner" in question else None,
        )
    )
    asked = owner.get(path)
    assert unquote(asked.headers["Location"]) == f"/account/identity?next={path}"
    in_dialog = owner.get(path, headers={"HX-Request": "true", "HX-Target": "dialog-slot"})
    assert unquote(in_dialog.headers["HX-Redirect"]) == f"/account/identity?next={path}"
    assert prove(owner, owner.get(asked.headers["Location"]).text).headers["Location"] == path


def test_a_passkey_of_the_same_user_is_a_proof(owner: Colleague, outsider: Colleague) -> None:
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
def test_password_guesses_in_a_session_are_rate_limited(owner: Colleague) -> None:
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
    answer = visitor.send(link_in_email(owner.email, "/password/new/"), password=NEW)
    assert answer.headers["Location"] == "/account/passkeys"
    page = visitor.get("/account/passkeys").text
    assert page.index("My phone") < page.index("Their phone") < page.index("Remove all 2 passkeys")
    assert 'href="/projects">Keep them' in page
    assert 'href="/account">Keep them' in visitor.get("/account/passkeys?next=/account").text
    assert visitor.send("/account/passkeys/removal").status_code == 303
    assert "All 2 passkeys are removed." in visitor.get("/account").text
    assert "Their phone" not in visitor.get("/account").text
    subjects = [letter.subject for letter in emails_to(owner.email)]
    assert subjects[-1] == "2 passkeys were removed from your Homeward account"


def test_a_removed_passkey_is_reported_by_email(owner: Colleague) -> None:
    owner.post(f"/account/passkeys/{access_matrix.passkey(owner)}/removal")
    [email] = emails_to(owner.email)
    assert email.subject == "A passkey was removed from your Homeward account"
    assert "http://localhost:8000/password/forgotten" in email.text
