"""Emails to a shelter's contact address, which may belong to a stranger."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask.testing import FlaskClient

from adoption.accounts.email_throttles import ADDRESSES_A_DAY
from adoption.orders import shelter_reminders, withdrawals
from tests.applying import apply, link_in
from tests.cast import Colleague
from tests.deciding import add_animal
from tests.mailbox import emails_to, link_in_email
from tests.portal.staff.sites.test_general_settings import publish_with

pytestmark = pytest.mark.settings("embedded")

TYPED = {"name": "Buy pills today", "email": "pills@x.example", "why": "Buy pills today"}


def test_only_a_members_address_is_emailed_an_applicants_texts(
    owner: Colleague, teammate: Colleague, client: FlaskClient
) -> None:
    for contact, has_details in (("victim@x.example", False), ("STAFF@elm.example", True)):
        publish_with(owner, contact_email=contact)
        link = link_in(apply(client, add_animal(owner), **TYPED))
        assert withdrawals.withdraw_application(link.rpartition("/")[2])
        news, withdrawal = emails_to(contact)
        for sent in (news, withdrawal):
            words = sent.subject + sent.text + sent.reply_to + sent.sender_name
            assert ("pills" in words) is has_details, words
        assert link_in_email(contact).startswith(f"/projects/{owner.slug}/applications/")
    assert emails_to("victim@x.example")[0].subject == "A new application"
    assert "only if someone on your team signs in with this address" in owner.get("settings").text


def test_a_contact_address_counts_towards_the_daily_limit_of_new_addresses(
    owner: Colleague, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADDRESSES_A_DAY, "free", 10)  # the limit of a new account is 2
    publish_with(owner, contact_email="first@x.example")
    apply(client, add_animal(owner), email="sam@x.example")
    assert emails_to("first@x.example")
    publish_with(owner, contact_email="second@x.example")
    answer = apply(client, add_animal(owner, "Rex"), email="sam@x.example")
    held = link_in(answer).rpartition("/")[2]
    now = datetime.now(UTC)
    assert shelter_reminders.send_held_digests(now) == 0
    [ref] = set(re.findall(r"/applications/(\d+)", owner.get("applications?box=held").text))
    assert owner.post(f"applications/{ref}/release").status_code == 303
    assert withdrawals.withdraw_application(held)
    assert emails_to("second@x.example") == []
    apply(client, add_animal(owner, "Moss"), email="sam@x.example")
    tomorrow = now + timedelta(days=1)
    with time_machine.travel(tomorrow):
        assert shelter_reminders.send_held_digests(tomorrow) == 1, "it was tried again"
    assert [sent.subject for sent in emails_to("second@x.example")] == [
        "1 application is held as possible spam"
    ]
