"""A domain's states: by what DNS says, and never by a failure to look."""

from datetime import UTC, datetime, timedelta

import pytest
from apiflask import APIFlask
from sqlalchemy import select, update

from adoption.accounts.actions import set_plan
from adoption.audit.models import AuditEntry
from adoption.audit.trail import Actor
from adoption.domains import claims, notices, primary_domain, redirects, removals, verification
from adoption.domains.check_outcomes import CheckContext
from adoption.domains.config import DomainConfig
from adoption.domains.dns_transport import DnsServer
from adoption.domains.host_lookup import find_site_by_host
from adoption.domains.models import Domain
from adoption.domains.queries import domains_of, redirects_of
from adoption.errors import Conflict, Invalid, NotFound, PlanRequired
from adoption.mail.models import OutgoingEmail
from adoption.projects.actions import unpublish_site
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.storage.queue import queue_of
from tests import dns_server, domains, factories
from tests.dns_server import Zone
from tests.factories import NOW

HOST = "adopt.example.org"
DAY = timedelta(days=1)


def letters() -> list[tuple[str, str]]:
    with reading() as session:
        rows = session.execute(
            select(OutgoingEmail.recipient, OutgoingEmail.subject).order_by(OutgoingEmail.id)
        )
        return [(row[0], row[1]) for row in rows]


def log(project: Project) -> list[str]:
    asked = select(AuditEntry.action).where(AuditEntry.project_id == project.id).order_by(AuditEntry.id)
    with reading() as session:
        return [action for action in session.scalars(asked) if action.startswith("domain")]


def test_a_domain_is_verified_once_dns_is_right(elm: Project, terms: DomainConfig, zone: Zone) -> None:
    added = claims.add_domain(elm.id, f"https://{HOST.upper()}/", terms)
    assert (added.host, added.state) == (HOST, "unverified")
    early = domains.verify(added, terms)
    assert (early.changed, early.looked_up, early.report.ok) == (False, True, False)
    domains.right(zone, HOST)
    outcome = domains.verify(added, terms)
    assert (outcome.changed, outcome.domain.state) == (True, "verified")
    assert domains.verify(added, terms).changed is False
    assert letters() == [("owner@example.org", f"{HOST} leads to your site now")]
    assert log(elm) == ["domain.added", "domain.verified"]


def test_one_that_moves_away_needs_attention_and_goes_on(
    elm: Project, terms: DomainConfig, zone: Zone
) -> None:
    domain = domains.verified(elm.id, HOST, terms, zone)
    zone.put(HOST, "CNAME", "old.example.com")
    assert domains.verify(domain, terms).domain.state == "attention"
    assert domains.kept(domain.id).verified_host == HOST
    notices.send_news(datetime.now(UTC))
    assert letters()[-1] == ("owner@example.org", f"{HOST} no longer leads to your site")
    assert domains.verify(domain, terms).changed is False
    domains.right(zone, HOST)
    assert domains.verify(domain, terms).domain.state == "verified"
    assert log(elm)[1:] == ["domain.verified", "domain.moved", "domain.verified"]


def test_owners_are_told_once_when_caa_begins_to_forbid_the_certificate(
    elm: Project, terms: DomainConfig, zone: Zone
) -> None:
    certified = terms._replace(certificates=True)
    domain = domains.verified(elm.id, HOST, certified, zone)
    zone.put(HOST, "CAA", '0 issue "other.example"')
    before = letters()
    for _ in range(2):
        assert domains.verify(domain, certified).domain.state == "verified"
        notices.send_news(datetime.now(UTC))
    assert [subject for _, subject in letters()[len(before) :]] == [
        f"A CAA record blocks the certificate for {HOST}"
    ]
    zone.put(HOST, "CAA")
    domains.verify(domain, certified)
    assert domains.kept(domain.id).caa_allows


def test_no_email_about_caa_is_sent_for_a_domain_that_leads_elsewhere(
    elm: Project, terms: DomainConfig, zone: Zone
) -> None:
    certified = terms._replace(certificates=True)
    domain = domains.verified(elm.id, HOST, certified, zone)
    zone.put(HOST, "CNAME")
    zone.put(HOST, "A", "198.51.100.7")
    assert domains.verify(domain, certified).domain.state == "attention"
    notices.send_news(datetime.now(UTC))
    before = letters()
    zone.put(HOST, "CAA", '0 issue "other.example"')
    assert domains.verify(domain, certified).domain.caa_allows is False
    notices.send_news(datetime.now(UTC) + DAY)
    assert letters() == before


def test_nobody_is_told_of_caa_where_no_certificate_is_ordered(
    elm: Project, terms: DomainConfig, zone: Zone
) -> None:
    domain = domains.verified(elm.id, HOST, terms, zone)
    before = letters()
    zone.put(HOST, "CAA", '0 issue "other.example"')
    domains.verify(domain, terms)
    assert letters() == before


def test_a_press_has_certificates_ordered_at_once(
    app: APIFlask, elm: Project, terms: DomainConfig, zone: Zone
) -> None:
    def started(pressed: bool) -> bool:
        huey = queue_of(app).huey
        huey.flush()
        verification.verify_domain(elm.id, domain.id, terms, pressed=pressed)
        return "order_certificates" in {task.name for task in huey.pending()}

    domain = claims.add_domain(elm.id, HOST, terms)
    assert not started(pressed=True), "it is not verified yet"
    domains.right(zone, HOST)
    assert started(pressed=False)
    assert not started(pressed=False), "nothing has changed, and nobody waits"
    assert started(pressed=True)


@pytest.mark.parametrize("before", ["unverified", "verified", "attention"])
@pytest.mark.parametrize("fault", [dns_server.SERVFAIL, dns_server.SILENT])
def test_a_look_that_fails_changes_nothing(
    app: APIFlask, elm: Project, server: DnsServer, zone: Zone, before: str, fault: str
) -> None:
    patient, terms = domains.terms(app, server), domains.terms(app, server, seconds=0.3)
    domain = claims.add_domain(elm.id, HOST, terms)
    if before != "unverified":
        domains.right(zone, HOST)
        domains.verify(domain, patient)
    zone.put(HOST, "CNAME", *([] if before == "verified" else ["old.example.com"]))
    if before == "attention":
        domains.verify(domain, patient)
    was, told = domains.kept(domain.id), letters()
    zone.faults["*"] = fault
    outcome = domains.verify(domain, terms)
    now = domains.kept(domain.id)
    assert (outcome.looked_up, outcome.changed, outcome.report.ok) == (False, False, None)
    assert (now.state, now.report, now.verified_host) == (was.state, was.report, was.verified_host)
    assert now.state == before
    assert now.unanswered_at is not None
    assert letters() == told


def test_a_plan_without_domains_is_told_which_has_them(elm: Project, terms: DomainConfig, zone: Zone) -> None:
    domain = domains.verified(elm.id, HOST, terms, zone)
    set_plan(elm.slug, "free")
    with pytest.raises(PlanRequired, match="comes with Pro"):
        claims.add_domain(elm.id, "other.example.org", terms)
    with pytest.raises(PlanRequired):
        domains.verify(domain, terms)


def test_without_a_deploy_one_is_told_to_publish(elm: Project, terms: DomainConfig, zone: Zone) -> None:
    domain = domains.verified(elm.id, HOST, terms, zone)
    unpublish_site(elm.id)
    with pytest.raises(Conflict, match="Publish the site first"):
        claims.add_domain(elm.id, "other.example.org", terms)
    with pytest.raises(Conflict):
        domains.verify(domain, terms)


def test_what_is_wrong_with_a_name_is_told(elm: Project, terms: DomainConfig) -> None:
    claims.add_domain(elm.id, HOST, terms)
    for pasted, sentence in ((HOST, "in your list already"), ("elm.localhost", "belongs to this service")):
        with pytest.raises(Invalid, match=sentence):
            claims.add_domain(elm.id, pasted, terms)


def test_a_project_has_so_many_and_no_more(
    elm: Project, terms: DomainConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "MOST", 1)
    claims.add_domain(elm.id, HOST, terms)
    with pytest.raises(Conflict, match="Remove one"):
        claims.add_domain(elm.id, "other.example.org", terms)


def test_an_account_adds_so_many_in_a_day_whatever_it_removes(elm: Project, terms: DomainConfig) -> None:
    person = Actor(None, "owner@example.org")
    for number in range(claims.MOST_A_DAY):
        added = claims.add_domain(elm.id, f"n{number}.example.org", terms, by=person, now=NOW)
        removals.remove_domain(elm.id, added.id, by=person, now=NOW)
    with pytest.raises(Conflict, match="within a day"):
        claims.add_domain(elm.id, HOST, terms, by=person, now=NOW + timedelta(hours=23))
    removals.remove_domain(elm.id, claims.add_domain(elm.id, HOST, terms, now=NOW + timedelta(hours=23)).id)
    assert claims.add_domain(elm.id, HOST, terms, by=person, now=NOW + timedelta(hours=25)).host == HOST


@pytest.fixture
def fen(app: APIFlask) -> Project:
    """Of another account."""
    made = factories.project("Fenland", owner="owner@fen.example")
    set_plan(made.slug, "pro")
    return made


def test_a_verified_host_belongs_to_one_project(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    domains.verified(elm.id, HOST, terms, zone)
    claim = claims.add_domain(fen.id, HOST, terms)
    outcome = domains.verify(claim, terms)
    assert (outcome.domain.state, outcome.report.records[-1].code) == ("unverified", "txt_missing")
    assert hosts_of(elm) == [(HOST, "verified", True)]


def test_whoever_was_only_quicker_loses_the_host_to_whom_its_zone_names(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    quicker = domains.verified(elm.id, HOST, terms, zone)
    claim = claims.add_domain(fen.id, HOST, terms)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    assert domains.verify(claim, terms).domain.state == "verified"
    assert (hosts_of(elm), hosts_of(fen)) == ([], [(HOST, "verified", True)])
    assert letters()[-2:] == [
        ("owner@example.org", f"{HOST} belongs to another site now"),
        ("owner@fen.example", f"{HOST} leads to your site now"),
    ]
    with pytest.raises(NotFound):
        domains.verify(quicker, terms)
    back = domains.verify(claims.add_domain(elm.id, HOST, terms), terms)
    assert back.report.records[-1].code == "txt_wrong"


def test_another_project_of_the_account_that_has_it_is_told_to_remove_it_there(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    domains.verified(elm.id, HOST, terms, zone)
    with transaction() as session:
        session.get_one(Project, fen.id).account_id = elm.account_id
    taken = domains.verify(claims.add_domain(fen.id, HOST, terms), terms).report.records[-1]
    assert (taken.code, taken.fix) == ("taken", f"Remove {HOST} from the site that shows it now.")


@pytest.fixture
def moved(elm: Project, terms: DomainConfig, zone: Zone) -> Domain:
    """A domain of Elm Road that led to its site once, and leads elsewhere now."""
    domain = domains.verified(elm.id, HOST, terms, zone)
    zone.put(HOST, "CNAME", "old.example.com")
    assert domains.verify(domain, terms).domain.state == "attention"
    return domain


def hosts_of(project: Project) -> list[tuple[str, str, bool]]:
    with reading() as session:
        return [
            (each.host, each.state, each.primary_of is not None) for each in domains_of(session, project.id)
        ]


def test_a_host_that_moved_away_goes_to_whoever_shows_by_its_zone_that_it_is_theirs(
    elm: Project, fen: Project, moved: Domain, terms: DomainConfig, zone: Zone
) -> None:
    claim = claims.add_domain(fen.id, HOST, terms)
    domains.right(zone, HOST)
    assert domains.verify(claim, terms).report.records[-1].code == "txt_missing"
    assert hosts_of(elm) == [(HOST, "attention", True)]
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    outcome = domains.verify(claim, terms)
    assert (outcome.changed, outcome.domain.state) == (True, "verified")
    assert (hosts_of(elm), hosts_of(fen)) == ([], [(HOST, "verified", True)])
    served = find_site_by_host(HOST, NOW)
    assert served is not None
    assert served.site.slug == fen.slug
    assert log(elm)[-1] == "domain.handed-over"


def test_its_holder_does_not_win_it_back_by_what_its_new_owner_has_put_right(
    elm: Project, fen: Project, moved: Domain, terms: DomainConfig, zone: Zone
) -> None:
    claim = claims.add_domain(fen.id, HOST, terms)
    domains.right(zone, HOST)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    outcome = domains.verify(moved, terms)
    assert [record.code for record in outcome.report.records] == ["cname_ok", "taken"]
    assert outcome.domain.state == "attention"
    assert domains.verify(claim, terms).domain.state == "verified"


def test_a_claim_alone_keeps_nobody_from_coming_back(
    elm: Project, fen: Project, moved: Domain, terms: DomainConfig, zone: Zone
) -> None:
    claim = claims.add_domain(fen.id, HOST, terms)
    domains.right(zone, HOST)
    zone.faults[f"_homeward.{HOST}"] = dns_server.SERVFAIL
    assert domains.verify(moved, terms).looked_up is False
    zone.faults.clear()
    zone.put(f"_homeward.{HOST}", "TXT", "hw-verify=somebody-elses")
    assert domains.verify(moved, terms).domain.state == "verified"
    assert domains.verify(claim, terms).domain.state == "unverified"


def test_what_depends_on_a_host_that_is_handed_over_follows_the_next(
    elm: Project, fen: Project, moved: Domain, terms: DomainConfig, zone: Zone
) -> None:
    for name in ("www", "new"):
        domains.verified(elm.id, f"{name}.elm.example", terms, zone)
    claim = claims.add_domain(fen.id, HOST, terms)
    domains.right(zone, HOST)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    domains.verify(claim, terms)
    assert hosts_of(elm) == [("www.elm.example", "verified", True), ("new.elm.example", "verified", False)]
    with reading() as session:
        assert redirects_of(domains_of(session, elm.id), NOW) == [
            {"from": "new.elm.example", "to": "www.elm.example", "status": 301}
        ]


def test_whoever_had_it_may_have_it_again_and_others_show_that_it_is_theirs(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    removals.remove_domain(elm.id, domains.verified(elm.id, HOST, terms, zone).id)
    claim = claims.add_domain(fen.id, HOST, terms)
    outcome = domains.verify(claim, terms)
    assert [record.code for record in outcome.report.records] == ["cname_ok", "txt_missing"]
    assert outcome.report.records[1].expected == claim.token
    back = domains.verified(elm.id, HOST, terms, zone)
    removals.remove_domain(elm.id, back.id)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    assert domains.verify(claim, terms).domain.state == "verified"
    with pytest.raises(NotFound):
        verification.verify_domain(elm.id, back.id, terms)


def test_a_tombstone_outlives_project_and_account(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    domains.verified(elm.id, HOST, terms, zone)
    with transaction() as session:
        session.delete(session.get_one(Project, elm.id))
    assert (
        domains.verify(claims.add_domain(fen.id, HOST, terms), terms).report.records[1].code == "txt_missing"
    )


def test_another_project_of_the_account_needs_no_text(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    removals.remove_domain(elm.id, domains.verified(elm.id, HOST, terms, zone).id)
    with transaction() as session:
        session.get_one(Project, fen.id).account_id = elm.account_id
    assert domains.verified(fen.id, HOST, terms, zone).state == "verified"


def test_a_claim_that_was_overtaken_during_the_look_is_told_so(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    late = claims.add_domain(fen.id, HOST, terms)
    domains.right(zone, HOST)
    report = verification.check_dns(verification.WantedRecords(HOST, domains.TARGET), terms.new_client())
    domains.row(elm.id, HOST)
    context = CheckContext(False, Actor(None, "x"), pressed=True)
    outcome = verification.store_report(fen.id, late.id, report, context, NOW)
    assert outcome.report.records[-1].code == "taken"
    assert domains.kept(late.id).verified_host is None


@pytest.mark.settings("embedded")
def test_a_name_that_another_account_gets_during_the_check_needs_proof(
    elm: Project, fen: Project, terms: DomainConfig, zone: Zone
) -> None:
    late = claims.add_domain(fen.id, HOST, terms)
    domains.right(zone, HOST)
    report = verification.check_dns(verification.WantedRecords(HOST, domains.TARGET), terms.new_client())
    domains.row(elm.id, f"www.{HOST}")
    context = CheckContext(False, Actor(None, "x"), pressed=True)
    outcome = verification.store_report(fen.id, late.id, report, context, NOW)
    assert outcome.report.records[-1].fix == "Press Verify again."
    assert domains.kept(late.id).state == "unverified"
    assert [record.code for record in domains.verify(late, terms).report.records] == [
        "cname_ok",
        "txt_missing",
    ]


def test_a_domain_of_another_project_is_not_there(elm: Project, fen: Project, terms: DomainConfig) -> None:
    domain = claims.add_domain(elm.id, HOST, terms)
    for act in (
        lambda: verification.verify_domain(fen.id, domain.id, terms),
        lambda: removals.remove_domain(fen.id, domain.id),
        lambda: primary_domain.make_primary(fen.id, domain.id),
        lambda: redirects.redirect_domain(fen.id, domain.id),
        lambda: redirects.stop_redirect(fen.id, domain.id),
    ):
        with pytest.raises(NotFound):
            act()


def test_a_domain_that_is_watched_is_looked_at_again(elm: Project, terms: DomainConfig, zone: Zone) -> None:
    domain: Domain = claims.add_domain(elm.id, HOST, terms, now=NOW)
    assert domain.next_check_at == NOW + timedelta(minutes=1)
    verification.verify_domain(elm.id, domain.id, terms, now=NOW + timedelta(minutes=1))
    assert domains.kept(domain.id).next_check_at == NOW + timedelta(minutes=2)


def test_what_goes_wrong_at_several_domains_is_one_email(
    elm: Project, terms: DomainConfig, zone: Zone
) -> None:
    certified = terms._replace(certificates=True)
    hosts = [f"{name}.example.org" for name in "abc"]
    added = [domains.verified(elm.id, host, certified, zone) for host in hosts]
    other = domains.verified(elm.id, "adopt.example.net", certified, zone)
    before, long_ago = len(letters()), datetime.now(UTC) - timedelta(hours=1)
    with transaction() as session:
        session.execute(update(Domain).values(checked_at=long_ago))
    for host in hosts[:2]:
        zone.put(host, "CNAME", "old.example.com")
    zone.put(hosts[2], "CAA", '0 issue "other.example"')
    domains.verify(added[0], certified)
    now = datetime.now(UTC)
    notices.send_news(now)
    assert len(letters()) == before, "the others are checked first"
    assert all(due <= now for host in hosts[1:] if (due := next_check(host)))
    assert next_check(other.host) > now
    for each in added[1:]:
        domains.verify(each, certified)
    notices.send_news(now)
    [(_, subject)] = letters()[before:]
    assert subject == "Problems with DNS of 3 of your domains"
    with reading() as session:
        text = session.scalars(select(OutgoingEmail.text).order_by(OutgoingEmail.id.desc())).first()
    assert "These no longer lead to your site." in text
    assert "a.example.org: Edit the CNAME record" in " ".join(text.split())
    assert "c.example.org: Add a CAA record" in " ".join(text.split())
    notices.send_news(now + DAY)
    assert len(letters()) == before + 1


def next_check(host: str) -> datetime:
    with reading() as session:
        return session.scalars(select(Domain.next_check_at).where(Domain.host == host)).one()


def test_news_that_is_over_before_it_is_sent_is_no_email(
    elm: Project, terms: DomainConfig, zone: Zone
) -> None:
    domain = domains.verified(elm.id, HOST, terms, zone)
    zone.put(HOST, "CNAME", "old.example.com")
    domains.verify(domain, terms)
    domains.right(zone, HOST)
    domains.verify(domain, terms)
    before = letters()
    notices.send_news(datetime.now(UTC) + DAY)
    assert letters() == before
