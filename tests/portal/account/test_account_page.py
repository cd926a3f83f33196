"""The account page: name, password, email address and sessions."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from werkzeug.test import TestResponse

from adoption.accounts import email_throttles, sessions
from adoption.accounts.authentication import email_changes
from portal.account.user_agents import browser_name
from tests.cast import Colleague
from tests.mailbox import emails_to, link_in_email
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

NEW = "four small words here"
NEW_EMAIL = "ann@new.example"


def elsewhere(app: APIFlask, owner: Colleague) -> Visitor:
    """Another session of the owner."""
    other = Visitor(app.test_client(), "203.0.113.5")
    other.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Android 16; Mobile; rv:140.0) Firefox/140.0"
    assert other.sign_in(owner.email).status_code == 303
    return other


def test_a_name_is_changed_and_colleagues_see_it(owner: Colleague) -> None:
    assert owner.post("/account/name", {"name": "  Priya   Nair "}).status_code == 303
    assert "Priya Nair" in owner.get("members").text
    owner.post("/account/name", {"name": "Ann \u202etrac\u2066"})
    assert "Ann trac" in owner.get("/account").text, "a notice with the name is not turned around"
    answer = owner.post("/account/name", {"name": " "})
    assert answer.status_code == 422
    assert "Enter your name" in answer.text


def test_a_password_change_ends_other_sessions(app: APIFlask, owner: Colleague) -> None:
    other = elsewhere(app, owner)
    weak = owner.post("/account/password", {"password": "short"})
    assert weak.status_code == 422
    assert "Use 10 characters or more" in weak.text
    assert other.is_in
    assert owner.post("/account/password", {"password": NEW}).status_code == 303
    assert owner.get("members").status_code == 200
    assert not other.is_in
    assert other.sign_in(owner.email).status_code == 422
    assert other.sign_in(owner.email, NEW).status_code == 303
    assert emails_to(owner.email)[-1].subject == "Your Homeward password was changed"


def ask_for_email(who: Colleague, email: str = NEW_EMAIL) -> TestResponse:
    return who.post("/account/email", {"email": email})


def test_an_email_address_is_changed_by_a_link_sent_to_the_new_address(
    app: APIFlask, owner: Colleague
) -> None:
    other = elsewhere(app, owner)
    owner.post("/account/name", {"name": "Ann Carter"})
    assert ask_for_email(owner, " Ann@New.example ").status_code == 303
    link = link_in_email(NEW_EMAIL, "/account/email/")
    [notice] = emails_to(owner.email)
    assert notice.subject == "Your Homeward email address is about to change"
    assert NEW_EMAIL in notice.text
    page = owner.get(link).text
    assert owner.email in page
    assert NEW_EMAIL in page
    assert 'You sign in as <bdi class="strong">owner@elm.example' in owner.get("/account").text
    owner.post("settings/deploys")
    assert owner.post(link).headers["Location"] == "/account"
    assert 'You sign in as <bdi class="strong">ann@new.example' in owner.get("/account").text
    assert not other.is_in
    assert emails_to(owner.email)[-1].subject == "Your Homeward email address was changed"
    assert Visitor(app.test_client()).sign_in(owner.email).status_code == 422
    assert Visitor(app.test_client()).sign_in(NEW_EMAIL).status_code == 303
    assert owner.get(link).status_code == 404, "it works once"
    log = owner.get("audit").text
    assert "Changed their email address" in log
    assert "<bdi>Ann Carter</bdi>" in owner.get("settings").text, "also for what was done under the old one"


def test_an_email_change_needs_a_new_address(owner: Colleague) -> None:
    for email, error in (
        ("ann at new", "Enter an email address with an @"),
        (owner.email, "You already use this address"),
    ):
        answer = ask_for_email(owner, email)
        assert answer.status_code == 422
        assert error in answer.text
        assert f'value="{email}"' in answer.text
    assert emails_to(NEW_EMAIL) == emails_to(owner.email) == []


def test_an_email_change_to_a_known_address_is_neither_done_nor_revealed(
    owner: Colleague, outsider: Colleague
) -> None:
    shown = []
    for email in (outsider.email, NEW_EMAIL):
        sent = ask_for_email(owner, email)
        shown.append((sent.status_code, owner.get("/account").text.replace(email, "")))
    assert shown[0] == shown[1]
    assert emails_to(outsider.email)[-1].subject == "This address already has a Homeward account"
    assert "/account/email/" not in emails_to(outsider.email)[-1].text
    ask_for_email(outsider)
    links = [link_in_email(NEW_EMAIL), *re.findall(r"/account/email/\S+", emails_to(NEW_EMAIL)[0].text)]
    assert outsider.post(links[0]).headers["Location"] == "/account"
    taken = owner.post(links[1])
    assert taken.status_code == 409
    assert "Another account already uses this address" in taken.text


def test_the_notice_about_an_email_change_has_its_own_rate_limit(
    owner: Colleague, outsider: Colleague
) -> None:
    for _ in range(email_throttles.EMAIL_CHANGES.most + 1):
        ask_for_email(outsider, owner.email)
    ask_for_email(owner)
    subjects = [letter.subject for letter in emails_to(owner.email)]
    assert "Your Homeward email address is about to change" in subjects


def test_a_link_to_change_an_address_expires_and_ends_with_the_password(
    app: APIFlask, owner: Colleague
) -> None:
    ask_for_email(owner)
    link = link_in_email(NEW_EMAIL)
    with time_machine.travel(datetime.now(UTC) + email_changes.GOOD_FOR + timedelta(minutes=1)):
        assert Visitor(app.test_client()).get(link).status_code == 404
    owner.post("/account/password", {"password": NEW})
    assert owner.post(link).status_code == 404
    ask_for_email(owner)
    stranger = Visitor(app.test_client())
    assert stranger.send(link_in_email(NEW_EMAIL)).headers["Location"] == "/sign-in"
    assert owner.get("members").status_code == 302, "all sign-ins ended, since none of them confirmed"


def test_sessions_are_listed_and_ended_one_by_one(app: APIFlask, owner: Colleague) -> None:
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


def test_all_other_sessions_are_ended_at_once(app: APIFlask, owner: Colleague) -> None:
    others = [elsewhere(app, owner), elsewhere(app, owner)]
    owner.post("/account/sign-ins/removal")
    assert [other.is_in for other in others] == [False, False]
    assert owner.get("members").status_code == 200
    assert "Sign out everywhere else" not in owner.get("/account").text


def test_a_session_expires(app: APIFlask, owner: Colleague) -> None:
    other = elsewhere(app, owner)
    with time_machine.travel(datetime.now(UTC) + sessions.ENDS_AFTER + timedelta(minutes=1)):
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
def test_a_user_agent_is_described_in_words(agent: str, words: str) -> None:
    assert browser_name(agent) == words
