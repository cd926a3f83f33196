"""The spam filter for applications."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select

from adoption.accounts.quotas.configured_storage import open_quota_storage
from adoption.mail.models import OutgoingEmail
from adoption.orders.models import Application
from adoption.orders.spam_detection import SAVED_PER_ADDRESS, UNUSUAL_RATES
from adoption.storage.database import reading
from tests import cast
from tests.applying import application_form, apply, link_in, load_hold_reasons

pytestmark = pytest.mark.settings("embedded")

PER_ADDRESS, PER_EMAIL = UNUSUAL_RATES["network address"].most, UNUSUAL_RATES["email address"].most


@pytest.fixture
def fixed_clock() -> Iterator[None]:
    """Stop the clock, so that no hour ends between two applications."""
    with time_machine.travel(datetime.now(UTC).replace(minute=30), tick=False):
        yield


PLAIN = "Somebody is at home all day, and there is a garden."
QUICK = 1
ACCEPTED: list[tuple[dict[str, str], float]] = [
    ({"why": "Our vet is Greenfield Vets (https://greenfield.example) and can vouch for us"}, 3.2),
    ({"why": "see www.instagram.com/ourfarm for pictures of the garden"}, 4),
    ({"why": "Our house is shown at https://photos.example.org/house"}, 4.5),
    ({"why": PLAIN}, QUICK),
    ({"why": "I work for a SEO agency and am at home all day"}, 60),
    ({"why": "I pay the fee in bitcoin if you like"}, 60),
    ({"why": "Our last dog was called Viagra"}, 60),
    ({"why": "He can run 2x a day with me"}, QUICK),
    ({"name": "SAM OKAFOR"}, 60),
    ({"name": "Siobhán O'Neil-D'Arcy"}, 60),
    ({"name": "Dr. J. St.John jr."}, 60),
    ({"name": "X Æ A-12"}, 60),
]
HELD: list[tuple[dict[str, str], float, str]] = [
    ({"subject": "Great offer"}, 60, "people do not see"),
    ({"name": "cheap-pills.com"}, 60, "link in the name"),
    ({"name": "See www.pills.example"}, 60, "link in the name"),
    ({"why": f"{PLAIN} https://photos.example.org/house"}, QUICK, "within 3 seconds"),
    ({"why": '<a href="x">bitcoin</a>'}, 60, "link in the answers"),
    ({"why": "cheap viagra cialis"}, 60, "“viagra”; the answers mention “cialis”"),
    ({"why": "bitcoin, telegram @cryptoking 10x"}, 60, "bitcoin"),
    ({"why": "\uff22ITCOIN, Telegram @CryptoKing"}, 60, "bitcoin"),
    ({"why": "SEO services, page one of Google"}, 60, "page one of google"),
]


@pytest.mark.parametrize(("answers", "seconds"), ACCEPTED)
def test_ordinary_applications_are_not_held(
    client: FlaskClient, shelter: cast.Shelter, answers: dict[str, str], seconds: float
) -> None:
    animal = shelter.add()
    link_in(apply(client, animal, application_form(client, animal, opened=seconds), **answers))
    assert load_hold_reasons() == [""]


@pytest.mark.parametrize(("answers", "seconds", "reason"), HELD)
def test_spam_is_held_with_the_reason(
    client: FlaskClient, shelter: cast.Shelter, answers: dict[str, str], seconds: float, reason: str
) -> None:
    animal = shelter.add()
    answer = apply(client, animal, application_form(client, animal, opened=seconds), **answers)
    assert "has to be checked" in client.get(answer.location).text
    assert reason in load_hold_reasons()[0]
    assert shelter.get("/v1/store/orders").json == []
    with reading() as session:
        assert session.scalars(select(OutgoingEmail)).all() == []


@pytest.mark.usefixtures("fixed_clock")
def test_many_applications_from_one_network_address_are_not_held(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    for number in range(PER_ADDRESS + 1):
        link_in(apply(client, animal, email=f"adopter{number}@example.org"))
    assert not any(load_hold_reasons())
    link_in(apply(client, animal, email="last@example.org", why="See https://pills.example"))
    assert "one network address" in load_hold_reasons()[-1], "with a second sign it counts"


@pytest.mark.usefixtures("fixed_clock")
def test_many_applications_from_one_email_address_are_a_sign_of_spam(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    for _ in range(PER_EMAIL):
        apply(client, shelter.add(), why="See https://pills.example")
    assert not any(load_hold_reasons())
    apply(client, shelter.add(), why="See https://pills.example")
    assert "one email address" in load_hold_reasons()[-1]


@pytest.mark.usefixtures("fixed_clock")
def test_a_form_submitted_twice_counts_once(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    for _ in range(PER_EMAIL + 3):
        apply(client, animal, form)
    apply(client, shelter.add())
    assert load_hold_reasons() == ["", ""]


def test_no_application_is_held_while_the_quota_store_is_unavailable(
    app: APIFlask, client: FlaskClient, shelter: cast.Shelter, monkeypatch: pytest.MonkeyPatch
) -> None:
    animal = shelter.add()
    monkeypatch.setitem(app.extensions, "homeward.quotas", open_quota_storage("sqlite:////proc/none.sqlite3"))
    for number in range(PER_ADDRESS + 1):
        link_in(apply(client, animal, email=f"adopter{number}@example.org"))
    assert not any(load_hold_reasons())


@pytest.mark.usefixtures("fixed_clock")
def test_applications_from_one_network_address_are_rejected_above_the_limit(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    forms = [application_form(client, animal) for _ in range(2)]
    answers = [
        apply(client, animal, forms[0], email=f"somebody-{n}@example.org")
        for n in range(SAVED_PER_ADDRESS.most)
    ]
    assert {answer.status_code for answer in answers} == {303}
    refused = apply(client, animal, forms[1])
    assert refused.status_code == 429
    assert (
        "Everything you wrote is still here: wait 30 minutes, then send the application again."
        in refused.text
    )
    assert "Somebody is at home all day." in refused.text
    with reading() as session:
        assert len(session.scalars(select(Application.id)).all()) == SAVED_PER_ADDRESS.most
