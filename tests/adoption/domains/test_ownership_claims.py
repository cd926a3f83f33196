"""Proof of ownership by a TXT record, for hosts in zones that another account uses or claims."""

from datetime import timedelta

import pytest
from apiflask import APIFlask
from flask_migrate import downgrade, upgrade
from sqlalchemy import select, text, update

from adoption.domains import removals, verification
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.models import Domain, Tombstone
from adoption.domains.ownership_claims import within_zones_clause
from adoption.mail.models import OutgoingEmail
from adoption.projects.models import Project
from adoption.storage.database import db, reading, transaction
from tests import dns_server, domains, factories
from tests.dns_server import Zone

HOST = "adopt.take7.org"
DAY = timedelta(days=1)


@pytest.fixture
def fen(app: APIFlask) -> Project:
    """A project of another account."""
    return factories.project("Fenland", plan="pro", owner="owner@fen.example")


def codes(claim: Domain, config: DomainConfig) -> list[str]:
    return [record.code for record in domains.verify(claim, config).report.records]


NAMES = {
    "the same": (HOST, HOST),
    "a sibling": (HOST, "login.take7.org"),
    "the parent": (HOST, "take7.org"),
    "a child": ("take7.org", "www.take7.org"),
    "a grandchild": ("take7.org", "deep.www.take7.org"),
}


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("history", ["has", "had", "claimed earlier"])
@pytest.mark.parametrize("names", NAMES)
def test_a_host_in_another_accounts_zone_needs_txt_proof(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone, history: str, names: str
) -> None:
    theirs, mine = NAMES[names]
    if history == "claimed earlier":
        domains.add_domain(elm.id, theirs, config)
    else:
        held = domains.add_verified_domain(elm.id, theirs, config, zone)
        if history == "had":
            removals.remove_domain(elm.id, held.id)
    domains.put_right_records(zone, mine)
    claim = domains.add_domain(fen.id, mine, config)
    assert codes(claim, config) == ["cname_ok", "txt_missing"]
    zone.put(f"_homeward.{mine}", "TXT", claim.token)
    assert domains.verify(claim, config).domain.state == "verified"


@pytest.mark.settings("embedded")
def test_a_host_in_the_accounts_own_zone_needs_no_proof(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    for host in ("take7.org", "adopt.nottake7.org", "a.github.io"):
        domains.add_verified_domain(elm.id, host, config, zone)
    for host in ("take7.org.example", "xtake7.org", "b.github.io"):
        assert domains.add_verified_domain(fen.id, host, config, zone).state == "verified"
    assert domains.add_verified_domain(elm.id, "www.take7.org", config, zone).state == "verified"


def test_the_earlier_claim_has_precedence_for_seven_days(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    first, second = domains.add_domain(elm.id, HOST, config), domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    assert codes(second, config) == ["cname_ok", "txt_missing"]
    later = first.created_at + 7 * DAY - timedelta(minutes=1)
    assert not verification.verify_domain(fen.id, second.id, config, now=later).report.ok
    assert verification.verify_domain(fen.id, second.id, config, now=later + timedelta(minutes=2)).report.ok


@pytest.mark.settings("embedded")
def test_the_earlier_claim_needs_no_proof(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    first = domains.add_domain(elm.id, HOST, config)
    domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    assert domains.verify(first, config).domain.state == "verified"


@pytest.mark.settings("embedded")
def test_owners_of_an_earlier_claim_are_emailed_once(
    elm: Project, fen: Project, config: DomainConfig
) -> None:
    first = domains.add_domain(elm.id, HOST, config)
    for _ in range(2):
        removals.remove_domain(fen.id, domains.add_domain(fen.id, HOST, config).id)
    domains.add_domain(fen.id, "login.take7.org", config)
    with reading() as session:
        [written] = session.scalars(select(OutgoingEmail)).all()
    assert (written.recipient, written.subject) == ("owner@example.org", f"Someone else added {HOST}")
    until = first.created_at + 7 * DAY
    assert f"Your claim comes first until {until.day} {until:%B %Y}" in " ".join(written.text.split())


@pytest.mark.settings("embedded")
def test_owners_of_a_claim_that_no_longer_comes_first_are_not_emailed(
    elm: Project, fen: Project, config: DomainConfig
) -> None:
    first = domains.add_domain(elm.id, HOST, config)
    domains.add_domain(fen.id, HOST, config, now=first.created_at + 7 * DAY)
    with reading() as session:
        assert session.scalars(select(OutgoingEmail)).all() == []


WILD = ["login.take7.org", "deep.www.take7.org", HOST]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("host", WILD)
def test_a_host_from_a_wildcard_record_needs_proof(
    elm: Project, config: DomainConfig, zone: Zone, host: str
) -> None:
    zone.put("*.take7.org", "CNAME", domains.TARGET)
    claim = domains.add_domain(elm.id, host, config)
    asked = domains.verify(claim, config)
    assert [record.code for record in asked.report.records] == ["cname_ok", "txt_missing"]
    name = host.removesuffix(".take7.org")
    own = f"a CNAME record with the name {name} and the value {domains.TARGET}"
    text = f"a TXT record with the name _homeward.{name} and the expected value."
    assert asked.report.records[-1].fix == f"Add {own}, and {text}"
    zone.put(f"_homeward.{host}", "TXT", claim.token)
    assert codes(claim, config)[0] == "missing", (
        "a wildcard does not answer for a name that has a name below it"
    )
    domains.put_right_records(zone, host)
    assert domains.verify(claim, config).domain.state == "verified"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("covers", ["every name below", "one label"])
def test_a_record_equal_to_the_wildcard_counts_only_if_it_is_distinguishable(
    fen: Project, config: DomainConfig, zone: Zone, covers: str
) -> None:
    zone.put("*.wild.org", "CNAME", domains.TARGET)
    domains.put_right_records(zone, "shelter.wild.org")
    if covers == "one label":
        zone.deep_wildcards = False
        zone.records.pop(("shelter.wild.org", "CNAME"))
    claim = domains.add_domain(fen.id, "shelter.wild.org", config)
    expected = ["cname_ok"] if covers == "every name below" else ["cname_ok", "txt_missing"]
    assert codes(claim, config) == expected


def test_a_failed_wildcard_lookup_changes_nothing(elm: Project, config: DomainConfig, zone: Zone) -> None:
    domains.put_right_records(zone, HOST)
    zone.fault_elsewhere = dns_server.SERVFAIL
    outcome = domains.verify(domains.add_domain(elm.id, HOST, config), config)
    assert (outcome.looked_up, outcome.domain.state) == (False, "unverified")


@pytest.mark.settings("embedded")
def test_a_wildcard_to_another_target_needs_no_proof(elm: Project, config: DomainConfig, zone: Zone) -> None:
    zone.put("*.take7.org", "CNAME", "old.example.com")
    assert domains.add_verified_domain(elm.id, HOST, config, zone).state == "verified"


@pytest.mark.parametrize("table", [Domain, Tombstone])
def test_hosts_of_a_registrable_domain_are_found_by_an_index(
    app: APIFlask, table: type[Domain] | type[Tombstone]
) -> None:
    found = select(table.host).where(within_zones_clause(table, ["take7.org", "oak.example"]))
    sql = found.compile(db.engine, compile_kwargs={"literal_binds": True}).string
    with db.engine.connect() as connection:
        explain = "EXPLAIN QUERY PLAN "
        if db.engine.dialect.name == "postgresql":
            explain = "EXPLAIN "
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        plan = " ".join(str(row) for row in connection.exec_driver_sql(explain + sql))
    assert plan.count(f"ix_{table.__tablename__}_labels") == 3, plan
    assert "SCAN domain" not in plan
    assert "Seq Scan" not in plan


def test_migrated_rows_without_labels_need_proof_too(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    for host in (HOST, "adopt.other.org"):
        removals.remove_domain(elm.id, domains.add_verified_domain(elm.id, host, config, zone).id)
    domains.add_verified_domain(elm.id, HOST, config, zone)
    downgrade(revision="0040")
    upgrade()
    with transaction() as session:
        assert session.scalar(select(Domain.labels)) == "org.take7.adopt."
        assert session.scalar(select(Tombstone.labels).order_by(Tombstone.host)) == "org.other.adopt."
        # During an update, the previous release still runs and inserts rows without labels.
        session.execute(update(Tombstone).where(Tombstone.host == "adopt.other.org").values(labels=""))
    for host in ("login.take7.org", "login.other.org"):
        zone.put(host, "CNAME", domains.TARGET)
        mine = domains.add_domain(fen.id, host, config)
        assert codes(mine, config) == ["cname_ok", "txt_missing"]
