"""DNS-01 challenges: records are set by the hook, shown by all name servers, and removed."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import cast

import pytest
from apiflask import APIFlask
from sqlalchemy import update

from adoption.certificates.certificate_lookup import certificate_for, platform_certificate_for
from adoption.certificates.dns_challenges.hook import DnsHook, HookFailed
from adoption.certificates.dns_challenges.models import ChallengeRecord
from adoption.certificates.dns_challenges.txt_records import DnsChallenges
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.operator_alerts.causes import CAUSES, CHALLENGE_RECORD_UNSEEN, HOOK_FAILED
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import dns_server
from tests.adoption.certificates.conftest import Simulation, subjects, verified_domain
from tests.dns_server import SILENT, Zone
from tests.domains import authoritative_client
from tests.factories import NOW
from tests.mailbox import emails_to

pytestmark = pytest.mark.settings("embedded")

SOLVED = CAUSES[CHALLENGE_RECORD_UNSEEN].solved
PLATFORM, OPERATOR = "homeward.example", "operator@homeward.example"
NAME = f"_acme-challenge.{PLATFORM}"


@dataclass
class FakeHook:
    """A hook that sets records at the first of two name servers.

    The second server follows when the test says so.
    """

    zones: list[Zone]
    lags: bool = False
    failure: str = ""
    calls: list[str] = field(default_factory=list)
    machine: str = "web1"

    def set(self, name: str, value: str) -> None:
        self.change("set", name, value)

    def remove(self, name: str, value: str) -> None:
        self.change("remove", name, value)

    def change(self, verb: str, name: str, value: str) -> None:
        self.calls.append(f"{verb} {name}")
        if self.failure:
            raise HookFailed(self.failure)
        for zone in self.zones[:1] if self.lags else self.zones:
            rest = [each for each in zone.records.get((name, "TXT"), []) if each != value]
            zone.put(name, "TXT", *rest, *([value] if verb == "set" else []))


@pytest.fixture(scope="module")
def name_servers() -> Iterator[tuple[list[Zone], list[DnsServer]]]:
    zones = [Zone(), Zone()]
    with ExitStack() as running:
        yield zones, [running.enter_context(dns_server.serving(zone)) for zone in zones]


@pytest.fixture
def hook(
    simulation: Simulation,
    app: APIFlask,
    monkeypatch: pytest.MonkeyPatch,
    name_servers: tuple[list[Zone], list[DnsServer]],
) -> FakeHook:
    """An installation that orders its own certificate by DNS-01, with two name servers."""
    settings = app.config["HOMEWARD"].model_copy(
        update={"platform_host": PLATFORM, "operator_email": OPERATOR}
    )
    monkeypatch.setitem(app.config, "HOMEWARD", settings)
    zones, servers = name_servers
    for zone in zones:
        zone.records.clear()
        zone.faults.clear()
    made = FakeHook(zones)
    simulation.platform_host = PLATFORM
    simulation.dns = DnsChallenges(
        cast(DnsHook, made), f"_acme.{PLATFORM}", lambda: DnsClient(servers, seconds=1.0)
    )
    return made


def records() -> list[ChallengeRecord]:
    with reading() as session:
        return session.query(ChallengeRecord).all()


def names() -> str:
    kept = platform_certificate_for(PLATFORM, PLATFORM)
    return "" if kept is None else "issued"


def test_the_platforms_certificate_includes_a_wildcard_by_dns_01(
    simulation: Simulation, hook: FakeHook
) -> None:
    simulation.run()
    assert ("order", f"{PLATFORM} *.{PLATFORM}") in simulation.ca.requests
    for host, is_named in ((PLATFORM, True), (f"x.{PLATFORM}", True), (f"a.b.{PLATFORM}", False)):
        assert (platform_certificate_for(host, PLATFORM) is not None) == is_named
    assert hook.calls == [f"set {NAME}", f"remove {NAME}"]
    assert hook.zones[0].records[NAME, "TXT"] == []
    assert records() == []


def test_validation_begins_once_all_name_servers_show_the_record(
    simulation: Simulation, hook: FakeHook
) -> None:
    hook.lags = True
    simulation.run()
    assert simulation.ca.count("validate") == 0
    hook.zones[1].put(NAME, "TXT", *hook.zones[0].records[NAME, "TXT"])
    simulation.run(seconds=10)
    assert simulation.ca.count("validate") == 1
    assert names() == "issued"


def test_a_name_server_that_is_down_does_not_delay_validation(simulation: Simulation, hook: FakeHook) -> None:
    hook.zones[1].faults["*"] = SILENT
    simulation.run()
    assert names() == "issued"


def test_a_record_that_stays_unseen_alerts_the_operator(simulation: Simulation, hook: FakeHook) -> None:
    hook.lags = True
    simulation.run()
    simulation.run(minutes=10)
    assert simulation.ca.count("validate") == 0
    assert f"10 minutes after the hook set {NAME}, some DNS servers did not show it." in alert()
    assert hook.calls[:2] == [f"set {NAME}", f"remove {NAME}"]
    simulation.run(minutes=2)
    assert hook.calls[2:] == [f"set {NAME}"]
    assert SOLVED not in alert_subjects(), "the hook worked twice, and the record stays unseen"
    hook.lags = False
    hook.zones[1].put(NAME, "TXT", *hook.zones[0].records[NAME, "TXT"])
    simulation.run(minutes=1)
    assert names() == "issued"
    assert SOLVED in alert_subjects()


def test_a_hook_that_fails_alerts_the_operator_with_its_output(
    simulation: Simulation, hook: FakeHook
) -> None:
    hook.failure = "The hook ended with code 1 (set x y): no such zone"
    simulation.run()
    assert simulation.ca.count("validate") == 0
    assert "no such zone" in alert()
    hook.failure = ""
    simulation.run(minutes=2)
    assert names() == "issued"
    assert records() == []


def test_a_working_hook_at_one_machine_does_not_close_the_alert_of_another(
    simulation: Simulation, hook: FakeHook
) -> None:
    hook.failure = "no such zone"
    simulation.run()
    assert "At web1: no such zone" in alert()
    hook.failure, hook.machine = "", "web2"
    simulation.run(minutes=2)
    assert names() == "issued"
    assert CAUSES[HOOK_FAILED].solved not in alert_subjects()


def test_a_failed_removal_of_a_record_is_repeated(simulation: Simulation, hook: FakeHook) -> None:
    def validate(order: str, kind: str = "") -> None:
        simulation.ca.status[order] = "ready"
        hook.failure = "no"

    simulation.ca.begin_validation = validate  # type: ignore[method-assign]
    simulation.run()
    assert names() == "issued"
    [left] = records()
    assert left.removals == 1
    hook.failure = ""
    simulation.run(minutes=3)
    assert records() == []
    assert hook.zones[0].records[NAME, "TXT"] == []


def test_a_cname_at_the_challenge_name_delegates_the_record(simulation: Simulation, hook: FakeHook) -> None:
    for zone in hook.zones:
        zone.put(NAME, "CNAME", "platform.acme.example")
    simulation.run()
    assert hook.calls == ["set platform.acme.example", "remove platform.acme.example"]


def test_adding_a_hook_orders_the_wildcard_at_once(simulation: Simulation, hook: FakeHook) -> None:
    dns, simulation.dns = simulation.dns, None
    simulation.run()
    assert platform_certificate_for(f"x.{PLATFORM}", PLATFORM) is None
    simulation.dns = dns
    simulation.run(minutes=1)
    assert platform_certificate_for(f"x.{PLATFORM}", PLATFORM) is not None


def alert_subjects() -> list[str]:
    return [email.subject.partition(": ")[2] for email in emails_to(OPERATOR)]


def alert() -> str:
    return "\n".join(email.text for email in emails_to(OPERATOR) if "DNS hook" in email.subject)


def test_each_name_server_of_the_zone_is_asked(name_servers: tuple[list[Zone], list[DnsServer]]) -> None:
    [zone, _], [server, _] = name_servers
    zone.put("homeward.example", "NS", "ns.homeward.example")
    zone.put("ns.homeward.example", "A", "127.0.0.1")
    zone.put(NAME, "TXT", "a")
    answers = authoritative_client(server, server).ask_each_server(NAME, "TXT")
    assert [each.values for each in answers] == [("a",)]


HOST = "adopt.elm.example"


@pytest.fixture
def early(elm: Project, simulation: Simulation, hook: FakeHook) -> int:
    """The id of a domain that still leads to its old site, and whose owner has delegated the challenges."""
    simulation.platform_host = ""
    return verified_domain(
        elm, HOST, state="unverified", verified_host=None, challenge_ready=True, next_check_at=NOW
    )


def change(domain_id: int, **values: object) -> None:
    with transaction() as session:
        session.execute(update(Domain).where(Domain.id == domain_id).values(**values))


def test_a_delegated_domain_gets_its_certificate_before_the_switch(
    simulation: Simulation, early: int, hook: FakeHook
) -> None:
    simulation.run()
    assert simulation.status(early).state == "issued"
    assert certificate_for(HOST) is None
    label = hook.calls[0].partition(" ")[2]
    assert label.endswith(f"._acme.{PLATFORM}")
    assert hook.calls == [f"set {label}", f"remove {label}"]
    assert subjects() == [f"The certificate for {HOST} is ready"]
    change(early, state="verified", verified_host=HOST)
    assert certificate_for(HOST) is not None
    simulation.run()
    assert simulation.status(early).state == "live"
    assert subjects()[1:] == [f"{HOST} is live"]


NOT_ORDERED: dict[str, dict[str, object]] = {
    "not delegated any more": {"challenge_ready": False},
    "no longer checked": {"next_check_at": None},
    "CAA forbids it": {"caa_allows": False},
}


@pytest.mark.parametrize("why", NOT_ORDERED)
def test_no_certificate_is_ordered_for_an_unverified_domain(
    simulation: Simulation, early: int, why: str
) -> None:
    change(early, **NOT_ORDERED[why])
    simulation.run()
    assert simulation.ca.requests == []


def test_a_failing_hook_is_not_emailed_to_owners(simulation: Simulation, early: int, hook: FakeHook) -> None:
    hook.failure = "The hook ended with code 1: no such zone"
    simulation.run()
    status = simulation.status(early)
    assert (status.state, status.code) == ("failed", "hookFailed")
    assert "no such zone" not in (status.detail or "")
    assert subjects() == []
    assert "no such zone" in alert()


def test_challenge_methods_alternate_for_a_host_that_leads_here(
    simulation: Simulation, early: int, hook: FakeHook
) -> None:
    change(early, state="verified", verified_host=HOST)
    hook.failure = "no"
    simulation.run()
    assert simulation.status(early).code == "hookFailed"
    simulation.run(minutes=6)
    assert simulation.status(early).state == "live"
    assert certificate_for(HOST) is not None


def test_a_removed_domain_has_its_record_removed(simulation: Simulation, early: int, hook: FakeHook) -> None:
    hook.lags = True
    simulation.run()
    assert simulation.status(early).state == "validating"
    with transaction() as session:
        session.delete(session.get_one(Domain, early))
    simulation.run()
    assert [call.split()[0] for call in hook.calls] == ["set", "remove"]
    assert records() == []
