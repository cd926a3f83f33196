"""What looks like spam is held, and its sender sees nothing of it."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select

from adoption.accounts.quota_stores import open_quota_store
from adoption.database import reading
from adoption.mail.models import Letter
from adoption.orders.models import Application
from adoption.orders.spam import PER_HOUR, TAKEN_PER_HOUR
from tests import cast
from tests.applying import apply, form_of, link_in

pytestmark = pytest.mark.settings("embedded")

ADDRESS, EMAIL = PER_HOUR["network address"], PER_HOUR["email address"]


@pytest.fixture
def half_past() -> Iterator[None]:
    """So that no hour ends between two applications."""
    with time_machine.travel(datetime.now(UTC).replace(minute=30), tick=False):
        yield


def held() -> list[str]:
    with reading() as session:
        return list(session.scalars(select(Application.held_for).order_by(Application.id)))


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"subject": "Great offer"}, "people do not see"),
        ({"why": "See https://pills.example for more"}, "link"),
        ({"why": "See WWW.pills.example"}, "link"),
        ({"why": '<a href="x">pills</a>'}, "link"),
        ({"why": "[url=x]pills[/url]"}, "link"),
        ({"name": "cheap-pills.com"}, "link"),
    ],
)
def test_spam_is_held_and_thanked_for(
    client: FlaskClient, shelter: cast.Shelter, answers: dict[str, str], reason: str
) -> None:
    answer = apply(client, shelter.add(), **answers)
    assert "Thank you" in client.get(answer.location).text
    assert reason in held()[0]
    assert shelter.get("/v1/store/orders").json == []
    with reading() as session:
        assert session.scalars(select(Letter)).all() == []


def test_a_form_that_is_sent_at_once_is_held(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    apply(client, animal, form_of(client, animal, opened=0))
    assert "within 3 seconds" in held()[0]


def test_a_form_that_was_read_is_not_held(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    apply(client, animal, form_of(client, animal, opened=4))
    assert held() == [""]


@pytest.mark.usefixtures("half_past")
def test_many_applications_from_one_network_address_are_held(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    for number in range(ADDRESS + 1):
        link_in(apply(client, animal, email=f"adopter{number}@example.org"))
    assert [bool(reason) for reason in held()] == [False] * ADDRESS + [True]
    assert "one network address" in held()[-1]


@pytest.mark.usefixtures("half_past")
def test_many_applications_from_one_email_address_are_held(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    for _ in range(EMAIL + 1):
        apply(client, shelter.add())
    assert [bool(reason) for reason in held()] == [False] * EMAIL + [True]


@pytest.mark.usefixtures("half_past")
def test_what_is_sent_twice_counts_once(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = form_of(client, animal)
    for _ in range(EMAIL + 3):
        apply(client, animal, form)
    apply(client, shelter.add())
    assert held() == ["", ""]


def test_where_nothing_can_be_counted_nobody_is_held(
    app: APIFlask, client: FlaskClient, shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    animal = shelter.add()
    monkeypatch.setitem(app.extensions, "homeward.quotas", open_quota_store("sqlite:////proc/none.sqlite3"))
    for number in range(ADDRESS + 1):
        link_in(apply(client, animal, email=f"adopter{number}@example.org"))
    assert not any(held())


@pytest.mark.usefixtures("half_past")
def test_beyond_a_bound_nothing_is_taken_down_any_more(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    forms = [form_of(client, animal) for _ in range(2)]
    answers = [
        apply(client, animal, forms[0], email=f"somebody-{n}@example.org") for n in range(TAKEN_PER_HOUR)
    ]
    assert {answer.status_code for answer in answers} == {303}
    refused = apply(client, animal, forms[1])
    assert refused.status_code == 429
    assert "Wait an hour" in refused.text
    assert "Somebody is at home all day." in refused.text
    with reading() as session:
        assert len(session.scalars(select(Application.id)).all()) == TAKEN_PER_HOUR
