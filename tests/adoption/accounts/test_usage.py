"""API usage per account and day."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError

from adoption.accounts import plan_changes
from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.usage import DayUsage, UsageTally, delete_old_usage, usage_by_day
from adoption.accounts.models import UsageDay
from adoption.storage.database import db, reading, transaction
from tests.cast import Shelter

NOW = datetime(2026, 11, 28, 23, 59, 50, tzinfo=UTC)
TODAY = NOW.date()


@pytest.fixture
def tally(app: APIFlask) -> UsageTally:
    """The application's tally, empty."""
    found: UsageTally = app.extensions["homeward.tally"]
    found.write()
    return found


def usage_on(account_id: int, on: date) -> DayUsage:
    with reading() as session:
        return usage_by_day(session, account_id, on)[-1]


def test_requests_rejections_and_errors_are_counted_separately(tally: UsageTally, shelter: Shelter) -> None:
    with time_machine.travel(NOW, tick=False):
        plan_changes.set_plan(shelter.slug, "enterprise", 4, 100)
        paths = ("/v1/pets", "/v1/pets?limit=0", "/v1/nowhere", "/v1/categories", "/v1/pets", "/v1/pets")
        assert [shelter.get(path).status_code for path in paths] == [200, 400, 404, 200, 429, 429]
        tally.write()
    assert usage_on(shelter.account_id, TODAY) == (TODAY, 6, 2, 2)


def test_a_request_without_a_valid_key_counts_for_no_account(tally: UsageTally, shelter: Shelter) -> None:
    shelter.client.get("/v1/pets")
    api_keys.revoke_key(shelter.key)
    assert shelter.get("/v1/pets").status_code == 401
    tally.write()
    with reading() as session:
        assert session.scalars(select(UsageDay)).all() == []


def test_keys_of_all_projects_count_for_their_account(
    tally: UsageTally, shelter: Shelter, neighbour: Shelter
) -> None:
    with time_machine.travel(NOW, tick=False):
        first = shelter.key
        shelter.get("/v1/pets")
        _, shelter.key = api_keys.create_key(shelter.slug)
        assert shelter.key != first
        shelter.get("/v1/pets")
        neighbour.get("/v1/pets")
        tally.write()
    assert usage_on(shelter.account_id, TODAY).requests == 2
    assert usage_on(neighbour.account_id, TODAY).requests == 1


def test_a_day_begins_at_midnight_utc(tally: UsageTally, shelter: Shelter) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        shelter.get("/v1/pets")
        clock.shift(timedelta(seconds=10))
        shelter.get("/v1/pets")
        tally.write()
    with reading() as session:
        days = usage_by_day(session, shelter.account_id, TODAY + timedelta(days=1))
    assert [day.requests for day in days] == [0] * 28 + [1, 1]
    assert days[0].day == date(2026, 10, 31)


def test_processes_and_threads_add_to_the_same_day(app: APIFlask, shelter: Shelter) -> None:
    tallies = [UsageTally(app, every=60) for _ in range(2)]

    def work(number: int) -> None:
        for _ in range(200):
            tallies[number % 2].count(shelter.account_id, 200, NOW.timestamp())
        tallies[number % 2].write()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    for each in tallies:
        each.write()
    assert usage_on(shelter.account_id, TODAY).requests == 800


@contextmanager
def failing_database() -> Iterator[None]:
    """Let every statement fail."""

    def refuse(*_: object) -> None:
        raise OperationalError("statement", {}, Exception("the database is away"))

    event.listen(db.engine, "before_cursor_execute", refuse)
    try:
        yield
    finally:
        event.remove(db.engine, "before_cursor_execute", refuse)


def test_usage_that_cannot_be_saved_is_saved_later(app: APIFlask, shelter: Shelter) -> None:
    tally = UsageTally(app, every=60)
    tally.count(shelter.account_id, 429, NOW.timestamp())
    with failing_database():
        tally.write()
        tally.count(shelter.account_id, 200, NOW.timestamp())
    tally.write()
    tally.write()
    assert usage_on(shelter.account_id, TODAY) == (TODAY, 2, 1, 0)


def test_usage_that_cannot_be_saved_at_the_end_is_reported_as_lost(
    app: APIFlask, shelter: Shelter, caplog: pytest.LogCaptureFixture
) -> None:
    tally = UsageTally(app, every=60)
    for _ in range(3):
        tally.count(shelter.account_id, 200, NOW.timestamp())
    with failing_database():
        tally.end()
    assert [each.message.split(":")[0] for each in caplog.records] == [
        "Usage of 3 requests could not be saved and is lost"
    ]
    tally.end()
    assert usage_on(shelter.account_id, TODAY).requests == 0


def test_usage_of_a_deleted_account_is_dropped(app: APIFlask, shelter: Shelter) -> None:
    tally = UsageTally(app, every=60)
    tally.count(shelter.account_id + 1, 200, NOW.timestamp())
    tally.count(shelter.account_id, 200, NOW.timestamp())
    tally.write()
    assert usage_on(shelter.account_id, TODAY).requests == 1
    assert tally.sums == {}


def test_usage_is_saved_automatically(app: APIFlask, shelter: Shelter) -> None:
    tally = UsageTally(app, every=0.01)
    tally.count(shelter.account_id, 200, NOW.timestamp())
    timer = tally.timer
    assert timer is not None
    timer.join(timeout=20)
    assert usage_on(shelter.account_id, TODAY).requests == 1


def test_usage_is_kept_for_one_year(app: APIFlask, shelter: Shelter) -> None:
    with transaction() as session:
        for days in (0, 366, 367, 900):
            row = UsageDay(account_id=shelter.account_id, day=TODAY - timedelta(days=days))
            session.add(row)
    assert delete_old_usage(NOW) == 2
    with reading() as session:
        assert len(session.scalars(select(UsageDay)).all()) == 2
