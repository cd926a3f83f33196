"""Signing up: the form, emails with links, and rate limits."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from flask.testing import FlaskClient
from sqlalchemy import func, select

from adoption.accounts import sign_ups
from adoption.accounts.email_throttles import FROM_ONE_ADDRESS, SIGN_UPS
from adoption.accounts.models import Account, Member, User
from adoption.audit.models import AuditEntry
from adoption.projects.models import Project
from adoption.storage.database import reading
from tests.cast import Colleague
from tests.mailbox import emails_to, link_in_email
from tests.portal.conftest import Install
from tests.portal.visitor import Visitor

NEW = "four small words here"
SAM = {"shelter": "Dune Lane Cats", "name": "Sam Okafor", "email": "Sam@Example.org"}


def test_signing_up_leads_to_an_empty_list_of_animals(client: FlaskClient) -> None:
    sam = Visitor(client)
    assert sam.send("/sign-up", **SAM).headers["Location"] == "/mailbox"
    page = sam.get("/mailbox").text
    assert "Check your email" in page
    assert "We have sent an email to sam@example.org." in page
    link = link_in_email("sam@example.org", "/sign-up/")
    assert "Dune Lane Cats" in sam.get(link).text
    answer = sam.send(link, password=NEW)
    assert answer.headers["Location"] == "/projects/dune-lane-cats/animals"
    assert sam.is_in
    with reading() as session:
        member, user, account = session.execute(select(Member, User, Account).join(User).join(Account)).one()
        entry = session.scalars(select(AuditEntry)).one()
    assert (member.role, user.name, account.plan) == ("owner", "Sam Okafor", "free")
    assert (entry.action, entry.user_id, entry.address) == ("account.opened", user.id, sam.address)


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("languages", "currency"),
    [
        ("en-GB,en;q=0.9", "GBP"),
        ("de", "EUR"),
        ("x-unknown, es-419;q=0.9, fr-CH;q=0.8", "CHF"),
        ("*", "USD"),
        ("", "USD"),
        ("\x00;;, -_-", "USD"),
    ],
)
def test_the_currency_is_guessed_from_the_browsers_language_and_can_be_changed(
    client: FlaskClient, languages: str, currency: str
) -> None:
    page = client.get("/sign-up", headers={"Accept-Language": languages}).text
    assert re.findall(r'<option value="(\w+)" selected', page) == [currency]


@pytest.mark.settings("embedded")
def test_a_new_shelter_has_the_currency_it_chose(client: FlaskClient) -> None:
    sam = Visitor(client)
    wrong = sam.send("/sign-up", **SAM | {"currency": "ZZZ"})
    assert wrong.status_code == 422
    assert "Choose the currency" in wrong.text
    sam.send("/sign-up", **SAM | {"currency": "NZD"})
    sam.send(link_in_email("sam@example.org"), password=NEW)
    with reading() as session:
        assert session.scalars(select(Project.currency)).one() == "NZD"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("wanted", [True, False])
def test_a_new_shelter_is_asked_about_the_directory(client: FlaskClient, wanted: bool) -> None:
    sam = Visitor(client)
    ticked = 'name="in_directory" value="yes" checked'
    assert ticked in sam.get("/sign-up").text
    sent = SAM | ({"in_directory": "yes"} if wanted else {})
    assert (ticked in sam.send("/sign-up", **sent | {"name": ""}).text) == wanted
    sam.send("/sign-up", **sent)
    sam.send(link_in_email("sam@example.org"), password=NEW)
    with reading() as session:
        assert session.scalars(select(Project.in_directory)).one() == wanted


def test_signing_up_with_a_known_email_gets_the_same_response_and_an_email(
    client: FlaskClient, owner: Colleague
) -> None:
    """The email, but not the page, says that the address is known. No second account is created."""
    answers = []
    for email in (owner.email, "nobody@example.org"):
        visitor = Visitor(client)
        sent = visitor.send("/sign-up", **SAM | {"email": email})
        shown = visitor.get("/mailbox").text.replace(email, "")
        answers.append((sent.status_code, sent.headers["Location"], len(emails_to(email)), shown))
    assert answers[0] == answers[1]
    assert emails_to(owner.email)[0].subject == "You already have a Homeward account"
    assert link_in_email(owner.email) == "/sign-in"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("shelter", "is_named"),
    [
        ("Dune Lane Cats", True),
        ("St. Francis' Dogs & Cats (Ely)", True),
        ("Buy gold at evil.example", False),
        ("Call 0900 123456 now", False),
        ("Write to evil@example", False),
    ],
)
def test_the_confirmation_email_names_the_shelter_unless_it_looks_like_advertising(
    client: FlaskClient, shelter: str, is_named: bool
) -> None:
    Visitor(client).send("/sign-up", **SAM | {"shelter": shelter, "name": "evil.example"})
    [letter] = emails_to("sam@example.org")
    first = " ".join(letter.text.split("\n\n")[0].split())
    assert (f"to sign {shelter} up" in first) == is_named
    assert ("to sign a shelter up" in first) != is_named
    assert "evil" not in letter.text + letter.subject


def test_a_sign_up_link_works_once_and_expires_after_a_day(client: FlaskClient) -> None:
    sam = Visitor(client)
    sam.send("/sign-up", **SAM)
    link = link_in_email("sam@example.org")
    with time_machine.travel(datetime.now(UTC) + sign_ups.GOOD_FOR + timedelta(minutes=1)):
        assert sam.get(link).status_code == 404
    assert sam.send(link, password=NEW).status_code == 303
    again = Visitor(client).send(link, password="another good password")
    assert again.status_code == 409
    assert "You already have an account with this address" in again.text
    for wrong in (link[:-1], link[:-9], "/sign-up/x", link.replace("/sign-up/", "/password/new/")):
        assert sam.get(wrong).status_code == 404
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(Account)) == 1


def test_sign_up_errors_are_shown_per_field_and_values_stay(client: FlaskClient) -> None:
    answer = Visitor(client).send("/sign-up", shelter="Dune Lane Cats", name=" ", email="sam at example.org")
    assert answer.status_code == 422
    assert "<title>Error: Sign up" in answer.text
    assert 'value="Dune Lane Cats"' in answer.text
    assert 'value="sam at example.org"' in answer.text
    assert 'href="#name">Enter your name' in answer.text
    assert 'id="email-error"' in answer.text
    assert 'aria-describedby="email-hint email-error" aria-invalid="true"' in answer.text
    assert emails_to("sam at example.org") == []


def test_a_password_needs_ten_characters_and_must_not_be_common(client: FlaskClient) -> None:
    sam = Visitor(client)
    sam.send("/sign-up", **SAM)
    link = link_in_email("sam@example.org")
    for weak, found in (
        ("", "Choose a password"),
        ("nine char", "Use 10 characters or more"),
        ("Password123", "attackers try this one first"),
        ("aaaaaaaaaaaa", "attackers try this one first"),
        ("a" * 201, "Use 200 characters at most"),
    ):
        answer = sam.send(link, password=weak)
        assert answer.status_code == 422
        assert found in answer.text
        assert not weak or weak not in answer.text
    assert not sam.is_in


def test_only_in_development_the_page_shows_where_emails_are(
    client: FlaskClient, installation: Install
) -> None:
    page = Visitor(client).get("/mailbox").text
    assert "Each email is saved as a file in" in page
    assert "a few minutes to arrive" not in page
    in_production = installation(environment="production", platform_host="localhost")
    assert "saved as a file" not in Visitor(in_production).get("/mailbox").text


def test_sign_up_emails_to_an_address_are_rate_limited(client: FlaskClient, owner: Colleague) -> None:
    with time_machine.travel(1_796_000_400, tick=False):
        for number in range(SIGN_UPS.most + 2):
            asking = Visitor(client, f"198.51.100.{number}")
            assert asking.send("/password/forgotten", email=owner.email).headers["Location"] == "/mailbox"
        assert len(emails_to(owner.email)) == SIGN_UPS.most
        Visitor(client).send("/sign-up", **SAM | {"email": owner.email})
    assert len(emails_to(owner.email)) == SIGN_UPS.most + 1


def test_sign_up_emails_are_rate_limited_per_ip_address(client: FlaskClient) -> None:
    visitor = Visitor(client)
    with time_machine.travel(1_796_000_400, tick=False):
        for number in range(FROM_ONE_ADDRESS.most):
            visitor.send("/password/forgotten", email=f"sam-{number}@example.org")
        answer = visitor.send("/sign-up", **SAM)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert "Too many emails were requested from your network" in answer.text
    assert emails_to("sam@example.org") == []


def test_links_in_emails_ignore_the_host_header(client: FlaskClient, owner: Colleague) -> None:
    other: dict[str, Any] = {"base_url": "http://127.0.0.1", "headers": {"X-Forwarded-Host": "evil.example"}}
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/sign-in", **other).text)
    assert token
    client.post("/password/forgotten", data={"csrf_token": token[1], "email": owner.email}, **other)
    [letter] = emails_to(owner.email)
    assert "http://localhost:8000/password/new/" in letter.text
