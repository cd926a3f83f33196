"""How many addresses an account's applications are confirmed to in a day."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.orders.new_addresses import A_DAY, YOUNG
from tests.applying import apply
from tests.cast import Colleague
from tests.deciding import animal
from tests.mailbox import letters_to

pytestmark = pytest.mark.settings("embedded")


def test_a_new_account_writes_to_a_fifth_and_the_rest_is_held_until_the_next_day(
    app: APIFlask, owner: Colleague, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(A_DAY, "free", 10)
    pets = [animal(owner, f"Pet {n}") for n in range(5)]
    for number, email in enumerate(("a@x.example", "a+1@x.example", "b@x.example", "c@x.example")):
        apply(client, pets[number], email=email)
    assert letters_to("a+1@x.example"), "one mailbox with a"
    assert letters_to("b@x.example")
    assert not letters_to("c@x.example")
    held = owner.get("applications?box=held").text
    [ref] = set(re.findall(r"/applications/(\d+)", held))
    refused = owner.post(f"applications/{ref}/release")
    assert refused.status_code == 409
    assert "Release it tomorrow." in refused.text
    assert not letters_to("c@x.example")
    with time_machine.travel(datetime.now(UTC) + YOUNG + timedelta(minutes=1)):
        for number in range(12):
            apply(client, pets[4], email=f"later{number}@x.example")
        assert [bool(letters_to(f"later{n}@x.example")) for n in (9, 10)] == [True, False]
