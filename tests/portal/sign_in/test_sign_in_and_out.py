"""Signing in: passwords, rate limits and the session cookie."""

from collections.abc import Iterator
from datetime import UTC, datetime
from http.cookies import SimpleCookie

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.accounts.authentication import password_attempts
from adoption.accounts.authentication.password_attempts import (
    AT_ONE_ACCOUNT,
    AT_ONE_ACCOUNT_FROM_ONE_ADDRESS,
    FROM_ONE_ADDRESS,
)
from adoption.accounts.password_hashes import PASSWORDS, UNKNOWN_USER_HASH
from adoption.accounts.quotas.configured_storage import open_quota_storage
from tests.cast import PASSWORD, Colleague
from tests.portal.conftest import Install
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

WRONG = "Email or password is wrong"
SECOND_OF_A_QUARTER = 1_796_000_400 + 60


@pytest.fixture
def at_one_time() -> Iterator[None]:
    """A quarter of an hour that does not end during the test."""
    with time_machine.travel(SECOND_OF_A_QUARTER, tick=False):
        yield


def visitor(app: APIFlask, address: str = "192.0.2.7") -> Visitor:
    return Visitor(app.test_client(), address)


def fail(who: Visitor, email: str, times: int = AT_ONE_ACCOUNT_FROM_ONE_ADDRESS.most) -> None:
    for _ in range(times):
        assert who.sign_in(email, "not the password").status_code in (422, 429)


def test_an_unknown_email_gets_the_response_of_a_wrong_password(app: APIFlask, owner: Colleague) -> None:
    for email in (owner.email, "nobody@example.org", "a\x00b@example.org", ""):
        answer = visitor(app).sign_in(email, "not the password")
        assert answer.status_code == 422
        assert WRONG in answer.text


def test_a_sign_in_with_an_unknown_email_takes_as_long() -> None:
    assert not PASSWORDS.check_needs_rehash(UNKNOWN_USER_HASH)


def test_sign_ins_are_rate_limited_per_email(app: APIFlask, owner: Colleague) -> None:
    guesser = visitor(app)
    with time_machine.travel(SECOND_OF_A_QUARTER, tick=False) as clock:
        fail(guesser, owner.email)
        answer = guesser.sign_in(owner.email)
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "840"
        assert "Too many failed attempts. Try again in 14 minutes, or reset your password now." in answer.text
        clock.shift(840)
        assert guesser.sign_in(owner.email).status_code == 303


@pytest.mark.usefixtures("at_one_time")
def test_sign_ins_with_an_unknown_email_are_rate_limited_alike(app: APIFlask, owner: Colleague) -> None:
    guesser = visitor(app)
    fail(guesser, "nobody@example.org")
    assert guesser.sign_in("nobody@example.org").status_code == 429


@pytest.mark.usefixtures("at_one_time")
def test_a_known_browser_is_not_locked_out_by_strangers(app: APIFlask, owner: Colleague) -> None:
    at_home = visitor(app, "203.0.113.9")
    assert at_home.sign_in(owner.email).status_code == 303
    at_home.send("/sign-out")
    for number in range(AT_ONE_ACCOUNT.most):
        password_attempts.reserve_attempt(owner.email, f"198.51.100.{number}", False, datetime.now(UTC))
    assert visitor(app, "198.51.100.99").sign_in(owner.email).status_code == 429
    assert at_home.sign_in(owner.email).status_code == 303


@pytest.mark.usefixtures("at_one_time")
def test_sign_ins_are_rate_limited_per_ip_address_but_not_for_known_browsers(
    app: APIFlask, owner: Colleague, outsider: Colleague
) -> None:
    at_home = visitor(app)
    assert at_home.sign_in(owner.email).status_code == 303
    for number in range(FROM_ONE_ADDRESS.most):
        password_attempts.reserve_attempt(
            f"nobody-{number}@example.org", at_home.address, False, datetime.now(UTC)
        )
    assert visitor(app).sign_in(outsider.email).status_code == 429
    assert visitor(app).sign_in(owner.email).status_code == 303


@pytest.mark.usefixtures("at_one_time")
def test_without_the_quota_store_sign_ins_are_limited_in_memory(
    app: APIFlask, owner: Colleague, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(app.extensions, "homeward.quotas", open_quota_storage("sqlite:////proc/none.sqlite3"))
    fail(visitor(app), owner.email)
    assert visitor(app).sign_in(owner.email).status_code == 429
    assert visitor(app, "198.51.100.9").sign_in(owner.email).status_code == 303
    assert len([each for each in caplog.messages if "quota store cannot be reached" in each]) == 1


ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/\n/evil.example",
    "http:evil.example",
    "javascript:alert(1)",
    "evil.example",
    "@evil.example",
    "//[",
    "http://[evil",
    "",
)


def test_next_never_redirects_to_another_host(app: APIFlask, owner: Colleague) -> None:
    for wanted in ELSEWHERE:
        who = visitor(app)
        form = {"csrf_token": who.token(), "email": owner.email, "password": PASSWORD}
        answer = who.client.post("/sign-in", query_string={"next": wanted}, data=form)
        assert answer.status_code == 303
        assert answer.headers["Location"] == "/projects", wanted
        assert who.client.get("/sign-in", query_string={"next": wanted}).headers["Location"] == "/projects"


def test_next_redirects_to_a_local_page(app: APIFlask, owner: Colleague) -> None:
    who = visitor(app)
    answer = who.send("/sign-in?next=/projects/elm/animals?q%3Drex", email=owner.email, password=PASSWORD)
    assert answer.headers["Location"] == "/projects/elm/animals?q=rex"


def cookie_of(answer: TestResponse) -> SimpleCookie:
    return SimpleCookie(answer.headers["Set-Cookie"])


def test_the_session_cookie_is_host_only_and_http_only(
    app: APIFlask, installation: Install, owner: Colleague
) -> None:
    """In production the cookie is sent only over TLS. No other host can set its name."""
    for environment, name, secure in (
        ("development", "homeward", False),
        ("production", "__Host-homeward", True),
    ):
        client = installation(environment=environment, platform_host="localhost")
        answer = Visitor(client).get("/sign-in")
        kept = cookie_of(answer)[name]
        assert bool(kept["secure"]) is secure
        assert kept["httponly"]
        assert kept["samesite"] == "Lax"
        assert kept["path"] == "/"
        assert not kept["domain"]


def test_signing_in_creates_a_fresh_session(app: APIFlask, owner: Colleague) -> None:
    """An attacker may have planted a session in the browser. It is invalid afterwards (session fixation)."""
    who = visitor(app)
    who.get("/sign-in")
    planted = who.client.get_cookie("homeward")
    before = who.token()
    assert who.sign_in(owner.email).status_code == 303
    after = who.client.get_cookie("homeward")
    assert planted
    assert after
    assert planted.value != after.value
    form = {"csrf_token": before}
    assert who.client.post("/sign-out", data=form).status_code == 400


def test_a_session_cookie_is_invalid_after_signing_out(app: APIFlask, owner: Colleague) -> None:
    kept = owner.client.get_cookie("homeward")
    assert kept
    signed_out = owner.post("/sign-out")
    assert signed_out.headers["Clear-Site-Data"] == '"storage"', "drafts go with the session"
    thief = visitor(app)
    thief.client.set_cookie("homeward", kept.value)
    assert not thief.is_in


def test_a_session_ends_with_the_browser_unless_staying_signed_in(app: APIFlask, owner: Colleague) -> None:
    assert not cookie_of(visitor(app).sign_in(owner.email))["homeward"]["expires"]
    assert cookie_of(visitor(app).sign_in(owner.email, stay="on"))["homeward"]["expires"]


def test_public_pages_set_no_cookie(client: FlaskClient, owner: Colleague) -> None:
    site = f"{owner.slug}.localhost"
    for host, path in (
        ("localhost", "/"),
        ("localhost", "/shelters"),
        ("localhost", "/docs/"),
        (site, "/"),
        (site, "/sign-in"),
    ):
        answer = owner.client.get(path, headers={"Host": host})
        assert "Set-Cookie" not in answer.headers, (host, path)
        assert "Cookie" not in answer.headers.get("Vary", ""), (host, path)


def test_a_shelters_site_has_no_sign_in(client: FlaskClient, owner: Colleague) -> None:
    host = {"Host": f"{owner.slug}.localhost"}
    for path in ("/sign-in", "/sign-up", "/account", "/projects", "/password/forgotten", owner.at("animals")):
        assert client.get(path, headers=host).status_code == 404, path
    bar = client.get("/").text.partition("</nav>")[0]
    for link in ('href="/sign-in">Sign in', 'href="/sign-up">Sign up'):
        assert link not in client.get("/", headers=host).text
        assert link in bar


def test_sign_in_pages_are_no_store(client: FlaskClient) -> None:
    for path in ("/sign-in", "/sign-up", "/mailbox", "/password/forgotten", "/sign-up/x", "/invitations/x"):
        answer = client.get(path)
        assert answer.headers["Cache-Control"] == "no-store", path
        assert answer.headers["Referrer-Policy"] == "no-referrer", path
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"], path


def test_an_anonymous_visitor_signs_in_and_returns_to_the_page(app: APIFlask, owner: Colleague) -> None:
    answer = app.test_client().get(owner.at("animals?q=rex"))
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/sign-in?next=/projects/{owner.slug}/animals?q%3Drex"


def test_signing_out_ends_the_session(owner: Colleague) -> None:
    owner.post("/sign-out")
    assert owner.get("animals").status_code == 302
