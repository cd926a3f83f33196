"""Limits on how many new email addresses an account may write to per day."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.accounts.email_throttles import ADDRESSES_A_DAY, YOUNG
from tests.applying import apply
from tests.cast import Colleague
from tests.deciding import add_animal
from tests.mailbox import emails_to

pytestmark = pytest.mark.settings("embedded")


def test_a_new_account_emails_a_fifth_of_its_limit_and_the_rest_is_held(
    app: APIFlask, owner: Colleague, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADDRESSES_A_DAY, "free", 10)
    pets = [add_animal(owner, f"Pet {n}") for n in range(5)]
    for number, email in enumerate(("a@x.example", "a+1@x.example", "b@x.example", "c@x.example")):
        apply(client, pets[number], email=email)
    assert emails_to("a+1@x.example"), "the same mailbox as a@x.example"
    assert emails_to("b@x.example")
    assert not emails_to("c@x.example")
    held = owner.get("applications?box=held").text
    [ref] = set(re.findall(r"/applications/(\d+)", held))
    refused = owner.post(f"applications/{ref}/release")
    assert refused.status_code == 409
    assert "Select “Not spam” tomorrow." in refused.text
    assert not emails_to("c@x.example")
    with time_machine.travel(datetime.now(UTC) + YOUNG + timedelta(minutes=1)):
        for number in range(12):
            apply(client, pets[4], email=f"later{number}@x.example")
        assert [bool(emails_to(f"later{n}@x.example")) for n in (9, 10)] == [True, False]


def test_known_and_new_addresses_get_the_same_response_over_the_limit(
    app: APIFlask, owner: Colleague, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADDRESSES_A_DAY, "free", 10)
    pets = [add_animal(owner, f"Pet {n}") for n in range(2)]
    for email in ("known@x.example", "other@x.example"):
        apply(client, pets[0], email=email)
    emails = len(emails_to("known@x.example"))
    asked = ("known@x.example", "fresh@x.example")
    for pet in pets:  # the known address has applied for the first
        locations = [apply(client, pet, email=email).location for email in asked]
        assert [location.partition("?")[2] for location in locations] == ["sent", "sent"], "held, not emailed"
    assert len(emails_to("known@x.example")) == emails


def test_invitations_count_towards_the_limit_of_new_addresses(
    app: APIFlask, owner: Colleague, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADDRESSES_A_DAY, "free", 10)
    apply(client, add_animal(owner), email="applicant@x.example")
    answers = [
        owner.post("members/invitations", {"email": email, "role": "staff"})
        for email in ("a@x.example", "a@x.example", "b@x.example")
    ]
    assert [answer.status_code for answer in answers] == [303, 303, 422]
    assert "has emailed 2 new addresses today" in answers[-1].text
    assert not emails_to("b@x.example")
    apply(client, add_animal(owner, "Rex"), email="late@x.example")
    assert not emails_to("late@x.example")
