"""A person's own page: name, password, and where they are signed in."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask

from adoption.accounts import sign_ins
from adoption.accounts.tries import AT_ONE_ACCOUNT_FROM_ONE_ADDRESS
from portal.browsers import in_words
from tests.cast import PASSWORD, Colleague
from tests.mailbox import letters_to
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

NEW = "four small words here"


def elsewhere(app: APIFlask, owner: Colleague) -> Visitor:
    """Another browser of the owner's."""
    other = Visitor(app.test_client(), "203.0.113.5")
    other.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Android 16; Mobile; rv:140.0) Firefox/140.0"
    assert other.sign_in(owner.email).status_code == 303
    return other


def test_a_name_is_changed_and_colleagues_see_it(owner: Colleague) -> None:
    assert owner.post("/account/name", {"name": "  Priya   Nair "}).status_code == 303
    assert "Priya Nair" in owner.get("members").text
    answer = owner.post("/account/name", {"name": " "})
    assert answer.status_code == 422
    assert "Enter your name" in answer.text


def test_a_new_password_needs_the_old_one_and_ends_other_sign_ins(app: APIFlask, owner: Colleague) -> None:
    other = elsewhere(app, owner)
    assert owner.post("/account/password", {"old": "not it", "password": NEW}).status_code == 422
    assert "This is not your present password" in owner.post("/account/password", {"password": NEW}).text
    weak = owner.post("/account/password", {"old": PASSWORD, "password": "short"})
    assert weak.status_code == 422
    assert "Use 10 characters or more" in weak.text
    assert other.is_in
    assert owner.post("/account/password", {"old": PASSWORD, "password": NEW}).status_code == 303
    assert owner.get("members").status_code == 200
    assert not other.is_in
    assert other.sign_in(owner.email).status_code == 422
    assert other.sign_in(owner.email, NEW).status_code == 303
    assert letters_to(owner.email)[-1].subject == "Your Homeward password was changed"


def test_the_old_password_cannot_be_guessed_by_who_found_an_open_browser(owner: Colleague) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False):
        for _ in range(AT_ONE_ACCOUNT_FROM_ONE_ADDRESS):
            owner.post("/account/password", {"old": "not it", "password": NEW})
        answer = owner.post("/account/password", {"old": PASSWORD, "password": NEW})
    assert answer.status_code == 429
    assert "Too many tries have failed" in answer.text


def test_sign_ins_are_seen_and_ended_one_by_one(app: APIFlask, owner: Colleague) -> None:
    other = elsewhere(app, owner)
    page = owner.get("/account").text
    assert page.count("This browser") == 1
    assert "Firefox on Android" in page
    assert "203.0.113.5" in page
    [path] = re.findall(r'action="(/account/sign-ins/[0-9]+/removal)"', page)
    assert owner.post(path).status_code == 303
    assert not other.is_in
    assert owner.get("members").status_code == 200
    assert owner.post(path).status_code == 404


def test_all_other_sign_ins_are_ended_at_once(app: APIFlask, owner: Colleague) -> None:
    others = [elsewhere(app, owner), elsewhere(app, owner)]
    owner.post("/account/sign-ins/removal")
    assert [other.is_in for other in others] == [False, False]
    assert owner.get("members").status_code == 200
    assert "Sign out everywhere else" not in owner.get("/account").text


def test_a_sign_in_ends_by_itself(app: APIFlask, owner: Colleague) -> None:
    other = elsewhere(app, owner)
    with time_machine.travel(datetime.now(UTC) + sign_ins.ENDS_AFTER + timedelta(minutes=1)):
        assert not other.is_in


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.0 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge on Windows",
        ),
        ("", "A browser"),
    ],
)
def test_a_browser_is_told_in_words(agent: str, words: str) -> None:
    assert in_words(agent) == words
