"""The CNAME record that delegates challenges, for certificates before DNS is switched."""

from datetime import timedelta

import pytest
from apiflask import APIFlask
from sqlalchemy import update

from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.early_certificates import challenge_target
from adoption.domains.models import Domain
from adoption.domains.visited_host_checks import check_visited
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import domains, factories
from tests.dns_server import SERVFAIL, Zone
from tests.domains import stored_domain
from tests.factories import NOW

pytestmark = pytest.mark.settings("embedded")

HOST, ZONE = "adopt.move1.org", "_acme.homeward.example"
RECORD = f"_acme-challenge.{HOST}"


@pytest.fixture
def early(config: DomainConfig) -> DomainConfig:
    """The configuration of an installation that answers DNS-01 challenges."""
    return config._replace(challenge_zone=ZONE, certificates=True)


@pytest.fixture
def claim(elm: Project, early: DomainConfig, zone: Zone) -> Domain:
    """The claim of a host that still leads to its old site."""
    zone.put(HOST, "A", "198.51.100.7")
    return domains.add_domain(elm.id, HOST, early)


def test_only_a_cname_to_the_claims_own_label_delegates_challenges(
    claim: Domain, early: DomainConfig, zone: Zone
) -> None:
    right, other = challenge_target(claim, ZONE), f"{'0' * 20}.{ZONE}"
    assert len(right.partition(".")[0]) == 20
    for value, is_ready in (("", False), (other, False), (f"{right}.", True), ("", False)):
        zone.put(RECORD, "CNAME", *filter(None, [value]))
        domains.verify(claim, early)
        found = stored_domain(claim.id)
        assert (found.challenge_found, found.challenge_ready) == (value.rstrip("."), is_ready)
        assert (found.state, found.verified_host) == ("unverified", None)


def test_a_failed_lookup_keeps_the_delegation(claim: Domain, early: DomainConfig, zone: Zone) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    domains.verify(claim, early)
    zone.faults[RECORD] = SERVFAIL
    domains.verify(claim, early)
    assert stored_domain(claim.id).challenge_ready


def test_without_a_dns_hook_no_challenge_is_delegated(
    claim: Domain, config: DomainConfig, early: DomainConfig, zone: Zone
) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    domains.verify(claim, early)
    assert stored_domain(claim.id).challenge_ready
    zone.asked.clear()
    domains.verify(claim, config)
    assert not stored_domain(claim.id).challenge_ready
    assert (RECORD, "CNAME") not in zone.asked


def test_a_host_in_another_accounts_zone_also_needs_the_txt_record(
    app: APIFlask, claim: Domain, early: DomainConfig, zone: Zone
) -> None:
    fen = factories.project("Fenland", plan="pro", owner="owner@fen.example")
    domains.add_verified_row(fen.id, "www.move1.org")
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    domains.verify(claim, early)
    assert not stored_domain(claim.id).challenge_ready
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    domains.verify(claim, early)
    assert stored_domain(claim.id).challenge_ready


def test_a_verified_domain_keeps_the_delegation_for_renewals(
    claim: Domain, early: DomainConfig, zone: Zone
) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    zone.put(HOST, "A")
    domains.put_right_records(zone, HOST)
    outcome = domains.verify(claim, early)
    assert (outcome.domain.state, outcome.domain.challenge_ready) == ("verified", True)


def test_a_visit_starts_a_check_only_before_the_dns_switch(claim: Domain) -> None:
    waiting = {"challenge_ready": True, "next_check_at": None}
    for changes in ({"challenge_ready": False}, {"verified_host": HOST}):
        change(claim, **waiting | changes)
        check_visited(HOST, NOW)
        assert stored_domain(claim.id).next_check_at is None
    change(claim, **waiting, verified_host=None)
    check_visited("other.example", NOW)
    assert stored_domain(claim.id).next_check_at is None
    check_visited(HOST, NOW)
    assert stored_domain(claim.id).next_check_at == NOW


def test_visits_start_at_most_one_check_in_ten_seconds(
    claim: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr("adoption.storage.queue.start_job", started.append)
    change(claim, challenge_ready=True)
    for seconds in (0, 1, 9, 10, 19, 20):
        # As during a check, or after a failed check. Neither of them sets checked_at.
        change(claim, next_check_at=NOW + timedelta(minutes=5), checked_at=None)
        check_visited(HOST, NOW + timedelta(seconds=seconds))
    assert started == ["check_domains"] * 3


def change(claim: Domain, **values: object) -> None:
    with transaction() as session:
        session.execute(update(Domain).where(Domain.id == claim.id).values(**values))


def test_caa_has_to_allow_the_challenge_method(claim: Domain, early: DomainConfig, zone: Zone) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    for method, allows in (("dns-01", True), ("http-01", False)):
        zone.put(HOST, "CAA", f'0 issue "letsencrypt.org; validationmethods={method}"')
        domains.verify(claim, early)
        domains.verify(claim, early)  # the first check found the delegation
        assert stored_domain(claim.id).caa_allows == allows
    zone.put(HOST, "A")
    domains.put_right_records(zone, HOST)
    domains.verify(claim, early)
    domains.verify(claim, early)
    assert stored_domain(claim.id).caa_allows  # orders of a host that leads here can use both methods
