"""Rate limits of costly pages, and the values of rate-limited forms."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import time_machine
from apiflask import APIFlask
from flask import Flask

from portal import page_rate_limits
from portal.page_rate_limits import LIMITS
from tests.cast import Colleague
from tests.portal.conftest import Install

pytestmark = pytest.mark.settings("embedded")

VALUES = {"address": "1", "animal_id": 1, "application_id": 1, "import_id": 1, "name": "name", "part": "1"}


@pytest.fixture
def strict(owner: Colleague, installation: Install, monkeypatch: pytest.MonkeyPatch) -> Iterator[Colleague]:
    """An owner in an installation whose limits are two requests. The clock is stopped."""
    monkeypatch.setattr(page_rate_limits, "LIMITS", dict.fromkeys(LIMITS, "2 per minute"))
    monkeypatch.setattr(page_rate_limits, "SEARCHES", replace(page_rate_limits.SEARCHES, most=2))
    client, cookie = installation(), owner.client.get_cookie("homeward")
    assert cookie
    client.set_cookie("homeward", cookie.value)
    with time_machine.travel(datetime.now(UTC), tick=False):
        yield replace(owner, client=client)


def path_of(app: Flask, endpoint: str, slug: str) -> tuple[str, bool]:
    """Return a path that leads to an endpoint, and whether the request is a POST."""
    [rule] = app.url_map.iter_rules(endpoint)
    values = {name: value for name, value in {**VALUES, "slug": slug}.items() if name in rule.arguments}
    return app.url_map.bind("localhost").build(endpoint, values), "POST" in (rule.methods or ())


def test_costly_pages_are_rate_limited_per_ip_address(strict: Colleague) -> None:
    for endpoint in LIMITS:
        path, is_post = path_of(strict.client.application, endpoint, strict.slug)
        send = strict.post if is_post else strict.get
        answers = [send(path) for _ in range(3)]
        assert [answer.status_code == 429 for answer in answers] == [False, False, True], endpoint
        assert int(answers[2].headers["Retry-After"]) in (60, 61), endpoint
        assert "Try again in a minute." in answers[2].text, endpoint
        assert send(path, environ_base={"REMOTE_ADDR": "192.0.2.9"}).status_code != 429, endpoint


def test_requests_to_views_without_a_limit_do_not_run_flask_limiter(app: APIFlask) -> None:
    hooks = [
        *app.before_request_funcs[None],
        *app.after_request_funcs[None],
        *app.teardown_request_funcs[None],
    ]
    modules = {getattr(getattr(hook, "func", hook), "__module__", "") for hook in hooks}
    assert not [module for module in modules if module.startswith("flask_limiter")]


def test_searches_are_rate_limited_and_other_catalogue_pages_are_not(strict: Colleague) -> None:
    answers = [strict.get("/?q=rex&species=dogs") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 'value="rex"' in answers[2].text
    assert 'href="/?q=rex&amp;species=dogs">Try again</a>' in answers[2].text
    assert [strict.get("/?species=cats").status_code for _ in range(3)] == [200, 200, 200]


def test_a_rate_limited_form_keeps_its_values(strict: Colleague) -> None:
    form = {"columns": "Typed with care", "shown_on": strict.at("imports")}
    answers = [strict.post("imports/1/columns", dict(form)) for _ in range(3)]
    assert answers[2].status_code == 429
    assert "Typed with care" in answers[2].text
    assert "Not saved yet" in answers[2].text, "the page of the form costs more than the request did"
    assert "Try again in a minute." in answers[2].text


def test_ipv6_addresses_of_one_network_share_a_rate_limit(strict: Colleague) -> None:
    addresses = [f"2001:db8:1:2::{number}" for number in (1, 2, 3)]
    answers = [strict.get("/feed.atom", environ_base={"REMOTE_ADDR": each}) for each in addresses]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_without_the_quota_store_pages_are_limited_in_memory(
    app: APIFlask, installation: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_rate_limits, "SEARCHES", replace(page_rate_limits.SEARCHES, most=2))
    client = installation(quota_url="sqlite:////proc/none.sqlite3")
    with time_machine.travel(datetime.now(UTC), tick=False):
        assert [client.get("/?q=rex").status_code for _ in range(3)] == [200, 200, 429]
