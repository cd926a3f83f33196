"""The states of a domain. Answers from DNS change the state. Failed lookups never change it."""

from datetime import UTC, datetime, timedelta

import pytest
from apiflask import APIFlask
from sqlalchemy import select, update

from adoption.accounts.plan_changes import set_plan
from adoption.audit.actors import Actor
from adoption.audit.models import AuditEntry
from adoption.domains import additions, email_digests, primary_domain, redirects, removals, verification
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.dns_check_outcomes import CheckContext
from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.domains.queries import domains_of, redirects_of
from adoption.domains.site_lookup import find_site_by_host
from adoption.errors import Conflict, Invalid, NotFound, PlanRequired
from adoption.mail.models import OutgoingEmail
from adoption.projects.models import Project
from adoption.projects.publication import unpublish_site
from adoption.storage.database import reading, transaction
from adoption.storage.queue import queue_of
from tests import dns_server, domains, factories
from tests.dns_server import Zone
from tests.factories import NOW

HOST = "adopt.example.org"
DAY = timedelta(days=1)


def emails_sent() -> list[tuple[str, str]]:
    with reading() as session:
        rows = session.execute(
            select(OutgoingEmail.recipient, OutgoingEmail.subject).order_by(OutgoingEmail.id)
        )
        return [(row[0], row[1]) for row in rows]


def log(project: Project) -> list[str]:
    asked = select(AuditEntry.action).where(AuditEntry.project_id == project.id).order_by(AuditEntry.id)
    with reading() as session:
        return [action for action in session.scalars(asked) if action.startswith("domain")]


def test_a_domain_is_verified_with_a_right_record(elm: Project, config: DomainConfig, zone: Zone) -> None:
    added = domains.add_domain(elm.id, f"https://{HOST.upper()}/", config)
    assert (added.host, added.state) == (HOST, "unverified")
    early = domains.verify(added, config)
    assert (early.changed, early.looked_up, early.report.ok) == (False, True, False)
    domains.put_right_records(zone, HOST)
    outcome = domains.verify(added, config)
    assert (outcome.changed, outcome.domain.state) == (True, "verified")
    assert domains.verify(added, config).changed is False
    assert emails_sent() == [("owner@example.org", f"{HOST} leads to your site now")]
    assert log(elm) == ["domain.added", "domain.verified"]


def test_a_verified_domain_that_leads_elsewhere_needs_attention_and_is_still_served(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    zone.put(HOST, "CNAME", "old.example.com")
    assert domains.verify(domain, config).domain.state == "attention"
    assert domains.stored_domain(domain.id).verified_host == HOST
    email_digests.send_news(datetime.now(UTC))
    assert emails_sent()[-1] == ("owner@example.org", f"{HOST} no longer leads to your site")
    assert domains.verify(domain, config).changed is False
    domains.put_right_records(zone, HOST)
    assert domains.verify(domain, config).domain.state == "verified"
    assert log(elm)[1:] == ["domain.verified", "domain.moved", "domain.verified"]


def test_owners_are_emailed_once_when_caa_blocks_the_certificate(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    certified = config._replace(certificates=True)
    domain = domains.add_verified_domain(elm.id, HOST, certified, zone)
    zone.put(HOST, "CAA", '0 issue "other.example"')
    before = emails_sent()
    for _ in range(2):
        assert domains.verify(domain, certified).domain.state == "verified"
        email_digests.send_news(datetime.now(UTC))
    assert [subject for _, subject in emails_sent()[len(before) :]] == [
        f"A CAA record blocks the certificate for {HOST}"
    ]
    zone.put(HOST, "CAA")
    domains.verify(domain, certified)
    assert domains.stored_domain(domain.id).caa_allows


def test_no_email_about_caa_is_sent_for_a_domain_that_leads_elsewhere(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    certified = config._replace(certificates=True)
    domain = domains.add_verified_domain(elm.id, HOST, certified, zone)
    zone.put(HOST, "CNAME")
    zone.put(HOST, "A", "198.51.100.7")
    assert domains.verify(domain, certified).domain.state == "attention"
    email_digests.send_news(datetime.now(UTC))
    before = emails_sent()
    zone.put(HOST, "CAA", '0 issue "other.example"')
    assert domains.verify(domain, certified).domain.caa_allows is False
    email_digests.send_news(datetime.now(UTC) + DAY)
    assert emails_sent() == before


def test_no_email_about_caa_is_sent_if_this_server_orders_no_certificates(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    before = emails_sent()
    zone.put(HOST, "CAA", '0 issue "other.example"')
    domains.verify(domain, config)
    assert emails_sent() == before


def test_verify_starts_the_order_job_at_once(
    app: APIFlask, elm: Project, config: DomainConfig, zone: Zone
) -> None:
    def started(pressed: bool) -> bool:
        huey = queue_of(app).huey
        huey.flush()
        verification.verify_domain(elm.id, domain.id, config, pressed=pressed)
        return "order_certificates" in {task.name for task in huey.pending()}

    domain = domains.add_domain(elm.id, HOST, config)
    assert not started(pressed=True), "the domain is not verified yet"
    domains.put_right_records(zone, HOST)
    assert started(pressed=False)
    assert not started(pressed=False), "nothing has changed, and no one requested it"
    assert started(pressed=True)


@pytest.mark.parametrize("before", ["unverified", "verified", "attention"])
@pytest.mark.parametrize("fault", [dns_server.SERVFAIL, dns_server.SILENT])
def test_a_failed_lookup_changes_no_state(
    app: APIFlask, elm: Project, server: DnsServer, zone: Zone, before: str, fault: str
) -> None:
    patient, config = domains.domain_config(app, server), domains.domain_config(app, server, seconds=0.3)
    domain = domains.add_domain(elm.id, HOST, config)
    if before != "unverified":
        domains.put_right_records(zone, HOST)
        domains.verify(domain, patient)
    zone.put(HOST, "CNAME", *([] if before == "verified" else ["old.example.com"]))
    if before == "attention":
        domains.verify(domain, patient)
    was, emails_before = domains.stored_domain(domain.id), emails_sent()
    zone.faults["*"] = fault
    outcome = domains.verify(domain, config)
    now = domains.stored_domain(domain.id)
    assert (outcome.looked_up, outcome.changed, outcome.report.ok) == (False, False, None)
    assert (now.state, now.report, now.verified_host) == (was.state, was.report, was.verified_host)
    assert now.state == before
    assert now.unanswered_at is not None
    assert emails_sent() == emails_before


def test_a_plan_without_domains_is_refused_with_the_plan_that_has_them(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    set_plan(elm.slug, "free")
    with pytest.raises(PlanRequired, match="needs the Pro plan"):
        domains.add_domain(elm.id, "other.example.org", config)
    with pytest.raises(PlanRequired):
        domains.verify(domain, config)


def test_an_unpublished_site_is_refused_with_the_way_to_publish(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    unpublish_site(elm.id)
    with pytest.raises(Conflict, match="Publish the site first"):
        domains.add_domain(elm.id, "other.example.org", config)
    with pytest.raises(Conflict):
        domains.verify(domain, config)


def test_invalid_and_duplicate_hosts_are_refused(elm: Project, config: DomainConfig) -> None:
    domains.add_domain(elm.id, HOST, config)
    for pasted, sentence in ((HOST, "in your list already"), ("elm.localhost", "belongs to this service")):
        with pytest.raises(Invalid, match=sentence):
            domains.add_domain(elm.id, pasted, config)


def test_a_project_has_a_maximum_of_domains(
    elm: Project, config: DomainConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(additions, "DOMAINS_MOST", 1)
    domains.add_domain(elm.id, HOST, config)
    with pytest.raises(Conflict, match="Remove a domain"):
        domains.add_domain(elm.id, "other.example.org", config)


def test_removed_domains_count_towards_the_daily_limit(elm: Project, config: DomainConfig) -> None:
    person = Actor(None, "owner@example.org")
    for number in range(additions.DOMAINS_A_DAY_MOST):
        added = domains.add_domain(elm.id, f"n{number}.example.org", config, by=person, now=NOW)
        removals.remove_domain(elm.id, added.id, by=person, now=NOW)
    with pytest.raises(Conflict, match="within a day"):
        domains.add_domain(elm.id, HOST, config, by=person, now=NOW + timedelta(hours=23))
    removals.remove_domain(elm.id, domains.add_domain(elm.id, HOST, config, now=NOW + timedelta(hours=23)).id)
    assert domains.add_domain(elm.id, HOST, config, by=person, now=NOW + timedelta(hours=25)).host == HOST


@pytest.fixture
def fen(app: APIFlask) -> Project:
    """A project of another account."""
    made = factories.project("Fenland", owner="owner@fen.example")
    set_plan(made.slug, "pro")
    return made


def test_a_verified_host_belongs_to_one_project(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    domains.add_verified_domain(elm.id, HOST, config, zone)
    claim = domains.add_domain(fen.id, HOST, config)
    outcome = domains.verify(claim, config)
    assert (outcome.domain.state, outcome.report.records[-1].code) == ("unverified", "txt_missing")
    assert hosts_of(elm) == [(HOST, "verified", True)]


def test_txt_proof_takes_a_host_over_from_another_account(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    quicker = domains.add_verified_domain(elm.id, HOST, config, zone)
    claim = domains.add_domain(fen.id, HOST, config)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    assert domains.verify(claim, config).domain.state == "verified"
    assert (hosts_of(elm), hosts_of(fen)) == ([], [(HOST, "verified", True)])
    assert emails_sent()[-2:] == [
        ("owner@example.org", f"{HOST} belongs to another site now"),
        ("owner@fen.example", f"{HOST} leads to your site now"),
    ]
    with pytest.raises(NotFound):
        domains.verify(quicker, config)
    back = domains.verify(domains.add_domain(elm.id, HOST, config), config)
    assert back.report.records[-1].code == "txt_wrong"


def test_a_host_of_the_accounts_other_project_has_to_be_removed_there(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    domains.add_verified_domain(elm.id, HOST, config, zone)
    with transaction() as session:
        session.get_one(Project, fen.id).account_id = elm.account_id
    taken = domains.verify(domains.add_domain(fen.id, HOST, config), config).report.records[-1]
    assert (taken.code, taken.fix) == ("taken", f"Remove {HOST} from the site that shows it now.")


@pytest.fixture
def moved(elm: Project, config: DomainConfig, zone: Zone) -> Domain:
    """A verified domain of Elm Road that leads elsewhere now."""
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    zone.put(HOST, "CNAME", "old.example.com")
    assert domains.verify(domain, config).domain.state == "attention"
    return domain


def hosts_of(project: Project) -> list[tuple[str, str, bool]]:
    with reading() as session:
        return [
            (each.host, each.state, each.primary_of is not None) for each in domains_of(session, project.id)
        ]


def test_txt_proof_takes_over_a_host_that_led_elsewhere(
    elm: Project, fen: Project, moved: Domain, config: DomainConfig, zone: Zone
) -> None:
    claim = domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    assert domains.verify(claim, config).report.records[-1].code == "txt_missing"
    assert hosts_of(elm) == [(HOST, "attention", True)]
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    outcome = domains.verify(claim, config)
    assert (outcome.changed, outcome.domain.state) == (True, "verified")
    assert (hosts_of(elm), hosts_of(fen)) == ([], [(HOST, "verified", True)])
    served = find_site_by_host(HOST, NOW)
    assert served is not None
    assert served.site.slug == fen.slug
    assert log(elm)[-1] == "domain.handed-over"


def test_the_old_owner_is_not_verified_by_the_new_owners_records(
    elm: Project, fen: Project, moved: Domain, config: DomainConfig, zone: Zone
) -> None:
    claim = domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    outcome = domains.verify(moved, config)
    assert [record.code for record in outcome.report.records] == ["cname_ok", "taken"]
    assert outcome.domain.state == "attention"
    assert domains.verify(claim, config).domain.state == "verified"


def test_another_accounts_claim_without_proof_does_not_block_the_owner(
    elm: Project, fen: Project, moved: Domain, config: DomainConfig, zone: Zone
) -> None:
    claim = domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    zone.faults[f"_homeward.{HOST}"] = dns_server.SERVFAIL
    assert domains.verify(moved, config).looked_up is False
    zone.faults.clear()
    zone.put(f"_homeward.{HOST}", "TXT", "hw-verify=somebody-elses")
    assert domains.verify(moved, config).domain.state == "verified"
    assert domains.verify(claim, config).domain.state == "unverified"


def test_redirects_to_a_host_that_is_handed_over_follow_the_new_primary(
    elm: Project, fen: Project, moved: Domain, config: DomainConfig, zone: Zone
) -> None:
    for name in ("www", "new"):
        domains.add_verified_domain(elm.id, f"{name}.elm.example", config, zone)
    claim = domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    domains.verify(claim, config)
    assert hosts_of(elm) == [("www.elm.example", "verified", True), ("new.elm.example", "verified", False)]
    with reading() as session:
        assert redirects_of(domains_of(session, elm.id), NOW) == [
            {"from": "new.elm.example", "to": "www.elm.example", "status": 301}
        ]


def test_a_removed_host_needs_proof_except_for_its_last_owner(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    removals.remove_domain(elm.id, domains.add_verified_domain(elm.id, HOST, config, zone).id)
    claim = domains.add_domain(fen.id, HOST, config)
    outcome = domains.verify(claim, config)
    assert [record.code for record in outcome.report.records] == ["cname_ok", "txt_missing"]
    assert outcome.report.records[1].expected == claim.token
    back = domains.add_verified_domain(elm.id, HOST, config, zone)
    removals.remove_domain(elm.id, back.id)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    assert domains.verify(claim, config).domain.state == "verified"
    with pytest.raises(NotFound):
        verification.verify_domain(elm.id, back.id, config)


def test_a_tombstone_outlives_its_project(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    domains.add_verified_domain(elm.id, HOST, config, zone)
    with transaction() as session:
        session.delete(session.get_one(Project, elm.id))
    assert (
        domains.verify(domains.add_domain(fen.id, HOST, config), config).report.records[1].code
        == "txt_missing"
    )


def test_another_project_of_the_last_owners_account_needs_no_proof(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    removals.remove_domain(elm.id, domains.add_verified_domain(elm.id, HOST, config, zone).id)
    with transaction() as session:
        session.get_one(Project, fen.id).account_id = elm.account_id
    assert domains.add_verified_domain(fen.id, HOST, config, zone).state == "verified"


def test_a_host_that_another_project_verifies_during_the_check_is_taken(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    late = domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    report = verification.check_dns(verification.WantedRecords(HOST, domains.TARGET), config.new_client())
    domains.add_verified_row(elm.id, HOST)
    context = CheckContext(False, Actor(None, "x"), pressed=True)
    outcome = verification.store_report(fen.id, late.id, report, context, NOW)
    assert outcome.report.records[-1].code == "taken"
    assert domains.stored_domain(late.id).verified_host is None


@pytest.mark.settings("embedded")
def test_a_zone_that_another_account_uses_during_the_check_needs_proof(
    elm: Project, fen: Project, config: DomainConfig, zone: Zone
) -> None:
    late = domains.add_domain(fen.id, HOST, config)
    domains.put_right_records(zone, HOST)
    report = verification.check_dns(verification.WantedRecords(HOST, domains.TARGET), config.new_client())
    domains.add_verified_row(elm.id, f"www.{HOST}")
    context = CheckContext(False, Actor(None, "x"), pressed=True)
    outcome = verification.store_report(fen.id, late.id, report, context, NOW)
    assert outcome.report.records[-1].fix == "Press Verify again."
    assert domains.stored_domain(late.id).state == "unverified"
    assert [record.code for record in domains.verify(late, config).report.records] == [
        "cname_ok",
        "txt_missing",
    ]


def test_a_domain_of_another_project_is_not_found(elm: Project, fen: Project, config: DomainConfig) -> None:
    domain = domains.add_domain(elm.id, HOST, config)
    for act in (
        lambda: verification.verify_domain(fen.id, domain.id, config),
        lambda: removals.remove_domain(fen.id, domain.id),
        lambda: primary_domain.make_primary(fen.id, domain.id),
        lambda: redirects.redirect_domain(fen.id, domain.id),
        lambda: redirects.stop_redirect(fen.id, domain.id),
    ):
        with pytest.raises(NotFound):
            act()


def test_an_unverified_domain_is_checked_again_after_a_minute(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    domain: Domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    assert domain.next_check_at == NOW + timedelta(minutes=1)
    verification.verify_domain(elm.id, domain.id, config, now=NOW + timedelta(minutes=1))
    assert domains.stored_domain(domain.id).next_check_at == NOW + timedelta(minutes=2)


def test_dns_problems_of_several_domains_are_one_email(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    certified = config._replace(certificates=True)
    hosts = [f"{name}.example.org" for name in "abc"]
    added = [domains.add_verified_domain(elm.id, host, certified, zone) for host in hosts]
    other = domains.add_verified_domain(elm.id, "adopt.example.net", certified, zone)
    before, long_ago = len(emails_sent()), datetime.now(UTC) - timedelta(hours=1)
    with transaction() as session:
        session.execute(update(Domain).values(checked_at=long_ago))
    for host in hosts[:2]:
        zone.put(host, "CNAME", "old.example.com")
    zone.put(hosts[2], "CAA", '0 issue "other.example"')
    domains.verify(added[0], certified)
    now = datetime.now(UTC)
    email_digests.send_news(now)
    assert len(emails_sent()) == before, "the others are checked first"
    assert all(due <= now for host in hosts[1:] if (due := next_check(host)))
    assert next_check(other.host) > now
    for each in added[1:]:
        domains.verify(each, certified)
    email_digests.send_news(now)
    [(_, subject)] = emails_sent()[before:]
    assert subject == "Problems with DNS of 3 of your domains"
    with reading() as session:
        text = session.scalars(select(OutgoingEmail.text).order_by(OutgoingEmail.id.desc())).first()
    assert "These domains no longer lead to your site." in text
    assert "a.example.org: Edit the CNAME record" in " ".join(text.split())
    assert "c.example.org: Add a CAA record" in " ".join(text.split())
    email_digests.send_news(now + DAY)
    assert len(emails_sent()) == before + 1


def next_check(host: str) -> datetime:
    with reading() as session:
        return session.scalars(select(Domain.next_check_at).where(Domain.host == host)).one()


def test_a_problem_that_ends_before_the_email_sends_none(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    zone.put(HOST, "CNAME", "old.example.com")
    domains.verify(domain, config)
    domains.put_right_records(zone, HOST)
    domains.verify(domain, config)
    before = emails_sent()
    email_digests.send_news(datetime.now(UTC) + DAY)
    assert emails_sent() == before
