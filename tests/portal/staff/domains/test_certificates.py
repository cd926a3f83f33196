"""Certificates on the page of domains."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from acme.messages import ERROR_CODES
from apiflask import APIFlask
from sqlalchemy import select

from adoption.accounts.plan_changes import set_plan
from adoption.certificates.models import AuthorityOutage
from adoption.certificates.order_queue import ORDERS_OF_ONE_ACCOUNT_MOST
from adoption.certificates.problem_advice import ADVICE, NOBODY, OPERATOR, OURS, SHELTER, advice
from adoption.domains.caa_checks import Permission
from adoption.domains.dns_records import CheckedRecord, Report
from adoption.domains.dns_report_json import dump_report
from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.projects.publication import unpublish_site
from adoption.storage.database import reading, transaction
from tests import certificates, domains
from tests.cast import Colleague
from tests.dns_server import Zone
from tests.pages import without_times

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.example.org"
HTMX = {"HX-Request": "true", "HX-Target": "domain-watch"}
DAY = timedelta(days=1)
RIGHT = CheckedRecord("CNAME", "adopt", ("localhost",), "localhost", True, "cname_ok")
NONE, ALLOWS = Permission(True, "caa_none"), Permission(True, "caa_ok", "example.org", ('0 issue "x"',))
BLOCKS = Permission(
    False,
    "caa_blocks",
    "example.org",
    ('0 issue "digicert.com"',),
    'Add a CAA record with the name @ and the value 0 issue "letsencrypt.org".',
    "More.",
    '0 issue "letsencrypt.org"',
)


@pytest.fixture
def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def pro(app: APIFlask, owner: Colleague, monkeypatch: pytest.MonkeyPatch) -> Colleague:
    """The owner of a shelter with domains, in a service that orders certificates."""
    found = app.config["HOMEWARD"].model_copy(
        update={"acme_directory": "https://ca.example/", "edge": ("edge.example", 443)}
    )
    monkeypatch.setitem(app.config, "HOMEWARD", found)
    return domains.upgrade_to_pro(owner)


def since(now: datetime, minutes: float, caa: Permission = NONE) -> dict[str, Any]:
    """Return the columns of a domain whose DNS has been right for this many ``minutes``."""
    report = dump_report(Report((RIGHT,), caa))
    at = now - timedelta(minutes=minutes)
    return {"verified_at": at, "checked_at": now, "caa_allows": caa.ok is True, "report": report}


def verified(who: Colleague, now: datetime, minutes: float = 1, caa: Permission = NONE, **rest: Any) -> int:
    """Add the primary domain, whose DNS has been right for this many ``minutes``. Return the domain's id."""
    known = {"primary_of": who.project_id, **since(now, minutes, caa)}
    return domains.add_verified_row(who.project_id, HOST, **known | rest)


def page_of(who: Colleague) -> str:
    """Return the text of the page. Runs of spaces are single spaces."""
    page = re.sub(r"<template.*?</template>", "", without_times(who.get("domains").text))
    page = re.sub(r"<[^>]+>", " ", page)
    return re.sub(r"\s+", " ", unescape(page))


def card_of(who: Colleague, domain_id: int) -> str:
    page = without_times(who.get("domains").text)
    return page.partition(f'id="domain-{domain_id}"')[2].partition('id="domain-')[0]


def watched(who: Colleague) -> tuple[str, str]:
    """Return the URL that the page polls, and the interval."""
    found = re.search(r'hx-get="([^"]+/domains/list[^"]*)" hx-trigger="every (\w+),', who.get("domains").text)
    assert found, "the page does not poll"
    return unescape(found[1]), found[2]


def test_the_card_shows_the_progress_of_an_acme_order(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now)
    assert "Getting a certificate" in page_of(pro)
    assert "Ordering a certificate Begins within a minute Shows your site By http for now" in page_of(pro)
    certificates.add_acme_order(domain_id, now)
    assert "Ordering a certificate Usually takes a couple of minutes" in page_of(pro)
    assert f'href="http://{HOST}' in pro.get("domains").text
    assert "does not get certificates" not in page_of(pro)


def test_the_card_says_why_an_order_has_not_begun(pro: Colleague, now: datetime) -> None:
    verified(pro, now)
    busy = [
        domains.add_verified_row(pro.project_id, f"n{number}.{HOST}", **since(now, 1))
        for number in range(ORDERS_OF_ONE_ACCOUNT_MOST)
    ]
    for each in busy:
        certificates.add_acme_order(each, now, next_step_at=now - timedelta(seconds=1))
    page = page_of(pro)
    assert "Certificate waits Begins after other orders, usually within minutes" in page
    assert "Begins within a minute" not in page
    began = now - timedelta(hours=1)
    day = "today" if began.date() == now.date() else "yesterday"
    with transaction() as session:
        outage = AuthorityOutage(id=1, failing_since=now, down_since=began, probes=3)
        outage.next_probe_at = now + timedelta(minutes=14)
        session.add(outage)
    page = page_of(pro)
    assert "Certificate waits Let's Encrypt does not answer" in page
    assert "Begins" not in page
    assert "Usually takes" not in page
    assert f"Let's Encrypt issues the certificate, but has not answered since {day}, {began:%H:%M}" in page
    assert f"we ask again today, {now + timedelta(minutes=14):%H:%M}" in page


def test_a_live_certificate_says_when_it_renews(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now)
    certificates.add_certificate(domain_id, now)
    page = page_of(pro)
    assert "Working" in page
    assert f"Renews automatically in {now + 60 * DAY:%B}." in page
    assert "Shows your site By https since today" in page
    assert f'href="https://{HOST}/"' in pro.get("domains").text
    assert 'hx-trigger="every' not in pro.get("domains").text
    certificates.add_certificate(domain_id, now, renew_at=now + 8 * DAY)
    assert f"Renews automatically on {(now + 8 * DAY).day}\N{NO-BREAK SPACE}" in without_times(
        pro.get("domains").text
    )


def test_a_domain_works_only_once_visitors_get_its_new_certificate(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now)
    certificates.add_certificate(domain_id, now, seen_at=None, live_since=None)
    page = page_of(pro)
    assert "Certificate issued" in page
    assert "Going live We check that visitors get the certificate" in page
    assert "Working" not in card_of(pro, domain_id)
    certificates.add_certificate(domain_id, now, seen_at=None, live_since=None, unseen_why="The edge sleeps.")
    assert "The edge sleeps. We check again automatically." in page_of(pro)


def test_a_domain_works_while_its_renewed_certificate_reaches_the_edge(pro: Colleague, now: datetime) -> None:
    certificates.add_certificate(verified(pro, now), now, seen_at=None, live_since=now - 60 * DAY)
    assert "Working" in page_of(pro)


def test_a_failed_renewal_is_shown_with_the_expiry_of_the_current_certificate(
    pro: Colleague, now: datetime
) -> None:
    domain_id = verified(pro, now, minutes=90_000)
    certificates.add_certificate(domain_id, now - 70 * DAY)
    certificates.add_failed_order(domain_id, now, "connection", "Timeout during connect")
    page = page_of(pro)
    good_until = now + 20 * DAY
    assert "Working" in page
    assert f"valid until {good_until.day} {good_until:%B}" in page
    for found in (
        "The certificate could not be renewed",
        "Timeout during connect",
        "has to allow port 80",
        "Next try ",
    ):
        assert found in page
    assert "Not live" not in page


def test_during_an_outage_the_next_try_is_when_the_authority_answers(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now, minutes=90_000)
    certificates.add_certificate(domain_id, now - 70 * DAY)
    certificates.add_failed_order(
        domain_id, now - DAY, "connection", "Timeout", next_try_at=now - timedelta(hours=1)
    )
    with transaction() as session:
        session.add(AuthorityOutage(id=1, failing_since=now, down_since=now, probes=3))
    page = page_of(pro)
    assert "We try again as soon as the authority answers." in page
    assert "within a minute" not in page


def test_an_expired_certificate_is_shown_with_the_reason(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now, minutes=200_000)
    certificates.add_certificate(domain_id, now - 91 * DAY)
    certificates.add_failed_order(domain_id, now, "caa", "CAA prevents issuance")
    page = page_of(pro)
    for found in (
        "Certificate expired",
        "Browsers warn visitors",
        "CAA prevents issuance",
        "Allow Let's Encrypt",
    ):
        assert found in page
    assert "Working" not in card_of(pro, domain_id)
    assert "Working This address is always yours" in page


FIXES = {
    "rateLimited": "or for all sites here, is reached for now",
    "paused": "open the link to resume, then press Re-verify",
    "rejectedIdentifier": "Use another domain, or ask Let's Encrypt.",
    "caa": "Allow Let's Encrypt in the CAA records of your domain",
    "connection": "allow port 80",
    "dns": "If the problem lasts for a day, ask your DNS provider.",
    "unauthorized": "turn the proxy or redirect off until there is a certificate",
    "tls": "Turn off the redirect to https://",
    "accountRefused": "does not accept our account",
    "userActionRequired": "does not accept our account",
    "conflict": "Your DNS is not the cause. We order again automatically.",
    "unreached": "did not answer for a day",
    "unfinished": "did not finish the order within a day",
    "keyLost": "We order again automatically",
    "orderLost": "We order again automatically",
    "wrongHost": "did not accept the order of this service",
    "somethingNew": "did not accept the order of this service",
    "": "did not accept the order of this service",
}
RESUME = "https://portal.letsencrypt.org/sfe/v1/unpause?jwt=a.b-c"


def test_each_refusal_says_what_to_do(pro: Colleague, now: datetime) -> None:
    for code in FIXES:
        made = domains.add_verified_row(
            pro.project_id, f"x{code.lower()}.example.org", **since(now, minutes=1)
        )
        certificates.add_failed_order(made, now, code, f"Words of <b>the authority</b>. Visit: {RESUME}.")
    cards = pro.get("domains").text.split('<li class="panel domain-card"')[1:]
    for card, (code, fix) in zip(cards, FIXES.items(), strict=False):
        assert f"x{code.lower()}.example.org" in card
        assert "No certificate yet" in card
        assert "Not asked yet" not in card
        assert fix in unescape(card)
        is_theirs = code not in OURS
        assert ("<blockquote><bdi>Words of &lt;b&gt;the authority" in card) is is_theirs
        assert ("Let&#39;s Encrypt said" in card) is is_theirs
        assert (f'href="{RESUME}"' in card) is is_theirs


def test_every_type_of_problem_says_who_has_to_act() -> None:
    later = {"alreadyReplaced", "onionCAARequired", "userActionRequired", "unknownDelegation", "conflict"}
    assert {*ERROR_CODES, *later} <= {*ADVICE}
    for code, known in ADVICE.items():
        found = advice(code, "adopt.example.org")
        assert known.who in (SHELTER, OPERATOR, NOBODY)
        assert (known.who == SHELTER) is ("press Re-verify" in found.fix or "Use another" in found.fix), code
        assert (known.who == OPERATOR) is ("operator of this service has to fix" in found.why), code


@pytest.mark.parametrize("minutes", [1, 31])
def test_a_rate_limit_of_the_service_is_shown_at_each_waiting_domain(
    pro: Colleague, now: datetime, minutes: int
) -> None:
    until = now + timedelta(hours=1)
    for number in range(3):
        domain_id = domains.add_verified_row(
            pro.project_id, f"shelter{number}.example", **since(now, minutes=1)
        )
        certificates.add_failed_order(
            domain_id, now, "rateLimited", "Too many new orders.", next_try_at=until
        )
    domain_id = verified(pro, now, minutes)
    card = (
        without_times(pro.get("domains").text)
        .partition(f'id="domain-{domain_id}"')[2]
        .partition('id="domain-')[0]
    )
    assert "Certificate waits" in card
    assert "takes no more orders from this service for now" in card
    assert f"{until:%H:%M} UTC." in card
    assert "within a minute" not in card
    assert watched(pro)[1] == "30s"


def test_the_next_try_is_after_the_rate_limit_of_the_service(pro: Colleague, now: datetime) -> None:
    until = now + timedelta(hours=2)
    for number in range(3):
        domain_id = domains.add_verified_row(
            pro.project_id, f"shelter{number}.example", **since(now, minutes=1)
        )
        certificates.add_failed_order(
            domain_id, now, "rateLimited", "Too many new orders.", next_try_at=until
        )
    domain_id = verified(pro, now)
    certificates.add_failed_order(domain_id, now, "connection", "No.", next_try_at=now + timedelta(minutes=5))
    card = (
        without_times(pro.get("domains").text)
        .partition(f'id="domain-{domain_id}"')[2]
        .partition('id="domain-')[0]
    )
    assert re.findall(r"Next try ([^.<]*)", card)
    assert {each[-9:] for each in re.findall(r"Next try ([^.<]*)", card)} == {f"{until:%H:%M} UTC"}


def test_an_order_at_an_unreachable_authority_is_retried_automatically(pro: Colleague, now: datetime) -> None:
    certificates.add_acme_order(verified(pro, now), now, unreached=2, unreached_why="The authority sleeps.")
    assert "The authority sleeps. Nothing is lost: we try again automatically." in page_of(pro)


def test_a_blocking_caa_record_is_shown_with_the_record_to_add(pro: Colleague, now: datetime) -> None:
    verified(pro, now, caa=BLOCKS)
    page = page_of(pro)
    assert "Certificate blocked" in page
    assert "Certificate blocked A CAA record of your domain blocks it, see below" in page
    assert "CAA record @" in page
    assert 'Add a CAA record with the name @ and the value 0 issue "letsencrypt.org".' in page


def test_a_caa_record_that_blocks_the_renewal_is_shown_before_expiry(pro: Colleague, now: datetime) -> None:
    certificates.add_certificate(verified(pro, now, minutes=90_000, caa=BLOCKS), now)
    page = page_of(pro)
    assert "The certificate cannot be renewed The current certificate is valid until" in page
    assert "Working" in page
    assert "Blocks certificates" in page
    assert "Not live" not in page


def test_an_order_waits_until_caa_records_can_be_read(pro: Colleague, now: datetime) -> None:
    unread = Permission(None, "caa_failed", "example.org", why="The CAA records could not be read.")
    verified(pro, now, minutes=40, caa=unread)
    page = page_of(pro)
    assert "Certificate waits Until your CAA records can be read" in page
    assert "The CAA records could not be read." in page


def test_after_half_an_hour_the_card_lists_every_check_with_its_time(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now, minutes=29, caa=ALLOWS)
    certificates.add_acme_order(domain_id, now, state="validating")
    assert "Not live after 30 minutes" not in page_of(pro)
    domains.add_verified_row(pro.project_id, "late.example.org", **since(now, minutes=31, caa=ALLOWS))
    page = page_of(pro)
    looked = f"Checked today, {now:%H:%M} UTC"
    assert "Not live after 30 minutes: what we have checked Re-verify late.example.org" in page
    assert f"CNAME record adopt Right It leads here. {looked}" in page
    assert f"CAA record @ Does not block It allows Let's Encrypt to issue certificates. {looked}" in page
    assert "Certificate from Let's Encrypt Not ordered yet The order begins within a minute." in page


def test_after_half_an_hour_the_card_lists_the_check_of_the_edge(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now, minutes=31)
    unseen = {"seen_at": None, "live_since": None, "unseen_why": "The edge sleeps."}
    certificates.add_certificate(domain_id, now, **unseen)
    text = "Not there yet The edge sleeps. We check again automatically."
    assert f"What visitors get {text} Checked today, {now:%H:%M}" in page_of(pro)


def test_a_manual_check_without_effect_says_when_the_next_try_is(
    pro: Colleague,
    now: datetime,
    zone: Zone,
    name_server: DnsServer,
    app: APIFlask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = app.config["HOMEWARD"].model_copy(update={"dns_servers": (tuple(name_server),)})
    monkeypatch.setitem(app.config, "HOMEWARD", found)
    domains.put_right_records(zone, HOST)
    domain_id = verified(pro, now)
    certificates.add_failed_order(domain_id, now, "unauthorized", "No.")
    press = f"domains/{domain_id}/verification"
    assert "Next try" not in pro.post(press, headers=HTMX).text.partition("announcer")[2]
    assert "Ordering again Begins within a minute" in page_of(pro)
    for _ in range(3):
        certificates.add_failed_order(domain_id, datetime.now(UTC), "unauthorized", "No.")
    messages = pro.post(press, headers=HTMX).text.partition("announcer")[2]
    assert f"{HOST}: DNS verified. Next try " in messages
    assert "so pressing Re-verify does not start the next order any earlier" in page_of(pro)
    pro.post(press)
    assert f"{HOST}: DNS verified. Next try " in page_of(pro)


def test_each_step_of_an_order_is_announced_once(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now)
    address, pace = watched(pro)
    assert pace == "3s"
    same = pro.get(address, headers=HTMX)
    certificates.add_acme_order(domain_id, now)
    ordered = pro.get(address, headers=HTMX).text
    certificates.add_certificate(domain_id, now, seen_at=None, live_since=None)
    issued = pro.get(address, headers=HTMX).text
    address, _ = watched(pro)
    certificates.add_certificate(domain_id, now)
    live = pro.get(address, headers=HTMX).text
    assert same.status_code == 204
    assert "announcer" not in ordered
    assert f">{HOST}: certificate issued</p>" in issued
    assert f">{HOST} is live</p>" in live
    assert 'hx-trigger="every' not in live


def test_a_repeated_failure_is_not_announced_again(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now)
    certificates.add_failed_order(domain_id, now, "dns", "No.", next_try_at=now - timedelta(seconds=1))
    address, _ = watched(pro)
    assert "announcer" not in pro.get(address.replace("-verified-", "-failed-"), headers=HTMX).text


def test_a_late_successful_renewal_is_not_announced_as_live(pro: Colleague, now: datetime) -> None:
    domain_id = verified(pro, now)
    certificates.add_certificate(domain_id, now - 70 * DAY)
    certificates.add_failed_order(domain_id, now, "connection", "No.")
    other = domains.add_verified_row(pro.project_id, "www.example.org", **since(now, minutes=1))
    certificates.add_acme_order(other, now)
    address, _ = watched(pro)
    assert f"{domain_id}-unrenewed-" in address
    certificates.add_certificate(domain_id, now)
    fresh = pro.get(address, headers=HTMX).text
    assert f'id="domain-{domain_id}"' in fresh
    assert "announcer" not in fresh


@pytest.mark.parametrize("age", [0, 91])
def test_failed_orders_and_expired_certificates_are_polled(pro: Colleague, now: datetime, age: int) -> None:
    domain_id = verified(pro, now, minutes=150_000)
    if age:
        certificates.add_certificate(domain_id, now - age * DAY)
    certificates.add_failed_order(domain_id, now, "connection", "No.")
    assert watched(pro)[1] == "30s"


def test_an_order_of_half_an_hour_is_polled_less_often(pro: Colleague, now: datetime) -> None:
    certificates.add_acme_order(verified(pro, now, minutes=31), now, state="validating")
    assert watched(pro)[1] == "30s"


def test_the_card_of_an_unpublished_site_has_no_order_and_no_polling(pro: Colleague, now: datetime) -> None:
    verified(pro, now, minutes=31)
    unpublish_site(pro.project_id)
    page = page_of(pro)
    assert "Certificate Not ordered now Not shown now" in page
    assert "Not live" not in page
    assert 'hx-trigger="every' not in pro.get("domains").text


PROMISES = (
    "As soon as",
    "Still ",
    "We check for 7 days",
    "An owner can press",
    "Renews automatically",
    "Ordered ",
    "Working",
    "verifies it",
    "Open site",
    "Verify",
    "Not live",
)
"""Phrases that only the page of a published site may have."""


@pytest.mark.parametrize("lost", ["plan", "deploy"])
@pytest.mark.parametrize("state", ["unverified", "verified", "attention"])
@pytest.mark.parametrize("certificate", ["none", "under way", "live", "expired"])
def test_the_card_of_a_site_that_is_not_shown_promises_nothing(
    pro: Colleague, now: datetime, lost: str, state: str, certificate: str
) -> None:
    known = {"state": state} | ({"verified_host": None} if state == "unverified" else {})
    next_check = now + DAY if certificate != "none" else None
    domain_id = domains.add_verified_row(
        pro.project_id, HOST, **since(now, 31) | known, next_check_at=next_check
    )
    if certificate == "under way":
        certificates.add_acme_order(domain_id, now)
    elif certificate != "none" and state != "unverified":
        certificates.add_certificate(domain_id, now - (20 if certificate == "live" else 91) * DAY)
    before = page_of(pro)
    assert any(promise in before for promise in PROMISES)
    if lost == "plan":
        set_plan(pro.slug, "free")
    else:
        unpublish_site(pro.project_id)
    card = without_times(pro.get("domains").text).partition(f'id="domain-{domain_id}"')[2]
    card = card.partition('id="domain-built-in"')[0]
    assert "Not shown now" in card
    assert [promise for promise in PROMISES if promise in card] == []
    assert 'hx-trigger="every' not in pro.get("domains").text


def test_a_domain_that_leads_elsewhere_is_not_renewed(pro: Colleague, now: datetime) -> None:
    certificates.add_certificate(verified(pro, now, state="attention"), now)
    page = page_of(pro)
    assert "No longer leads here" in page
    assert "Renews automatically" not in page
    assert "Good until" in page


def test_a_domain_without_a_certificate_becomes_primary_once_it_is_live(
    pro: Colleague, now: datetime
) -> None:
    first = verified(pro, now)
    certificates.add_certificate(first, now)
    other = domains.add_verified_row(pro.project_id, "new.example.org", **since(now, minutes=1))
    pro.post(f"domains/{other}/primary")
    page = page_of(pro)
    assert "new.example.org becomes the primary domain once it has its certificate." in page
    assert "Until then nothing changes." in page
    card = card_of(pro, other)
    assert "Primary once live" in card
    assert "Becomes primary" in card
    assert "Make primary" not in card
    assert "Primary</span>" in card_of(pro, first)
    assert "Nothing changes for visitors until you change DNS." in page


def test_broken_dnssec_is_shown_as_the_reason_for_a_waiting_certificate(
    pro: Colleague, now: datetime
) -> None:
    why = "DNSSEC is probably broken."
    broken = CheckedRecord("DNSSEC", "example.org", (), "", False, "dnssec_broken", "Repair DNSSEC.", why)
    report = dump_report(Report((RIGHT,), NONE, warnings=(broken,)))
    verified(pro, now, report=report, unresolved_since=now)
    page = page_of(pro)
    assert "Certificate waits Other DNS servers refuse your record, see below" in page
    assert "DNSSEC needs a fix" in page
    assert "DNSSEC example.org Refused by other servers Repair DNSSEC. DNSSEC is probably broken." in page


def test_a_blocking_caa_record_of_the_service_is_the_operators_to_fix(pro: Colleague, now: datetime) -> None:
    blocks = Permission(
        False, "caa_target_blocks", "sites.example.com", (), "This is for us to fix.", "Wait."
    )
    verified(pro, now, caa=blocks)
    page = page_of(pro)
    assert "Waiting for us" in page
    assert "Certificate waits We have to fix something first, see below" in page
    assert "Ours to fix This is for us to fix. Wait." in page
    certificates.add_certificate(the_only(pro), now)
    page = page_of(pro)
    assert "A problem on our side delays the certificate The current certificate is valid until" in page
    assert "in your DNS has to allow" not in page


def the_only(who: Colleague) -> int:
    with reading() as session:
        return session.scalars(select(Domain.id).where(Domain.project_id == who.project_id)).one()


TARGET_CAA = Permission(
    False, "caa_target_blocks", "sites.example.com", (), "You do not have to do anything."
)
MISSING = CheckedRecord("CNAME", "adopt", (), "localhost", False, "missing", "Add a CNAME record.")
DIFFER = CheckedRecord(
    "Name servers", "example.org", (), "", None, "name_servers_differ", why="Not copied yet."
)
DNSSEC = CheckedRecord("DNSSEC", "example.org", (), "", False, "dnssec_broken", "Repair DNSSEC.", "Refused.")
WRONG = CheckedRecord(
    "A", "adopt", ("198.51.100.7",), "localhost", False, "a_conflict", "Delete the A record."
)
UNREGISTERED = MISSING._replace(code="unregistered", fix="Check the spelling.")
OFFER = "Get the certificate before you move"


@pytest.mark.parametrize(
    ("report", "rest", "shown", "hidden"),
    [
        (
            Report((WRONG,), TARGET_CAA),
            {"caa_allows": False},
            ("1 record to fix.", "Certificate We have to fix something first", OFFER),
            ("A CAA record of your domain",),
        ),
        (Report((MISSING,), NONE, warnings=(DIFFER,)), {}, ("Waiting for your DNS", "Not copied yet."), ()),
        (
            Report((), NONE, warnings=(DNSSEC,)),
            {"unresolved_since": datetime(2026, 1, 1, tzinfo=UTC)},
            ("DNSSEC needs a fix", "DNS check failed DNSSEC to fix, see below.", "Repair DNSSEC."),
            ("Waiting for your DNS",),
        ),
        (Report((UNREGISTERED,), NONE), {}, ("No such domain", "Check the spelling."), (OFFER,)),
        (Report((WRONG,), NONE), {"challenge_ready": True}, ("Waiting for your DNS",), ("DNS needs a fix",)),
    ],
)
def test_the_parts_of_a_card_are_consistent_before_dns_is_right(
    app: APIFlask,
    pro: Colleague,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
    report: Report,
    rest: dict[str, Any],
    shown: tuple[str, ...],
    hidden: tuple[str, ...],
) -> None:
    monkeypatch.setitem(
        app.config,
        "HOMEWARD",
        app.config["HOMEWARD"].model_copy(update={"acme_dns_zone": "_acme.homeward.example"}),
    )
    unverified = {"verified_host": None, "state": "unverified", "verified_at": None}
    known = {"report": dump_report(report), "checked_at": now, "caa_allows": True, "next_check_at": now + DAY}
    domains.add_verified_row(pro.project_id, HOST, **unverified | known | rest)
    page = page_of(pro)
    for text in shown:
        assert text in page
    for text in hidden:
        assert text not in page


def test_a_live_domain_with_broken_dnssec_is_not_shown_as_working(pro: Colleague, now: datetime) -> None:
    domain_id = verified(
        pro, now, report=dump_report(Report((RIGHT,), NONE, warnings=(DNSSEC,))), unresolved_since=now
    )
    certificates.add_certificate(domain_id, now)
    page = page_of(pro)
    assert "DNSSEC needs a fix" in page
    assert "The certificate cannot be renewed" in page
    assert "Visitors notice nothing" not in page
    assert "Working" not in page


def test_name_servers_silent_for_a_week_suggest_an_expired_domain(pro: Colleague, now: datetime) -> None:
    since = now - timedelta(days=8)
    rest = {"unanswered_at": now, "unanswered_why": "The DNS server answered REFUSED."}
    domain_id = verified(pro, now, unanswered_since=since, **rest)
    certificates.add_certificate(domain_id, now)
    page = page_of(pro)
    assert "Primary DNS does not answer" in page
    assert "DNS does not answer Since" in page
    assert f"The DNS servers of {HOST} do not answer" in page
    assert "Working" not in page
    assert "could not check" not in page
    assert "It has been like this since" in page
    assert "The domain may have expired" in page


def test_name_servers_silent_for_six_days_change_no_tag(pro: Colleague, now: datetime) -> None:
    rest = {"unanswered_at": now, "unanswered_why": "The DNS server answered REFUSED."}
    certificates.add_certificate(verified(pro, now, unanswered_since=now - timedelta(days=6), **rest), now)
    page = page_of(pro)
    assert "Working" in page
    assert "We could not check just now" in page
