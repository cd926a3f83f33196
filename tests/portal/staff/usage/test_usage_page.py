"""Usage and plan: quota windows, the chart of 30 days, and plan requests."""

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.api_access.usage import DayUsage
from adoption.accounts.models import Account, UsageDay
from adoption.accounts.plan_changes import set_plan
from adoption.errors import Unavailable
from adoption.storage.database import reading, transaction
from portal.staff.usage.charts import chart_of
from tests.cast import Colleague
from tests.mailbox import emails_to


@pytest.fixture
def key(owner: Colleague) -> str:
    return create_key(owner.slug)[1]


def ask(who: Colleague, key: str, times: int = 1) -> int:
    headers = {"Authorization": f"Bearer {key}"}
    return [who.client.get("/v1/pets", headers=headers).status_code for _ in range(times)][-1]


def use(account_id: int, days_ago: int, requests: int, refusals: int = 0, errors: int = 0) -> None:
    day = datetime.now(UTC).date() - timedelta(days=days_ago)
    row = UsageDay(account_id=account_id, day=day, requests=requests, refusals=refusals, errors=errors)
    with transaction() as session:
        session.add(row)


def meters(page: str) -> list[str]:
    return re.findall(r'aria-valuetext="([^"]+ requests[^"]*)"', page)


def account_of(who: Colleague) -> Account:
    with reading() as session:
        return session.get_one(Account, who.account_id)


def test_both_quota_windows_are_shown_without_using_quota(owner: Colleague, key: str) -> None:
    assert meters(owner.get("usage").text) == ["0 of 60 requests", "0 of 1,000 requests"]
    assert "Starts with your next request" in owner.get("usage").text
    ask(owner, key, 3)
    for _ in range(2):
        page = owner.get("usage").text
        assert meters(page) == ["3 of 60 requests", "3 of 1,000 requests"]
    assert re.search(r"Starts again in \d+ seconds.*Starts again in 24 hours", page, re.DOTALL)


def test_only_the_quota_windows_are_polled_every_30_seconds(owner: Colleague, key: str) -> None:
    assert re.search('hx-get="[^"]+/usage/windows" hx-trigger="every 30s"', owner.get("usage").text)
    ask(owner, key)
    part = owner.get("usage/windows").text
    assert "<html" not in part
    assert meters(part) == ["1 of 60 requests", "1 of 1,000 requests"]


def test_a_quota_window_that_has_ended_is_empty(owner: Colleague, key: str) -> None:
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=1), tick=False) as clock:
        ask(owner, key, 2)
        clock.shift(timedelta(seconds=60))
        assert meters(owner.get("usage").text) == ["0 of 60 requests", "2 of 1,000 requests"]


def test_a_quota_window_over_80_per_cent_says_so(owner: Colleague, key: str) -> None:
    set_plan(owner.slug, "enterprise", 5, 100)
    ask(owner, key, 4)
    page = owner.get("usage").text
    assert "4 of 5 requests, nearly full" in page
    assert 'fill="url(#hatch-minute)"' in page
    ask(owner, key)
    page = owner.get("usage").text
    assert "5 of 5 requests, used up" in page
    assert "Until then, requests get the error 429" in page


def test_a_downgrade_shows_at_most_a_full_quota_window(owner: Colleague, key: str) -> None:
    ask(owner, key, 5)
    set_plan(owner.slug, "enterprise", 2, 3)
    assert re.search('aria-valuemax="2" aria-valuenow="2" aria-valuetext="5 of 2', owner.get("usage").text)


def test_without_the_quota_store_the_usage_page_still_works(
    app: APIFlask, owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        def windows_of(self, *_: object) -> None:
            raise Unavailable("away")

        bans_of = windows_of

    monkeypatch.setitem(app.extensions, "homeward.quotas", Away())
    answer = owner.get("usage")
    assert answer.status_code == 200
    assert "Usage is temporarily unavailable" in answer.text
    assert owner.get("keys").status_code == 200


def test_the_table_of_usage_has_30_days(owner: Colleague, outsider: Colleague) -> None:
    use(owner.account_id, 0, 1_200, 30, 4)
    use(owner.account_id, 29, 5)
    use(owner.account_id, 30, 7_777)
    use(outsider.account_id, 1, 8_888)
    page = owner.get("usage").text
    rows = re.findall(r'<tr><th scope="row">([^<]+)</th>(.*?)</tr>', page)
    numbers = [re.findall(r">([\d,]+)</td>", cells) for _, cells in rows]
    assert len(rows) == 30
    assert (numbers[0], numbers[1], numbers[29]) == (["1,200", "30", "4"], ["0", "0", "0"], ["5", "0", "0"])
    [summary] = re.findall(r'id="chart-summary"[^>]*>([^<]+)', page)
    assert summary.startswith("1,205 requests in 30 days, most on ")
    assert "30 were over the quota, and were refused with 429" in summary
    assert "4 were answered with another error" in summary
    assert "7,777" not in page
    assert "8,888" not in page


@pytest.mark.settings("embedded")
def test_the_chart_agrees_with_the_meters_before_the_counts_are_written(owner: Colleague, key: str) -> None:
    ask(owner, key, 1)
    [summary] = re.findall(r'id="chart-summary"[^>]*>([^<]+)', owner.get("usage").text)
    assert re.match(r"1 request in 30 days, on \d+\s\w+\. None was refused or failed\.", summary)
    ask(owner, key, 2)
    [summary] = re.findall(r'id="chart-summary"[^>]*>([^<]+)', owner.get("usage").text)
    assert summary.startswith("3 requests in 30 days, all on ")


def test_requests_of_a_key_appear_soon(app: APIFlask, owner: Colleague, key: str) -> None:
    ask(owner, key, 2)
    app.extensions["homeward.tally"].write()  # as the timer does every two seconds
    assert "2 requests in 30 days" in owner.get("usage").text


def test_a_chart_without_requests_has_a_next_step(owner: Colleague) -> None:
    assert "Requests with your API keys are counted here" in owner.get("usage").text


def chart_days(*requests: tuple[int, int, int]) -> list[DayUsage]:
    first = date(2026, 11, 1)
    return [DayUsage(first + timedelta(days=number), *each) for number, each in enumerate(requests)]


def test_bars_have_the_height_of_their_parts() -> None:
    chart = chart_of(chart_days((100, 20, 30), (0, 0, 0), (5, 0, 0)), limit=1_000_000)
    assert [line.label for line in chart.grid] == ["0", "20", "40", "60", "80", "100"]
    assert [part.kind for part in chart.parts] == ["answered", "errors", "refused", "answered"]
    heights = [float(part.height) for part in chart.parts]
    assert heights == pytest.approx([92, 55.2, 36.8, 9.2], abs=0.06)
    assert float(chart.parts[2].y) == pytest.approx(16, abs=0.2)
    assert chart.limit is None


@pytest.mark.parametrize("busiest", [0, 1, 3, 7, 399, 400, 1_000, 6_000, 43_900, 99_999, 1_234_567])
def test_the_chart_fits_its_frame_and_shows_a_limit_near_its_bars(busiest: int) -> None:
    chart = chart_of(chart_days((busiest, 0, 0), (0, 0, 0)), limit=1_000)
    tops = [float(part.y) for part in chart.parts] + [float(line.y) for line in chart.grid]
    assert min(tops) >= 15.9
    assert len(chart.grid) <= 7
    assert (chart.limit is not None) == (400 <= busiest <= 6_000)
    assert chart.limit is None or 16 <= float(chart.limit.y) < 200


def test_an_owner_requests_a_plan_change(app: APIFlask, owner: Colleague) -> None:
    assert owner.post("usage/request", {"plan": "pro"}).status_code == 303
    page = owner.get("usage").text
    assert "You asked for Pro on" in page
    assert "We email the owners of <bdi>Elm Road Rescue</bdi> when the plan changes" in page
    assert "Request Pro" not in page
    assert account_of(owner).plan == "free"
    homeward = app.test_cli_runner()
    listed = homeward.invoke(args=["account", "requests"]).stdout.split("\t")
    assert listed[:4] == [owner.slug, "Elm Road Rescue", "free", "pro"]
    assert homeward.invoke(args=["account", "set-plan", owner.slug, "pro"]).exit_code == 0
    page = owner.get("usage").text
    assert "You are on <strong>Pro</strong>: 300 requests a minute" in page
    assert "You asked for" not in page
    none = homeward.invoke(args=["account", "requests", "--json"])
    assert json.loads(none.stdout) == []


@pytest.mark.settings("embedded")
def test_a_plan_request_and_its_answer_are_emailed(
    app: APIFlask, owner: Colleague, teammate: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner.post("/account/name", {"name": "Ann Carter"})
    owner.post("usage/request", {"plan": "business"})
    assert emails_to("operator@homeward.example") == [], "there is no email address to send it to"
    reachable = app.config["HOMEWARD"].model_copy(update={"operator_email": "operator@homeward.example"})
    monkeypatch.setitem(app.config, "HOMEWARD", reachable)
    owner.post("usage/request", {"plan": "pro"})
    owner.post("usage/request", {"plan": "pro"})
    [asked] = emails_to("operator@homeward.example")
    assert asked.subject == "Elm Road Rescue asks for the Pro plan"
    assert "Ann Carter asked for the Pro plan" in asked.text
    assert f"homeward account set-plan {owner.slug} pro" in asked.text
    assert asked.reply_to == owner.email
    homeward = app.test_cli_runner()
    for _ in range(2):
        homeward.invoke(args=["account", "set-plan", owner.slug, "pro"])
    [granted] = emails_to(owner.email)
    assert granted.subject == "Elm Road Rescue is now on the Pro plan"
    assert "300 requests a minute and 10,000 a day" in " ".join(granted.text.split())
    assert emails_to(teammate.email) == []


def test_a_plan_request_can_be_changed_and_withdrawn(owner: Colleague) -> None:
    owner.post("usage/request", {"plan": "pro"})
    owner.post("usage/request", {"plan": "business"})
    assert account_of(owner).requested_plan == "business"
    owner.post("usage/request/withdrawal")
    owner.post("usage/request/withdrawal")
    assert (account_of(owner).requested_plan, account_of(owner).requested_at) == (None, None)


@pytest.mark.parametrize("plan", ["free", "gold", ""])
def test_only_another_existing_plan_can_be_requested(owner: Colleague, plan: str) -> None:
    owner.post("usage/request", {"plan": plan})
    assert "Choose one of the plans" in owner.get("usage").text
    assert account_of(owner).requested_plan is None


def test_enterprise_shows_the_quota_that_was_agreed(owner: Colleague) -> None:
    assert "as agreed with you" in owner.get("usage").text
    set_plan(owner.slug, "enterprise", 4_321, 765_432)
    page = owner.get("usage").text
    assert "4,321 requests a minute" in page
    assert "765,432 requests a day" in page
    assert "as agreed with you" not in page


def test_a_teammate_sees_usage_but_cannot_request_a_plan(owner: Colleague, teammate: Colleague) -> None:
    page = teammate.get("usage").text
    assert "API requests right now" in page
    assert "Request Pro" not in page
    assert teammate.post("usage/request", {"plan": "pro"}).status_code == 403
    assert teammate.post("usage/request/withdrawal").status_code == 403


@pytest.mark.settings("embedded")
def test_the_scrolling_table_is_focusable_and_has_a_label(owner: Colleague) -> None:
    page = owner.get("usage").text
    assert '<div class="number-table" tabindex="0" role="region" aria-label="Requests a day">' in page
