"""API quotas per plan, and the rate limit headers."""

import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.accounts import plan_changes
from adoption.accounts.plans import PLANS
from adoption.projects.request_hosts import Hosts
from adoption.request_context import RequestContexts
from api import interface_of
from tests import cast
from tests.api.conftest import client_of
from tests.api.second_keys import second_key, second_project

NOW = datetime(2026, 11, 28, 12, 0, 0, 250_000, tzinfo=UTC)
WHOLE = int(NOW.timestamp())


def custom(client: FlaskClient, per_minute: int, per_day: int) -> cast.Shelter:
    shelter = cast.shelter(client, "Custom")
    plan_changes.set_plan(shelter.slug, "enterprise", per_minute, per_day)
    return shelter


def window(answer: TestResponse) -> tuple[int, int, int]:
    """Return the limit, the remaining requests, and the seconds from NOW to the reset."""
    limit, remaining, reset = (
        int(answer.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")
    )
    return limit, remaining, reset - WHOLE


def statuses(shelter: cast.Shelter, count: int) -> Counter[int]:
    return Counter(shelter.get("/v1/pets").status_code for _ in range(count))


def test_the_quotas_of_plans_are_those_of_the_contract() -> None:
    published = {"free": (60, 1_000), "pro": (300, 10_000), "business": (1_000, 100_000)}
    assert {name: tuple(PLANS[name].quota) for name in published} == published


@pytest.mark.parametrize("plan", ["free", "pro"])
def test_a_plan_admits_exactly_its_quota_per_minute(client: FlaskClient, plan: str) -> None:
    shelter, quota = cast.shelter(client, plan=plan), PLANS[plan].quota
    with time_machine.travel(NOW, tick=False) as clock:
        assert statuses(shelter, quota.per_minute + 2) == {200: quota.per_minute, 429: 2}
        clock.move_to(NOW + timedelta(seconds=59))
        assert shelter.get("/v1/pets").status_code == 429
        clock.move_to(NOW + timedelta(seconds=60))
        assert shelter.get("/v1/pets").status_code == 200


@pytest.mark.settings("embedded")
def test_the_free_plan_admits_exactly_its_quota_per_day(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    admitted = 0
    with time_machine.travel(NOW, tick=False) as clock:
        for _ in range(17):
            admitted += statuses(shelter, 60)[200]
            clock.shift(timedelta(seconds=3600))
        assert admitted == 1_000
        clock.move_to(NOW + timedelta(hours=24, seconds=-1))
        assert shelter.get("/v1/pets").status_code == 429
        clock.move_to(NOW + timedelta(hours=24))
        assert statuses(shelter, 61) == {200: 60, 429: 1}


@time_machine.travel(NOW, tick=False)
def test_rate_limit_headers_count_down_the_minute(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    assert [window(shelter.get("/v1/pets")) for _ in range(3)] == [(60, 59, 60), (60, 58, 60), (60, 57, 60)]


def test_quota_windows_start_with_the_first_request(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    with time_machine.travel(NOW + timedelta(seconds=17), tick=False) as clock:
        assert window(shelter.get("/v1/pets")) == (60, 59, 77)
        clock.shift(timedelta(seconds=30))
        assert window(shelter.get("/v1/pets")) == (60, 58, 77)
        clock.shift(timedelta(seconds=30))
        assert window(shelter.get("/v1/pets")) == (60, 59, 137)


@time_machine.travel(NOW, tick=False)
def test_rate_limit_headers_show_the_window_with_the_fewest_left(client: FlaskClient) -> None:
    assert window(custom(client, 5, 100).get("/v1/pets")) == (5, 4, 60)
    assert window(custom(client, 100, 5).get("/v1/pets")) == (5, 4, 86_400)
    assert window(custom(client, 5, 5).get("/v1/pets")) == (5, 4, 60)


def test_rate_limit_headers_show_the_day_once_it_has_fewer_left(client: FlaskClient) -> None:
    shelter = custom(client, 3, 5)
    with time_machine.travel(NOW, tick=False) as clock:
        assert [window(shelter.get("/v1/pets"))[:2] for _ in range(3)] == [(3, 2), (3, 1), (3, 0)]
        clock.shift(timedelta(seconds=60))
        assert [window(shelter.get("/v1/pets")) for _ in range(2)] == [(5, 1, 86_400), (5, 0, 86_400)]


def refusal(shelter: cast.Shelter) -> tuple[int, int, int, int]:
    answer = shelter.get("/v1/pets")
    assert (answer.status_code, answer.json["code"]) == (429, "rate_limited")
    return *window(answer), int(answer.headers["Retry-After"])


def test_a_429_shows_the_window_that_is_full(client: FlaskClient) -> None:
    minute, day, both = custom(client, 1, 9), custom(client, 9, 1), custom(client, 1, 1)
    with time_machine.travel(NOW, tick=False) as clock:
        for shelter in (minute, day, both):
            assert shelter.get("/v1/pets").status_code == 200
        clock.shift(timedelta(seconds=20))
        assert refusal(minute) == (1, 0, 60, 40)
        assert refusal(day) == (1, 0, 86_400, 86_380)
        assert refusal(both) == (1, 0, 86_400, 86_380)


def test_a_429_uses_nothing_of_the_other_window(client: FlaskClient) -> None:
    shelter = custom(client, 2, 5)
    with time_machine.travel(NOW, tick=False) as clock:
        assert statuses(shelter, 8) == {200: 2, 429: 6}
        clock.shift(timedelta(seconds=60))
        assert statuses(shelter, 8) == {200: 2, 429: 6}
        clock.shift(timedelta(seconds=61))
        assert statuses(shelter, 3) == {200: 1, 429: 2}
        clock.shift(timedelta(seconds=61))
        # The day is full. The new minute is unused, and begins with the next admitted request.
        assert shelter.get("/v1/pets").status_code == 429
        plan_changes.set_plan(shelter.slug, "enterprise", 2, 100)
        assert [window(shelter.get("/v1/pets"))[1] for _ in range(2)] == [1, 0]


def test_retry_after_lasts_until_the_reset(client: FlaskClient) -> None:
    shelter = custom(client, 1, 1_000)
    for fraction in (0, 1, 250_000, 500_000, 999_999):
        moment = NOW.replace(microsecond=fraction) + timedelta(hours=1 + fraction % 7)
        with time_machine.travel(moment, tick=False) as clock:
            shelter.get("/v1/pets")
            clock.shift(timedelta(seconds=1.5))
            refused = shelter.get("/v1/pets")
            assert refused.status_code == 429
            reset, wait = int(refused.headers["X-RateLimit-Reset"]), int(refused.headers["Retry-After"])
            now = moment.timestamp() + 1.5
            assert now < reset <= now + wait
            clock.shift(timedelta(seconds=wait))
            assert shelter.get("/v1/pets").status_code == 200


@time_machine.travel(NOW, tick=False)
def test_keys_and_projects_of_an_account_share_its_quota(client: FlaskClient) -> None:
    shelter = custom(client, 6, 100)
    callers = [shelter, second_key(shelter), second_project(client, shelter)]
    left = [window(caller.get("/v1/pets"))[1] for caller in callers * 2]
    assert left == [5, 4, 3, 2, 1, 0]
    assert [caller.get("/v1/pets").status_code for caller in callers] == [429] * 3


@time_machine.travel(NOW, tick=False)
def test_accounts_share_no_quota(client: FlaskClient) -> None:
    first, second = custom(client, 1, 10), custom(client, 1, 10)
    assert [each.get("/v1/pets").status_code for each in (first, first, second)] == [200, 429, 200]


@time_machine.travel(NOW, tick=False)
def test_a_plan_change_applies_to_the_next_request(client: FlaskClient) -> None:
    shelter = cast.shelter(client, plan="free")
    assert statuses(shelter, 61) == {200: 60, 429: 1}
    plan_changes.set_plan(shelter.slug, "pro")
    assert window(shelter.get("/v1/pets")) == (300, 239, 60)
    plan_changes.set_plan(shelter.slug, "free")
    refused = shelter.get("/v1/pets")
    assert refused.status_code == 429
    assert window(refused) == (60, 0, 60)
    plan_changes.set_plan(shelter.slug, "enterprise", 62, 5_000)
    assert window(shelter.get("/v1/pets")) == (62, 0, 60)
    assert shelter.get("/v1/pets").status_code == 429


@time_machine.travel(NOW, tick=False)
def test_an_enterprise_account_has_its_own_quota(client: FlaskClient) -> None:
    shelter = custom(client, 7, 20)
    assert statuses(shelter, 9) == {200: 7, 429: 2}


WALK = [
    "/v1/pets",
    "/v1/pets?limit=0",
    "/v1/pets/0",
    "/v1/nothing",
    "/v1",
    "/v1/categories",
    "/v1/openapi.json",
]


@time_machine.travel(NOW, tick=False)
def test_every_request_under_v1_counts_once(client: FlaskClient) -> None:
    shelter = custom(client, 100, 1_000)
    left = [window(shelter.get(address))[1] for address in WALK]
    left += [window(shelter.call(method, "/v1/pets"))[1] for method in ("HEAD", "OPTIONS", "DELETE", "POST")]
    assert left == list(range(99, 99 - len(left), -1))


@time_machine.travel(NOW, tick=False)
def test_requests_outside_v1_do_not_count(client: FlaskClient) -> None:
    shelter = custom(client, 100, 1_000)
    for address in ("/", "/v10/pets", "//v1/pets", "/nothing"):
        assert "X-RateLimit-Limit" not in shelter.get(address).headers
    assert window(shelter.get("/v1/pets"))[1] == 99


def from_address(
    client: FlaskClient, address: str, forwarded: str = "", path: str = "/v1/pets"
) -> TestResponse:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return client.get(path, headers=headers, environ_overrides={"REMOTE_ADDR": address})


@time_machine.travel(NOW, tick=False)
def test_without_a_key_an_address_has_the_free_quota(client: FlaskClient) -> None:
    answers = [from_address(client, "203.0.113.7") for _ in range(62)]
    assert [answer.status_code for answer in answers] == [401] * 60 + [429] * 2
    assert [window(answer) for answer in answers[:2]] == [(60, 59, 60), (60, 58, 60)]
    assert answers[-1].json["code"] == "rate_limited"
    assert from_address(client, "203.0.113.8").status_code == 401


@time_machine.travel(NOW, tick=False)
def test_guessing_keys_is_rate_limited(client: FlaskClient, shelter: cast.Shelter) -> None:
    from adoption.accounts.api_access.key_format import generate_key

    for _ in range(60):
        guess = {"Authorization": f"Bearer {generate_key()[0]}"}
        assert client.get("/v1/pets", headers=guess).status_code == 401
    assert client.get("/v1/pets", headers=guess).status_code == 429
    # A valid key still works from the same address.
    assert shelter.get("/v1/pets").status_code == 200


@time_machine.travel(NOW, tick=False)
def test_an_address_is_never_banned(client: FlaskClient) -> None:
    codes = [from_address(client, "203.0.113.7").json["code"] for _ in range(90)]
    assert codes == ["invalid_api_key"] * 60 + ["rate_limited"] * 30


@time_machine.travel(NOW, tick=False)
def test_the_specification_without_a_key_counts_by_address(client: FlaskClient) -> None:
    answers = [from_address(client, "203.0.113.7", path="/v1/openapi.json") for _ in range(2)]
    assert [window(answer)[:2] for answer in answers] == [(60, 59), (60, 58)]
    assert window(from_address(client, "203.0.113.7"))[:2] == (60, 57)


def left(client: FlaskClient, address: str, forwarded: str = "") -> int:
    return window(from_address(client, address, forwarded))[1]


@time_machine.travel(NOW, tick=False)
def test_a_forwarded_address_of_an_untrusted_client_is_ignored(client: FlaskClient) -> None:
    assert [left(client, "203.0.113.7", f"198.51.100.{n}") for n in range(3)] == [59, 58, 57]


@time_machine.travel(NOW, tick=False)
def test_a_forwarded_address_of_a_trusted_proxy_is_used(
    app: APIFlask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    settings = app.config["HOMEWARD"].model_copy(update={"trusted_proxies": trusted})
    behind_proxies = RequestContexts(settings, Hosts(settings), interface_of)
    monkeypatch.setattr(app.extensions["homeward.contexts"], "client_address", behind_proxies.client_address)
    assert left(client, "10.0.0.1", "198.51.100.1") == 59
    assert left(client, "10.0.0.2", "198.51.100.1") == 58
    assert left(client, "fd00::1", "198.51.100.1") == 57
    assert left(client, "10.0.0.1", "198.51.100.2") == 59
    # The client's own values come before the proxies' values, and are ignored.
    assert left(client, "10.0.0.1", "1.2.3.4, 198.51.100.1") == 56
    assert left(client, "10.0.0.1", "1.2.3.4, 198.51.100.1, 10.9.9.9") == 55
    # Some proxies add the port.
    assert left(client, "10.0.0.1", "198.51.100.1:49152") == 54
    assert left(client, "10.0.0.1", "[2001:db8::1]:49152, 10.9.9.9:443") == 59
    assert left(client, "10.0.0.1", "2001:db8::1") == 58
    # Other people's proxies are not trusted.
    assert left(client, "203.0.113.9", "198.51.100.1") == 59
    # Invalid values leave the proxy's own address.
    assert left(client, "10.0.0.1", "unknown") == 59
    assert left(client, "10.0.0.1") == 58


@time_machine.travel(NOW, tick=False)
def test_an_ipv6_client_is_its_64_prefix(client: FlaskClient) -> None:
    assert left(client, "2001:db8:1:2::1") == 59
    assert left(client, "2001:db8:1:2:ffff:ffff:ffff:ffff") == 58
    assert left(client, "2001:db8:1:3::1") == 59
    assert left(client, "::ffff:203.0.113.50") == 59
    assert left(client, "203.0.113.50") == 58


def test_parallel_requests_get_exactly_the_quota(app: APIFlask, client: FlaskClient) -> None:
    shelter = custom(client, 1_000, 40)
    together, counted = threading.Barrier(8), Counter[int]()

    def ask() -> None:
        mine = replace(shelter, client=client_of(app))
        together.wait()
        counted.update(statuses(mine, 6))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted == {200: 40, 429: 8}
