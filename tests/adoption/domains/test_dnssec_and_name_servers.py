"""Correct records that resolvers refuse, or that only some name servers have."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from adoption.domains import dns_client, email_digests, verification
from adoption.domains.cname_target_and_dns_servers import DomainConfig, read_domain_config
from adoption.domains.dns_answers import FOUND, DnsAnswer, failed_answer
from adoption.domains.dns_checks import check_dns
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_records import WantedRecords
from adoption.domains.dns_report_json import load_report
from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.mail.models import OutgoingEmail
from adoption.projects.models import Project
from adoption.storage.database import reading
from tests import dns_server, domains, factories
from tests.dns_server import Zone, serving
from tests.factories import NOW

pytestmark = pytest.mark.settings("embedded")

HOST, TARGET = "adopt.example.org", domains.TARGET
MINUTE = timedelta(minutes=1)


@pytest.fixture
def authoritative_zone() -> Zone:
    """The records of the authoritative name server."""
    zone = Zone()
    zone.follows = False
    return zone


@pytest.fixture
def authority(authoritative_zone: Zone, zone: Zone) -> Iterator[DnsServer]:
    zone.put("example.org", "NS", "ns1.provider.example")
    zone.put("ns1.provider.example", "A", "127.0.0.1")
    with serving(authoritative_zone) as server:
        yield server


@pytest.fixture
def config(app: APIFlask, name_server: DnsServer, authority: DnsServer) -> DomainConfig:
    """The configuration of an installation that asks authoritative name servers."""
    known = read_domain_config(app.config["HOMEWARD"])
    return known._replace(
        new_client=lambda: domains.authoritative_client(name_server, authority), certificates=True
    )


def subjects() -> list[str]:
    with reading() as session:
        return list(session.scalars(select(OutgoingEmail.subject).order_by(OutgoingEmail.id)))


def check(domain: Domain, config: DomainConfig, now: datetime) -> verification.VerificationResult:
    """Check a domain and send the emails that are due."""
    outcome = verification.verify_domain(domain.project_id, domain.id, config, now=now)
    email_digests.send_news(now)
    return outcome


def test_broken_dnssec_is_a_warning_and_emailed_once(
    elm: Project, config: DomainConfig, zone: Zone, authoritative_zone: Zone
) -> None:
    authoritative_zone.put(HOST, "CNAME", TARGET)
    zone.put(HOST, "CNAME", TARGET)
    zone.faults[HOST] = dns_server.SERVFAIL
    domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    outcome = check(domain, config, NOW)
    assert outcome.domain.state == "verified"
    [warning] = outcome.report.warnings
    assert (warning.code, warning.hint) == (
        "dnssec_broken",
        "Ask your DNS provider to repair DNSSEC for example.org, or to turn it off. DNSSEC signs your "
        "records. Your record is there, but other DNS servers refuse it (SERVFAIL), so its signature is "
        "probably wrong. Many visitors cannot reach you, and no certificate can be issued until this is "
        "fixed.",
    )
    assert domains.stored_domain(domain.id).unresolved_since == NOW
    assert domains.stored_domain(domain.id).next_check_at == NOW + MINUTE, "it is checked frequently"
    for minutes in (10, 29, 31, 32):
        check(domain, config, NOW + minutes * MINUTE)
    assert subjects() == [f"Many visitors cannot reach {HOST}"], "once, and not for a short failure"
    zone.faults.clear()
    assert check(domain, config, NOW + 40 * MINUTE).report.warnings == ()
    assert domains.stored_domain(domain.id).unresolved_since is None


@pytest.fixture
def one_resolver(app: APIFlask, name_server: DnsServer) -> DomainConfig:
    """The configuration of an installation that sends all queries to one validating resolver."""
    return domains.domain_config(app, name_server)._replace(certificates=True)


def test_a_validating_resolver_reports_broken_dnssec(
    elm: Project, one_resolver: DomainConfig, zone: Zone
) -> None:
    zone.put(HOST, "CNAME", TARGET)
    domain = domains.add_domain(elm.id, HOST, one_resolver, now=NOW)
    check(domain, one_resolver, NOW)
    before = subjects()
    zone.bogus.add("example.org")
    outcome = check(domain, one_resolver, NOW + MINUTE)
    assert (outcome.domain.state, outcome.changed, outcome.looked_up) == ("verified", False, True)
    known = domains.stored_domain(domain.id)
    assert known.unresolved_since == NOW + MINUTE
    [record], [warning] = load_report(known.report).records, load_report(known.report).warnings
    assert (record.code, warning.code) == ("cname_ok", "dnssec_broken")
    assert (
        "Other DNS servers refuse your records (SERVFAIL), because their signature is wrong." in warning.why
    )
    for minutes in (20, 32, 60):
        check(domain, one_resolver, NOW + minutes * MINUTE)
    assert subjects()[len(before) :] == [f"Many visitors cannot reach {HOST}"]
    zone.bogus.clear()
    assert check(domain, one_resolver, NOW + 61 * MINUTE).is_repaired
    assert domains.stored_domain(domain.id).unresolved_since is None


def test_answers_with_broken_dnssec_prove_nothing(
    elm: Project, one_resolver: DomainConfig, zone: Zone
) -> None:
    oak = factories.project("Oak Lane", owner="owner@oak.example", plan="pro")
    verified = domains.add_verified_domain(elm.id, HOST, one_resolver, zone)
    rival = domains.add_domain(oak.id, HOST, one_resolver)
    zone.put(f"_homeward.{HOST}", "TXT", rival.token)
    zone.bogus.add("example.org")
    assert domains.verify(rival, one_resolver).domain.state == "unverified"
    assert domains.stored_domain(verified.id).verified_host == HOST
    fresh = domains.add_domain(elm.id, "new.example.org", one_resolver)
    domains.put_right_records(zone, fresh.host)
    assert domains.verify(fresh, one_resolver).domain.state == "unverified"
    zone.bogus.clear()
    assert domains.verify(rival, one_resolver).domain.state == "verified", (
        "the proof counts once it is signed"
    )


def test_other_server_failures_cause_no_dnssec_warning(
    elm: Project, one_resolver: DomainConfig, zone: Zone
) -> None:
    domains.put_right_records(zone, HOST)
    domain = domains.add_domain(elm.id, HOST, one_resolver, now=NOW)
    zone.faults["*"] = dns_server.SERVFAIL
    outcome = check(domain, one_resolver, NOW)
    assert (outcome.looked_up, outcome.report.warnings) == (False, ())


def test_a_refused_query_causes_no_dnssec_warning(
    elm: Project, config: DomainConfig, zone: Zone, authoritative_zone: Zone
) -> None:
    authoritative_zone.put(HOST, "CNAME", TARGET)
    zone.faults[HOST] = dns_server.REFUSED
    domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    outcome = check(domain, config, NOW)
    assert (outcome.domain.state, outcome.report.warnings) == ("verified", ())


def test_a_week_of_silent_name_servers_is_emailed_once(
    elm: Project, config: DomainConfig, zone: Zone, authoritative_zone: Zone
) -> None:
    authoritative_zone.put(HOST, "CNAME", TARGET)
    zone.put(HOST, "CNAME", TARGET)
    domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    check(domain, config, NOW)
    before = subjects()
    authoritative_zone.faults["*"] = dns_server.REFUSED
    for hours in (1, 24, 24 * 7, 24 * 7 + 2, 24 * 9):
        outcome = check(domain, config, NOW + timedelta(hours=hours))
        assert (outcome.domain.state, outcome.looked_up) == ("verified", False), "it is never taken offline"
    assert subjects()[len(before) :] == [f"The DNS servers of {HOST} do not answer"]
    authoritative_zone.faults.clear()
    check(domain, config, NOW + timedelta(days=10))
    assert domains.stored_domain(domain.id).unanswered_since is None


def test_an_expired_registration_is_reported_at_once(
    elm: Project, config: DomainConfig, zone: Zone, authoritative_zone: Zone
) -> None:
    authoritative_zone.put(HOST, "CNAME", TARGET)
    domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    assert check(domain, config, NOW).domain.state == "verified"
    zone.unregistered = {"example.org"}
    outcome = check(domain, config, NOW + timedelta(days=1))
    assert (outcome.domain.state, outcome.report.records[0].code) == ("attention", "unregistered")
    assert domains.stored_domain(domain.id).verified_host == HOST, "visitors who reach it still see the site"


@pytest.mark.parametrize("host", [HOST, "example.org"])
def test_name_servers_with_old_records_are_named(
    zone: Zone, authoritative_zone: Zone, name_server: DnsServer, authority: DnsServer, host: str
) -> None:
    zone.put("example.org", "NS", "ns1.provider.example", "ns2.provider.example")
    zone.put("ns2.provider.example", "A", "127.0.0.2")
    zone.put("sites.platform.example", "A", "203.0.113.9")
    kind, new, old = ("CNAME", "sites.platform.example", "old.example.com")
    if host == "example.org":
        kind, new, old = "A", "203.0.113.9", "198.51.100.7"
    authoritative_zone.put(host, kind, new)
    with serving(stale := Zone(), beside=authority):
        stale.put(host, kind, old)
        client = domains.authoritative_client(name_server, authority)
        report = check_dns(WantedRecords(host, "sites.platform.example"), client)
    assert report.ok
    [warning] = report.warnings
    assert (warning.code, warning.found) == ("name_servers_differ", (f"ns2.provider.example: {old}",))
    assert warning.hint == (
        "Your provider has not copied your change to all its DNS servers yet: ns2.provider.example still has "
        "the old record, ns1.provider.example has the new record. Some visitors get the old record until the "
        "change is copied, usually for a few minutes. If it takes more than a day, ask your DNS provider."
    )


def test_a_fourth_name_server_is_asked_after_three_silent_servers(
    zone: Zone, authoritative_zone: Zone, name_server: DnsServer, authority: DnsServer
) -> None:
    authoritative_zone.put(HOST, "CNAME", "sites.platform.example")
    names = [f"ns{number}.provider.example" for number in (1, 2, 3, 4)]
    zone.put("example.org", "NS", *names)
    for name, address in zip(names, ("127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1"), strict=True):
        zone.put(name, "A", address)
    answer = domains.authoritative_client(name_server, authority).ask_zone(HOST, "CNAME")
    assert answer.values == ("sites.platform.example",)


def test_silent_name_servers_leave_time_for_the_others_and_are_asked_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, asked = 0.0, []

    def exchange(
        _question: object, server: DnsServer, left: Callable[[], float], name: str, kind: str
    ) -> DnsAnswer:
        nonlocal now
        asked.append(server.address)
        if server.address == "d":
            return DnsAnswer(FOUND, ("x",))
        now += left()
        return failed_answer("silence")

    monkeypatch.setattr(dns_client, "exchange", exchange)
    client = DnsClient([DnsServer(each) for each in "abcd"], clock=lambda: now, seconds=3.0)
    assert client.ask_zone(HOST, "A").values == ("x",)
    assert now < 3.0
    assert client.ask_zone(HOST, "AAAA").values == ("x",)
    assert asked == ["a", "b", "c", "d", "d"]
