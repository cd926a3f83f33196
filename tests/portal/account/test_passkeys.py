"""Passkeys: adding, signing in, and invalid responses."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.accounts.authentication import passkeys
from adoption.accounts.authentication.passkeys import MOST
from adoption.accounts.authentication.webauthn import GOOD_FOR, PasskeyChallenge, use_challenge
from adoption.accounts.models import Passkey, User
from adoption.errors import Invalid
from adoption.storage.database import transaction
from tests.authenticator import Device
from tests.cast import Colleague
from tests.locks import wait_until_blocked
from tests.mailbox import emails_to
from tests.pages import without_times
from tests.portal import access_matrix
from tests.portal.visitor import Visitor

UNREADABLE = "Your passkey could not be read"


def asked_to_add(owner: Colleague) -> str:
    return owner.post("/account/passkeys/challenge").text


def add(owner: Colleague, device: Device, name: str = "My phone") -> str:
    """Add a passkey; return the page."""
    form = {"answer": device.make(asked_to_add(owner)), "name": name}
    assert owner.post("/account/passkeys", dict(form)).status_code == 303
    return owner.get("/account").text


def try_to_sign_in(who: Visitor, device: Device) -> TestResponse:
    options = who.send("/sign-in/passkey/challenge").text
    return who.send("/sign-in/passkey", answer=device.sign(options))


def test_a_passkey_signs_in_without_a_name_or_a_password(app: APIFlask, owner: Colleague) -> None:
    device = Device()
    page = add(owner, device)
    assert "The passkey “My phone” is added." in page
    assert "not used yet" in page
    somebody = Visitor(app.test_client())
    assert try_to_sign_in(somebody, device).status_code == 303
    assert owner.email in somebody.get("/account").text
    assert "last used just now" in without_times(somebody.get("/account").text)


def test_an_added_passkey_is_reported_by_email(owner: Colleague) -> None:
    add(owner, Device())
    found = emails_to(owner.email)
    assert [letter.subject for letter in found] == ["A passkey was added to your Homeward account"]
    assert "http://localhost:8000/account" in found[0].text


def test_passkey_options_name_no_user_and_require_user_verification(app: APIFlask, owner: Colleague) -> None:
    found = json.loads(Visitor(app.test_client()).send("/sign-in/passkey/challenge").text)
    assert found["allowCredentials"] == []
    assert found["userVerification"] == "required"
    assert json.loads(asked_to_add(owner))["authenticatorSelection"]["userVerification"] == "required"
    assert found["rpId"] == "localhost"


def test_an_invalid_passkey_response_does_not_sign_in(app: APIFlask, owner: Colleague) -> None:
    device = Device()
    add(owner, device)
    other_key = Device(id=device.id)
    for wrong, found in (
        (Device(origin="https://evil.example", key=device.key, id=device.id, used=9), UNREADABLE),
        (Device(party="evil.example", key=device.key, id=device.id, used=9), UNREADABLE),
        (Device(key=other_key.key, id=device.id, used=9), UNREADABLE),
        (Device(), "We do not know this passkey"),
    ):
        stranger = Visitor(app.test_client())
        answer = try_to_sign_in(stranger, wrong)
        assert answer.status_code == 422
        assert found in answer.text
        assert not stranger.is_in
    for nonsense in ("", "{}", "[]", "null", "1", '{"id": 1}', '"' + "x" * 99 + '"', "[" * 9_999):
        stranger = Visitor(app.test_client())
        stranger.send("/sign-in/passkey/challenge")
        assert stranger.send("/sign-in/passkey", answer=nonsense).status_code == 422, nonsense


def test_a_passkey_response_cannot_be_replayed(app: APIFlask, owner: Colleague) -> None:
    device = Device(counts=False)
    add(owner, device)
    first, second = Visitor(app.test_client()), Visitor(app.test_client())
    answer = device.sign(first.send("/sign-in/passkey/challenge").text)
    cookie = first.client.get_cookie("homeward")
    assert cookie
    assert first.send("/sign-in/passkey", answer=answer).status_code == 303
    second.client.set_cookie("homeward", cookie.value)
    again = second.send("/sign-in/passkey", answer=answer)
    assert again.status_code == 422
    assert "That took too long" in again.text
    assert Visitor(app.test_client()).send("/sign-in/passkey", answer=answer).status_code == 422


def test_a_late_passkey_response_is_rejected(app: APIFlask, owner: Colleague) -> None:
    device, late = Device(), Visitor(app.test_client())
    add(owner, device)
    answer = device.sign(late.send("/sign-in/passkey/challenge").text)
    with time_machine.travel(datetime.now(UTC) + GOOD_FOR + timedelta(seconds=1)):
        assert late.send("/sign-in/passkey", answer=answer).status_code == 422


def test_a_cloned_passkey_is_detected_by_its_counter(app: APIFlask, owner: Colleague) -> None:
    device = Device(used=5)
    add(owner, device)
    assert try_to_sign_in(Visitor(app.test_client()), device).status_code == 303
    device.used -= 1
    assert try_to_sign_in(Visitor(app.test_client()), device).status_code == 422


def test_an_invalid_response_adds_no_passkey(owner: Colleague, outsider: Colleague) -> None:
    page = add(owner, Device(origin="https://evil.example"))
    assert UNREADABLE in page
    taken = Device()
    add(outsider, taken)
    assert "You have already added this passkey" in add(owner, taken)
    owner.post("/account/passkeys", {"answer": "{}"})
    assert "That took too long" in owner.get("/account").text
    assert 'action="/account/passkeys/' not in owner.get("/account").text


def test_a_passkey_is_renamed_and_removed(app: APIFlask, owner: Colleague) -> None:
    device = Device()
    page = add(owner, device)
    path = page.split('action="/account/passkeys/')[1].split("/name")[0]
    owner.post(f"/account/passkeys/{path}/name", {"name": "  Old   phone "})
    assert "Remove the passkey “Old phone”?" in owner.get(f"/account/passkeys/{path}/removal").text
    owner.post(f"/account/passkeys/{path}/removal")
    assert "The passkey “Old phone” is removed." in owner.get("/account").text
    assert try_to_sign_in(Visitor(app.test_client()), device).status_code == 422


def test_the_number_of_passkeys_is_limited(owner: Colleague) -> None:
    for _ in range(MOST):
        access_matrix.passkey(owner)
    assert "was not added: you already have" in add(owner, Device(), "One more")


def test_a_passkey_requires_user_verification(app: APIFlask, owner: Colleague) -> None:
    assert "did not ask for your PIN or fingerprint" in add(owner, Device(verifies=False))
    device = Device()
    add(owner, device)
    device.verifies = False
    answer = try_to_sign_in(Visitor(app.test_client()), device)
    assert answer.status_code == 422
    assert "did not ask for your PIN or fingerprint" in answer.text


@pytest.mark.settings("scaled")  # SQLite has one writer at a time
def test_parallel_additions_respect_the_limit_of_passkeys(
    owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passkeys, "MOST", 1)
    form = {"answer": Device().make(asked_to_add(owner)), "name": "My phone"}
    with ThreadPoolExecutor(1) as pool:
        with transaction() as session:
            user = session.scalars(select(User).where(User.email == owner.email).with_for_update()).one()
            rest = {"public_key": b"", "name": "My laptop", "created_at": datetime.now(UTC)}
            session.add(Passkey(user_id=user.id, credential_id=b"1", **rest))
            session.flush()
            adding = pool.submit(owner.post, "/account/passkeys", dict(form))
            wait_until_blocked(adding)
        adding.result()
    assert owner.get("/account").text.count('action="/account/passkeys/') == 1


@pytest.mark.settings("embedded")
@pytest.mark.usefixtures("app")
def test_a_passkey_challenge_expires() -> None:
    now = datetime.now(UTC)
    for age, is_good in ((0, True), (GOOD_FOR.seconds, True), (GOOD_FOR.seconds + 1, False), (-60, False)):
        challenge = PasskeyChallenge(f"{abs(age):08x}", int(now.timestamp()) - age)
        with nullcontext() if is_good else pytest.raises(Invalid):
            assert use_challenge(challenge, now.replace(microsecond=0)) == bytes.fromhex(challenge.text)
