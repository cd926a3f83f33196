"""Times are in the shelter's zone on its own pages and in emails.

On other pages they are in the reader's zone.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask import g
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import create_environ

from adoption.certificates import email_templates
from adoption.certificates.email_templates import Failure
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from portal import dates
from portal.body_limits import opened
from tests import applying, factories
from tests.cast import PASSWORD, Colleague
from tests.mailbox import link_in_email
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

LOS_ANGELES, LONDON, DUBAI = "America/Los_Angeles", "Europe/London", "Asia/Dubai"
EVENING = datetime(2026, 11, 29, 2, 27, tzinfo=UTC)
"""It is 18:27 on 28 November in Los Angeles."""


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", "", html).replace("\xa0", " ").split())


@pytest.fixture
def in_zone(app: APIFlask) -> Iterator[None]:
    with opened(app, create_environ()):
        yield


@pytest.mark.parametrize(
    ("zone", "when", "now", "moment", "ago"),
    [
        (LOS_ANGELES, "2026-11-29T02:26", "2026-11-29T02:27", "today, 18:26", "1 minute ago"),
        (LOS_ANGELES, "2026-11-28T07:30", "2026-11-29T08:30", "27 November, 23:30", "2 days ago"),
        ("UTC", "2026-11-28T07:30", "2026-11-29T08:30", "yesterday, 07:30 UTC", "yesterday"),
        (DUBAI, "2026-12-31T21:00", "2027-01-20T00:00", "1 January, 01:00", "on 1 January"),
        ("UTC", "2026-12-31T21:00", "2027-01-20T00:00", "31 December 2026, 21:00 UTC", "on 31 December 2026"),
        # Clocks go back. 01:30 comes twice, and the day has 25 hours.
        (LONDON, "2026-10-25T00:30", "2026-10-25T01:30", "today, 01:30", "1 hour ago"),
        (LONDON, "2026-10-24T23:10", "2026-10-25T23:30", "today, 00:10", "yesterday"),
        # Clocks go forward. The day has 23 hours.
        (LONDON, "2026-03-28T23:30", "2026-03-29T22:30", "yesterday, 23:30", "23 hours ago"),
    ],
)
def test_days_and_hours_are_those_of_the_zone(
    in_zone: None, zone: str, when: str, now: str, moment: str, ago: str
) -> None:
    g.time_zone = zone
    at, at_now = (datetime.fromisoformat(f"{each}+00:00") for each in (when, now))
    assert words(dates.day_and_time(at, at_now)) == moment
    assert words(dates.ago(at, at_now)) == ago
    assert f'datetime="{when}:00Z"' in dates.day_and_time(at, at_now)


def test_the_repeated_hour_in_autumn_has_two_zone_abbreviations(in_zone: None) -> None:
    g.time_zone = LONDON
    once = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert words(dates.full_date_and_time(once)) == "25 October 2026, 01:30 BST"
    assert words(dates.full_date_and_time(once + timedelta(hours=1))) == "25 October 2026, 01:30 GMT"
    g.time_zone = DUBAI
    assert words(dates.full_date_and_time(once)) == "25 October 2026, 04:30 UTC+04"


@pytest.fixture
def evening() -> Iterator[None]:
    with time_machine.travel(EVENING, tick=True):
        yield


@pytest.fixture
def angelena(evening: None, owner: Colleague) -> Colleague:
    """The owner of a shelter in Los Angeles."""
    with transaction() as session:
        session.get_one(Project, owner.project_id).time_zone = LOS_ANGELES
    return owner


def test_staff_pages_have_the_shelters_zone(angelena: Colleague) -> None:
    factories.animal(factories.Project(id=angelena.project_id), "Juno", updated_at=EVENING)
    animals, audit = angelena.get("animals").text, angelena.get("audit").text
    assert "Today, 18:27" in words(animals)
    assert "28 November 2026, 18:27 PST" in words(audit)
    assert "data-shape" not in animals + audit, "the reader of a staff page sees the shelter's times"
    assert "2026-11-29T02:27:00Z" in angelena.get("audit.csv").text


@pytest.mark.parametrize(("birth", "status"), [("2026-11-28", 303), ("2026-11-29", 422)])
def test_a_birth_date_is_in_the_future_according_to_the_shelters_zone(
    angelena: Colleague, birth: str, status: int
) -> None:
    form = {"name": "Juno", "category_id": "1", "status": "available", "fee": "hidden", "birth_date": birth}
    form |= {"visibility": "shown"}
    assert angelena.post("animals/new", form).status_code == status


def test_an_applicants_page_has_the_shelters_zone_until_a_script_replaces_it(
    app: APIFlask, angelena: Colleague
) -> None:
    animal_id = factories.animal(factories.Project(id=angelena.project_id), "Juno")
    client = app.test_client()
    link = applying.link_in(applying.apply(client, animal_id))
    page = client.get(link).text
    assert re.search('<time datetime="2026-11-29T02:27:[^>]* data-shape="day">28\xa0November', page)
    assert "js/times" in page


def test_emails_write_times_with_the_shelters_zone() -> None:
    tomorrow = EVENING + timedelta(days=1)
    _, text = email_templates.failed_email(
        Failure("elm.example", "dns", "No answer", EVENING, tomorrow, LOS_ANGELES)
    )
    text = words(text)
    assert "28 November 2026 at 18:27 PST" in text
    assert "valid until 29 November 2026" in text


def test_only_owners_choose_a_time_zone_from_the_list(owner: Colleague, teammate: Colleague) -> None:
    page = owner.get("settings")
    assert "Times are shown in UTC until you choose" in page.text
    opened = re.findall('name="opened" value="(time_zone:[^"]*)"', page.text)[0]
    page = owner.post("settings/time-zone", {"opened": opened, "time_zone": "Mars/Olympus"})
    assert page.status_code == 422
    assert "Choose a time zone from the list" in page.text
    assert opened in page.text
    chosen = {"opened": opened, "time_zone": "Asia/Calcutta"}
    assert owner.post("settings/time-zone", chosen).status_code == 303
    page = owner.get("settings")
    assert '<option value="Asia/Kolkata" selected>India: Kolkata</option>' in page.text
    assert "Times are shown in UTC" not in page.text
    assert teammate.post("settings/time-zone", {"time_zone": "UTC"}).status_code == 403


@pytest.mark.parametrize(
    ("reported", "kept"),
    [(LONDON, LONDON), ("Europe/Kiev", "Europe/Kyiv"), ("", "UTC"), ("nowhere", "UTC"), ("../etc", "UTC")],
)
def test_a_new_shelter_gets_the_browsers_time_zone(client: FlaskClient, reported: str, kept: str) -> None:
    visitor = Visitor(client)
    assert "data-time-zone" in visitor.get("/sign-up").text
    form = {"shelter": "Oak House", "name": "Ann", "email": "ann@oak.example", "time_zone": reported}
    visitor.send("/sign-up", **form)
    visitor.send(link_in_email("ann@oak.example", "/sign-up/"), password=PASSWORD)
    with reading() as session:
        assert session.scalars(select(Project.time_zone)).all() == [kept]


def test_ages_and_waiting_are_counted_from_the_shelters_day(app: APIFlask, angelena: Colleague) -> None:
    shelter = factories.Project(id=angelena.project_id)
    animal_id = factories.animal(shelter, "Juno", arrival_date=date(2026, 11, 22))
    page = app.test_client().get(f"/animals/{animal_id}-juno").text
    assert "waiting for 6 days" in words(page)
