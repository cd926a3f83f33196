"""Rate and concurrency limits of manual DNS checks."""

from contextlib import ExitStack

import pytest
from apiflask import APIFlask

from adoption.domains import dns_check_limits
from adoption.domains.dns_transport import DnsServer
from adoption.jobs import check_domains
from tests import domains
from tests.cast import Colleague
from tests.dns_server import Zone

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.example.org"
HTMX = {"HX-Request": "true", "HX-Target": "domain-list"}


@pytest.fixture
def pro(
    app: APIFlask, owner: Colleague, name_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> Colleague:
    found = app.config["HOMEWARD"].model_copy(update={"dns_servers": (tuple(name_server),)})
    monkeypatch.setitem(app.config, "HOMEWARD", found)
    return domains.upgrade_to_pro(owner)


@pytest.fixture
def domain_id(pro: Colleague) -> int:
    return domains.add_verified_row(pro.project_id, HOST, state="unverified", verified_host=None)


def test_dns_checks_are_rate_limited_per_account(pro: Colleague, zone: Zone, domain_id: int) -> None:
    # The number is twice the limit plus one, because a minute may end during the test.
    answers = [
        pro.post(f"domains/{domain_id}/verification")
        for _ in range(2 * dns_check_limits.ACCOUNT_THROTTLE.most + 1)
    ]
    assert {answer.status_code for answer in answers} == {303}
    assert zone.asked.count((HOST, "CNAME")) <= 2 * dns_check_limits.ACCOUNT_THROTTLE.most
    assert "Wait a minute, then try again" in pro.get("domains").text


@pytest.mark.parametrize("busy", ["others", "the account itself"])
def test_a_dns_check_without_a_free_slot_runs_in_the_background(
    app: APIFlask, pro: Colleague, zone: Zone, domain_id: int, busy: str
) -> None:
    accounts = [pro.account_id] if busy == "the account itself" else [-1, -2]
    with ExitStack() as under_way:
        for account in accounts:
            under_way.enter_context(dns_check_limits.reserve_check(account))
        answer = pro.post(f"domains/{domain_id}/verification", headers=HTMX)
    assert answer.headers["HX-Redirect"].endswith("/domains")
    assert zone.asked == []
    assert f"Other checks are under way. We check {HOST} within a minute." in pro.get("domains").text
    domains.put_right_records(zone, HOST)
    check_domains()
    assert domains.stored_domain(domain_id).state == "verified"
    pro.post(f"domains/{domain_id}/verification")
    assert zone.asked.count((HOST, "A")) > 1, "the slot is free again"
