"""The CNAME record by which a domain's certificate may be ordered before DNS is switched."""

from datetime import timedelta

import pytest
from apiflask import APIFlask
from sqlalchemy import update

from adoption.domains import claims
from adoption.domains.config import DomainConfig
from adoption.domains.early_certificates import challenge_target, check_visited
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import domains, factories
from tests.dns_server import SERVFAIL, Zone
from tests.domains import kept
from tests.factories import NOW

pytestmark = pytest.mark.settings("embedded")

HOST, ZONE = "adopt.move1.org", "_acme.homeward.example"
RECORD = f"_acme-challenge.{HOST}"


@pytest.fixture
def early(terms: DomainConfig) -> DomainConfig:
    """An installation that answers challenges in a zone of its own."""
    return terms._replace(challenge_zone=ZONE, certificates=True)


@pytest.fixture
def claim(elm: Project, early: DomainConfig, zone: Zone) -> Domain:
    """A host that still leads to its old site."""
    zone.put(HOST, "A", "198.51.100.7")
    return claims.add_domain(elm.id, HOST, early)


def test_the_record_has_to_lead_to_this_claims_own_name(
    claim: Domain, early: DomainConfig, zone: Zone
) -> None:
    right, other = challenge_target(claim, ZONE), f"{'0' * 20}.{ZONE}"
    assert len(right.partition(".")[0]) == 20
    for value, is_ready in (("", False), (other, False), (f"{right}.", True), ("", False)):
        zone.put(RECORD, "CNAME", *filter(None, [value]))
        domains.verify(claim, early)
        found = kept(claim.id)
        assert (found.challenge_found, found.challenge_ready) == (value.rstrip("."), is_ready)
        assert (found.state, found.verified_host) == ("unverified", None)


def test_a_look_that_fails_changes_nothing(claim: Domain, early: DomainConfig, zone: Zone) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    domains.verify(claim, early)
    zone.faults[RECORD] = SERVFAIL
    domains.verify(claim, early)
    assert kept(claim.id).challenge_ready


def test_without_a_hook_nothing_is_ready(
    claim: Domain, terms: DomainConfig, early: DomainConfig, zone: Zone
) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    domains.verify(claim, early)
    assert kept(claim.id).challenge_ready
    zone.asked.clear()
    domains.verify(claim, terms)
    assert not kept(claim.id).challenge_ready
    assert (RECORD, "CNAME") not in zone.asked


def test_a_name_of_another_account_needs_the_txt_record_as_well(
    app: APIFlask, claim: Domain, early: DomainConfig, zone: Zone
) -> None:
    fen = factories.project("Fenland", plan="pro", owner="owner@fen.example")
    domains.row(fen.id, "www.move1.org")
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    domains.verify(claim, early)
    assert not kept(claim.id).challenge_ready
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    domains.verify(claim, early)
    assert kept(claim.id).challenge_ready


def test_a_verified_domain_keeps_it_for_renewals(claim: Domain, early: DomainConfig, zone: Zone) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    zone.put(HOST, "A")
    domains.right(zone, HOST)
    outcome = domains.verify(claim, early)
    assert (outcome.domain.state, outcome.domain.challenge_ready) == ("verified", True)


def test_visitors_have_only_hosts_checked_that_wait_for_the_switch(claim: Domain) -> None:
    waiting = {"challenge_ready": True, "next_check_at": None}
    for changes in ({"challenge_ready": False}, {"verified_host": HOST}):
        change(claim, **waiting | changes)
        check_visited(HOST, NOW)
        assert kept(claim.id).next_check_at is None
    change(claim, **waiting, verified_host=None)
    check_visited("other.example", NOW)
    assert kept(claim.id).next_check_at is None
    check_visited(HOST, NOW)
    assert kept(claim.id).next_check_at == NOW


def test_visitors_have_dns_checked_every_ten_seconds_at_most(
    claim: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr("adoption.storage.queue.start", started.append)
    change(claim, challenge_ready=True)
    for seconds in (0, 1, 9, 10, 19, 20):
        # As while a check is under way, or after one that found nothing out: neither sets checked_at.
        change(claim, next_check_at=NOW + timedelta(minutes=5), checked_at=None)
        check_visited(HOST, NOW + timedelta(seconds=seconds))
    assert started == ["check_domains"] * 3


def change(claim: Domain, **values: object) -> None:
    with transaction() as session:
        session.execute(update(Domain).where(Domain.id == claim.id).values(**values))


def test_caa_has_to_allow_the_challenge_that_is_used(claim: Domain, early: DomainConfig, zone: Zone) -> None:
    zone.put(RECORD, "CNAME", challenge_target(claim, ZONE))
    for method, allows in (("dns-01", True), ("http-01", False)):
        zone.put(HOST, "CAA", f'0 issue "letsencrypt.org; validationmethods={method}"')
        domains.verify(claim, early)
        domains.verify(claim, early)  # by the record that the first one found
        assert kept(claim.id).caa_allows == allows
    zone.put(HOST, "A")
    domains.right(zone, HOST)
    domains.verify(claim, early)
    domains.verify(claim, early)
    assert kept(claim.id).caa_allows  # orders of a host that leads here may use both
