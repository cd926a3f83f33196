"""DNS-01: records that the hook sets, that all name servers have to show, and that are removed in the end."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import cast

import pytest
from apiflask import APIFlask
from sqlalchemy import update

from adoption.alerts.causes import CAUSES, CHALLENGE_RECORD_UNSEEN, HOOK_FAILED
from adoption.certificates.dns_challenges.hook import DnsHook, HookFailed
from adoption.certificates.dns_challenges.models import ChallengeRecord
from adoption.certificates.dns_challenges.records import DnsChallenges
from adoption.certificates.lookup import certificate_for, platform_certificate_for
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import dns_server
from tests.adoption.certificates.conftest import World, subjects, verified
from tests.dns_server import SILENT, Zone
from tests.domains import in_charge
from tests.factories import NOW
from tests.mailbox import letters_to

pytestmark = pytest.mark.settings("embedded")

SOLVED = CAUSES[CHALLENGE_RECORD_UNSEEN].solved
PLATFORM, OPERATOR = "homeward.example", "operator@homeward.example"
NAME = f"_acme-challenge.{PLATFORM}"


@dataclass
class FakeHook:
    """Sets records in the first of two name servers; the second follows when the test says so."""

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
    world: World,
    app: APIFlask,
    monkeypatch: pytest.MonkeyPatch,
    name_servers: tuple[list[Zone], list[DnsServer]],
) -> FakeHook:
    """An installation that orders its own certificate by DNS-01, with two name servers."""
    known = app.config["HOMEWARD"].model_copy(update={"platform_host": PLATFORM, "operator_email": OPERATOR})
    monkeypatch.setitem(app.config, "HOMEWARD", known)
    zones, servers = name_servers
    for zone in zones:
        zone.records.clear()
        zone.faults.clear()
    made = FakeHook(zones)
    world.platform_host = PLATFORM
    world.dns = DnsChallenges(
        cast(DnsHook, made), f"_acme.{PLATFORM}", lambda: DnsClient(servers, seconds=1.0)
    )
    return made


def records() -> list[ChallengeRecord]:
    with reading() as session:
        return session.query(ChallengeRecord).all()


def names() -> str:
    kept = platform_certificate_for(PLATFORM, PLATFORM)
    return "" if kept is None else "issued"


def test_the_platforms_certificate_has_every_host_below_it_by_dns_01(world: World, hook: FakeHook) -> None:
    world.round()
    assert ("order", f"{PLATFORM} *.{PLATFORM}") in world.ca.asked
    for host, is_named in ((PLATFORM, True), (f"x.{PLATFORM}", True), (f"a.b.{PLATFORM}", False)):
        assert (platform_certificate_for(host, PLATFORM) is not None) == is_named
    assert hook.calls == [f"set {NAME}", f"remove {NAME}"]
    assert hook.zones[0].records[NAME, "TXT"] == []
    assert records() == []


def test_the_authority_is_told_once_all_name_servers_show_the_record(world: World, hook: FakeHook) -> None:
    hook.lags = True
    world.round()
    assert world.ca.count("validate") == 0
    hook.zones[1].put(NAME, "TXT", *hook.zones[0].records[NAME, "TXT"])
    world.round(seconds=10)
    assert world.ca.count("validate") == 1
    assert names() == "issued"


def test_a_name_server_that_is_down_holds_nothing_up(world: World, hook: FakeHook) -> None:
    hook.zones[1].faults["*"] = SILENT
    world.round()
    assert names() == "issued"


def test_a_record_that_stays_unseen_alerts_the_operator(world: World, hook: FakeHook) -> None:
    hook.lags = True
    world.round()
    world.round(minutes=10)
    assert world.ca.count("validate") == 0
    assert f"Not all DNS servers showed {NAME} 10 minutes after the hook set it." in alert()
    assert hook.calls[:2] == [f"set {NAME}", f"remove {NAME}"]
    world.round(minutes=2)
    assert hook.calls[2:] == [f"set {NAME}"]
    assert SOLVED not in alert_subjects(), "the hook worked twice, and the record stays unseen"
    hook.lags = False
    hook.zones[1].put(NAME, "TXT", *hook.zones[0].records[NAME, "TXT"])
    world.round(minutes=1)
    assert names() == "issued"
    assert SOLVED in alert_subjects()


def test_a_hook_that_fails_alerts_the_operator_with_its_output(world: World, hook: FakeHook) -> None:
    hook.failure = "The hook ended with code 1 (set x y): no such zone"
    world.round()
    assert world.ca.count("validate") == 0
    assert "no such zone" in alert()
    hook.failure = ""
    world.round(minutes=2)
    assert names() == "issued"
    assert records() == []


def test_a_hook_that_works_at_one_machine_solves_no_alert_of_another(world: World, hook: FakeHook) -> None:
    hook.failure = "no such zone"
    world.round()
    assert "At web1: no such zone" in alert()
    hook.failure, hook.machine = "", "web2"
    world.round(minutes=2)
    assert names() == "issued"
    assert CAUSES[HOOK_FAILED].solved not in alert_subjects()


def test_a_removal_that_fails_is_repeated(world: World, hook: FakeHook) -> None:
    def validate(order: str, kind: str = "") -> None:
        world.ca.status[order] = "ready"
        hook.failure = "no"

    world.ca.begin_validation = validate  # type: ignore[method-assign]
    world.round()
    assert names() == "issued"
    [left] = records()
    assert left.removals == 1
    hook.failure = ""
    world.round(minutes=3)
    assert records() == []
    assert hook.zones[0].records[NAME, "TXT"] == []


def test_an_alias_at_the_usual_name_says_where_the_record_goes(world: World, hook: FakeHook) -> None:
    for zone in hook.zones:
        zone.put(NAME, "CNAME", "platform.acme.example")
    world.round()
    assert hook.calls == ["set platform.acme.example", "remove platform.acme.example"]


def test_a_hook_that_is_added_later_brings_the_wildcard_at_once(world: World, hook: FakeHook) -> None:
    dns, world.dns = world.dns, None
    world.round()
    assert platform_certificate_for(f"x.{PLATFORM}", PLATFORM) is None
    world.dns = dns
    world.round(minutes=1)
    assert platform_certificate_for(f"x.{PLATFORM}", PLATFORM) is not None


def alert_subjects() -> list[str]:
    return [letter.subject.partition(": ")[2] for letter in letters_to(OPERATOR)]


def alert() -> str:
    return "\n".join(letter.text for letter in letters_to(OPERATOR) if "DNS hook" in letter.subject)


def test_each_server_of_the_zone_is_asked(name_servers: tuple[list[Zone], list[DnsServer]]) -> None:
    [zone, _], [server, _] = name_servers
    zone.put("homeward.example", "NS", "ns.homeward.example")
    zone.put("ns.homeward.example", "A", "127.0.0.1")
    zone.put(NAME, "TXT", "a")
    answers = in_charge(server, server).ask_each_server(NAME, "TXT")
    assert [each.values for each in answers] == [("a",)]


HOST = "adopt.elm.example"


@pytest.fixture
def early(elm: Project, world: World, hook: FakeHook) -> int:
    """A domain of an old site, whose owner has delegated its challenges, by its id."""
    world.platform_host = ""
    return verified(
        elm, HOST, state="unverified", verified_host=None, challenge_ready=True, next_check_at=NOW
    )


def change(domain_id: int, **values: object) -> None:
    with transaction() as session:
        session.execute(update(Domain).where(Domain.id == domain_id).values(**values))


def test_a_delegated_domain_gets_its_certificate_before_the_switch(
    world: World, early: int, hook: FakeHook
) -> None:
    world.round()
    assert world.standing(early).state == "issued"
    assert certificate_for(HOST) is None
    label = hook.calls[0].partition(" ")[2]
    assert label.endswith(f"._acme.{PLATFORM}")
    assert hook.calls == [f"set {label}", f"remove {label}"]
    assert subjects() == [f"The certificate for {HOST} is ready"]
    change(early, state="verified", verified_host=HOST)
    assert certificate_for(HOST) is not None
    world.round()
    assert world.standing(early).state == "live"
    assert subjects()[1:] == [f"{HOST} is live"]


NOT_ORDERED: dict[str, dict[str, object]] = {
    "not delegated any more": {"challenge_ready": False},
    "no longer checked": {"next_check_at": None},
    "CAA forbids it": {"caa_allows": False},
}


@pytest.mark.parametrize("why", NOT_ORDERED)
def test_nothing_is_ordered_for_an_unverified_domain(world: World, early: int, why: str) -> None:
    change(early, **NOT_ORDERED[why])
    world.round()
    assert world.ca.asked == []


def test_a_failing_hook_is_not_the_owners_matter(world: World, early: int, hook: FakeHook) -> None:
    hook.failure = "The hook ended with code 1: no such zone"
    world.round()
    standing = world.standing(early)
    assert (standing.state, standing.code) == ("failed", "hookFailed")
    assert "no such zone" not in (standing.detail or "")
    assert subjects() == []
    assert "no such zone" in alert()


def test_a_host_that_leads_here_is_tried_by_each_challenge_in_turn(
    world: World, early: int, hook: FakeHook
) -> None:
    change(early, state="verified", verified_host=HOST)
    hook.failure = "no"
    world.round()
    assert world.standing(early).code == "hookFailed"
    world.round(minutes=6)
    assert world.standing(early).state == "live"
    assert certificate_for(HOST) is not None


def test_a_removed_domain_has_its_record_removed(world: World, early: int, hook: FakeHook) -> None:
    hook.lags = True
    world.round()
    assert world.standing(early).state == "validating"
    with transaction() as session:
        session.delete(session.get_one(Domain, early))
    world.round()
    assert [call.split()[0] for call in hook.calls] == ["set", "remove"]
    assert records() == []
