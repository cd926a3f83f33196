"""A key that keeps sending requests after a 429 is banned for a while."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask.testing import FlaskClient

from adoption.accounts import plan_changes
from tests import cast
from tests.api.second_keys import second_key

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
WHOLE = int(NOW.timestamp())


@pytest.fixture
def shelter_without_quota(client: FlaskClient) -> cast.Shelter:
    """A shelter without quota for today, whose key got its first 429 a second before NOW."""
    shelter = cast.shelter(client)
    plan_changes.set_plan(shelter.slug, "enterprise", 5, 5)
    with time_machine.travel(NOW - timedelta(seconds=1), tick=False):
        assert [shelter.get("/v1/pets").status_code for _ in range(6)] == [200] * 5 + [429]
    return shelter


def codes(shelter: cast.Shelter, count: int) -> list[str]:
    return [shelter.get("/v1/pets").json["code"] for _ in range(count)]


def ban_key(shelter: cast.Shelter) -> int:
    """Send requests until the key is banned. Return the number of seconds of the ban."""
    assert codes(shelter, 10) == ["rate_limited"] * 10
    banned = shelter.get("/v1/pets")
    assert (banned.status_code, banned.json["code"]) == (429, "key_banned")
    return int(banned.headers["Retry-After"])


@time_machine.travel(NOW, tick=False)
def test_a_parallel_burst_is_not_banned(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    answers = [shelter.get("/v1/pets") for _ in range(75)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429] * 15
    assert {answer.json["code"] for answer in answers[60:]} == {"rate_limited"}


def test_requests_within_a_second_of_the_first_429_are_not_strikes(
    shelter_without_quota: cast.Shelter,
) -> None:
    other = second_key(shelter_without_quota)
    with time_machine.travel(NOW, tick=False) as clock:
        assert codes(other, 30) == ["rate_limited"] * 30
        clock.shift(timedelta(milliseconds=990))
        assert codes(other, 30) == ["rate_limited"] * 30
        clock.shift(timedelta(milliseconds=10))
        assert codes(other, 11) == ["rate_limited"] * 10 + ["key_banned"]


@time_machine.travel(NOW, tick=False)
def test_the_11th_strike_bans_for_5_minutes(shelter_without_quota: cast.Shelter) -> None:
    assert ban_key(shelter_without_quota) == 300


def test_a_ban_ends_at_its_retry_after(shelter_without_quota: cast.Shelter) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        ban_key(shelter_without_quota)
        plan_changes.set_plan(shelter_without_quota.slug, "enterprise", 100, 100)
        for seconds in (1, 100, 299):
            clock.move_to(NOW + timedelta(seconds=seconds))
            answer = shelter_without_quota.get("/v1/pets")
            assert answer.json["code"] == "key_banned"
            assert int(answer.headers["Retry-After"]) == 300 - seconds
        clock.move_to(NOW + timedelta(seconds=300))
        assert shelter_without_quota.get("/v1/pets").status_code == 200


def test_rejections_spread_over_more_than_60_seconds_never_ban(shelter_without_quota: cast.Shelter) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        for _ in range(40):
            assert codes(shelter_without_quota, 1) == ["rate_limited"]
            clock.shift(timedelta(seconds=6))


def test_rejections_are_counted_over_a_sliding_60_seconds(shelter_without_quota: cast.Shelter) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        assert codes(shelter_without_quota, 5) == ["rate_limited"] * 5
        clock.move_to(NOW + timedelta(seconds=40))
        assert codes(shelter_without_quota, 5) == ["rate_limited"] * 5
        clock.move_to(NOW + timedelta(seconds=60))
        assert codes(shelter_without_quota, 5) == ["rate_limited"] * 5
        assert codes(shelter_without_quota, 1) == ["key_banned"]


def test_each_further_ban_within_a_day_doubles_up_to_an_hour(shelter_without_quota: cast.Shelter) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        for seconds in (300, 600, 1_200, 2_400, 3_600, 3_600):
            assert ban_key(shelter_without_quota) == seconds
            clock.shift(timedelta(seconds=seconds))


def test_a_ban_after_a_day_without_one_is_5_minutes_again(shelter_without_quota: cast.Shelter) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        assert ban_key(shelter_without_quota) == 300
        clock.move_to(NOW + timedelta(hours=23))
        assert ban_key(shelter_without_quota) == 600
        clock.move_to(NOW + timedelta(hours=47))
        assert [shelter_without_quota.get("/v1/pets").status_code for _ in range(6)] == [200] * 5 + [429]
        clock.shift(timedelta(seconds=1))
        assert ban_key(shelter_without_quota) == 300


@time_machine.travel(NOW, tick=False)
def test_other_keys_of_a_banned_account_still_work(shelter_without_quota: cast.Shelter) -> None:
    other = second_key(shelter_without_quota)
    ban_key(shelter_without_quota)
    assert codes(other, 1) == ["rate_limited"]
    plan_changes.set_plan(shelter_without_quota.slug, "enterprise", 100, 100)
    assert other.get("/v1/pets").status_code == 200
    assert codes(shelter_without_quota, 1) == ["key_banned"]


@time_machine.travel(NOW, tick=False)
def test_each_key_has_its_own_strikes(shelter_without_quota: cast.Shelter) -> None:
    other = second_key(shelter_without_quota)
    assert codes(shelter_without_quota, 10) + codes(other, 10) == ["rate_limited"] * 20
    assert codes(shelter_without_quota, 1) == ["key_banned"]


def test_banned_requests_do_not_count_or_extend_the_ban(shelter_without_quota: cast.Shelter) -> None:
    plan_changes.set_plan(shelter_without_quota.slug, "enterprise", 5, 10)
    with time_machine.travel(NOW, tick=False) as clock:
        assert codes(shelter_without_quota, 1) == ["rate_limited"]  # now the minute's quota
        clock.move_to(NOW + timedelta(seconds=1))
        ban_key(shelter_without_quota)
        clock.move_to(NOW + timedelta(seconds=250))
        assert codes(shelter_without_quota, 30) == ["key_banned"] * 30
        clock.move_to(NOW + timedelta(seconds=301))
        # The minute is new, and the day has five requests left. Neither requests nor strikes were counted.
        assert [shelter_without_quota.get("/v1/pets").status_code for _ in range(5)] == [200] * 5
        assert codes(shelter_without_quota, 10) == ["rate_limited"] * 10


@time_machine.travel(NOW, tick=False)
def test_a_ban_is_checked_before_everything_else(shelter_without_quota: cast.Shelter) -> None:
    ban_key(shelter_without_quota)
    for method, path in [
        ("POST", "/v1/pets"),
        ("GET", "/v1/nothing"),
        ("DELETE", "/v1/pets"),
        ("GET", "/v1"),
    ]:
        assert shelter_without_quota.call(method, path).json["code"] == "key_banned"


@time_machine.travel(NOW, tick=False)
def test_rate_limit_headers_of_a_banned_key_show_its_windows(shelter_without_quota: cast.Shelter) -> None:
    ban_key(shelter_without_quota)
    headers = shelter_without_quota.get("/v1/pets").headers
    assert (headers["X-RateLimit-Limit"], headers["X-RateLimit-Remaining"]) == ("5", "0")
    assert int(headers["X-RateLimit-Reset"]) == WHOLE - 1 + 86_400
