"""The page of domains: adding, checking, fixing, redirecting and removing domains."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from apiflask import APIFlask
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from adoption.accounts.plan_changes import set_plan
from adoption.domains.caa_checks import Permission
from adoption.domains.dns_records import CheckedRecord, Report
from adoption.domains.dns_report_json import dump_report
from adoption.domains.models import Domain
from adoption.projects.publication import unpublish_site
from adoption.storage.database import reading, transaction
from tests import dns_server, domains, factories
from tests.cast import Colleague
from tests.dns_server import Zone
from tests.pages import without_times
from tests.statements import recorded_statements

pytestmark = pytest.mark.settings("embedded")

HOST, HTMX = "adopt.example.org", {"HX-Request": "true", "HX-Target": "domain-list"}


def the_domain(host: str = HOST) -> Domain:
    with reading() as session:
        return session.scalars(select(Domain).where(Domain.host == host)).one()


def add(who: Colleague, host: str = HOST, **rest: object) -> int:
    answer = who.post("domains", {"domain": host, **rest})
    assert answer.status_code == 303, answer.text
    return the_domain(host).id


def verify(who: Colleague, domain_id: int) -> TestResponse:
    return who.post(f"domains/{domain_id}/verification")


def test_an_added_domain_is_shown_with_its_dns_record(pro: Colleague) -> None:
    answer = pro.post("domains", {"domain": " https://Adopt.Example.org/ "})
    assert answer.location.endswith(f"/domains#domain-{the_domain().id}")
    page = pro.get("domains").text
    assert "adopt.example.org is added" in page
    for value in ("<code>CNAME</code>", "<code>adopt</code>", "<code>sites.example.com</code>"):
        assert value in page
    assert "Waiting for your DNS" in page
    assert "<code>TXT</code>" not in page
    assert "This server does not get certificates" in page


def test_a_rejected_domain_stays_in_the_form(pro: Colleague) -> None:
    for typed, sentence in (("my_shelter.example.org", "underscore"), ("", "Enter a domain of yours")):
        page = pro.post("domains", {"domain": typed})
        assert page.status_code == 422
        assert f'value="{typed}"' in page.text
        assert sentence in page.text
        assert 'aria-describedby="domain-hint domain-error" aria-invalid="true"' in page.text
        assert "<title>Error: Domains" in page.text


def test_a_wrong_dns_record_is_shown_with_its_fix(pro: Colleague, zone: Zone) -> None:
    domain_id = add(pro)
    zone.put(HOST, "A", "198.51.100.7")
    zone.put("example.org", "CAA", '0 issue "digicert.com"')
    verify(pro, domain_id)
    page = pro.get("domains").text
    assert "DNS check failed, 2 records to fix." in page
    assert "<strong>Delete the A record named adopt with the value 198.51.100.7.</strong>" in page
    assert "Blocks certificates" in page
    zone.put(HOST, "A")
    domains.put_right_records(zone, HOST)
    verify(pro, domain_id)
    page = pro.get("domains").text
    for found in ("DNS verified", "Working", "Primary", "Blocks certificates"):
        assert found in page
    assert "Waiting" not in page


def test_the_wrong_one_of_several_addresses_is_marked(pro: Colleague, zone: Zone) -> None:
    domain_id = add(pro, "example.org")
    zone.put("sites.example.com", "A", "203.0.113.24")
    zone.put("example.org", "A", "203.0.113.24", "198.51.100.7")
    verify(pro, domain_id)
    page = pro.get("domains").text
    assert (
        "value 198.51.100.7.</strong> The record sends about half of your visitors to another website" in page
    )
    assert "Wrong:</span><code>198.51.100.7</code>" in page
    assert "Right:</span><code>203.0.113.24</code>" in page


def test_an_apex_is_offered_the_addresses_of_the_edge(
    app: APIFlask, pro: Colleague, zone: Zone, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = ("203.0.113.24", "2001:db8::24")
    monkeypatch.setitem(
        app.config, "HOMEWARD", app.config["HOMEWARD"].model_copy(update={"edge_addresses": addresses})
    )
    domain_id = add(pro, "example.org")
    page = pro.get("domains").text
    assert "If your provider has none of these, add the A and AAAA records instead." in page
    for address in addresses:
        assert f'<code>{address}</code><button class="copy' in page
    verify(pro, domain_id)
    page = pro.get("domains").text
    assert re.search(
        r'or AAAA</span><span class="copyable"><code>2001:db8::24</code><button class="copy', page
    )
    zone.put("example.org", "A", "203.0.113.24")
    verify(pro, domain_id)
    assert "DNS verified" in pro.get("domains").text


def test_a_failed_dns_check_is_reported_and_changes_nothing(pro: Colleague, zone: Zone) -> None:
    domain_id = add(pro)
    domains.put_right_records(zone, HOST)
    verify(pro, domain_id)
    zone.faults["*"] = dns_server.SERVFAIL
    verify(pro, domain_id)
    page = pro.get("domains").text
    assert "We could not check adopt.example.org. Nothing has changed." in page
    assert "answered SERVFAIL" in page
    assert "Working" in page


def test_htmx_swaps_the_domain_list_and_announces_the_result(pro: Colleague, zone: Zone) -> None:
    domain_id = add(pro)
    failed = pro.post(f"domains/{domain_id}/verification", headers=HTMX).text
    assert failed.startswith('<div id="domain-list"')
    assert '<p id="announcer" hx-swap-oob="innerHTML">adopt.example.org: DNS check failed' in failed
    assert re.search(rf'id="verify-{domain_id}"[^>]* data-focus', failed)
    domains.put_right_records(zone, HOST)
    done = pro.post(f"domains/{domain_id}/verification", headers=HTMX).text
    assert "adopt.example.org: DNS verified</p>" in done
    assert re.search(rf'id="name-{domain_id}"[^>]* data-focus', done)


def test_the_page_polls_only_while_a_domain_waits(pro: Colleague, zone: Zone) -> None:
    domain_id = add(pro)
    address = watched(pro, "every 30s")
    assert pro.get(address, headers=HTMX).status_code == 204
    domains.put_right_records(zone, HOST)
    verify(pro, domain_id)
    fresh = pro.get(address, headers=HTMX)
    assert fresh.status_code == 200
    assert "Working" in fresh.text
    assert ">adopt.example.org: DNS verified</p>" in fresh.text
    assert "every 30s" not in fresh.text
    assert pro.get("domains/list").status_code == 303


def watched(who: Colleague, how: str) -> str:
    """Return the URL that the page polls at this interval."""
    pattern = rf'hx-get="([^"]+/domains/list[^"]*)" hx-trigger="{how}, '
    [address] = re.findall(pattern, who.get("domains").text)
    return unescape(address)


def test_polling_swaps_only_cards_that_have_changed(pro: Colleague, zone: Zone) -> None:
    first, second = add(pro), add(pro, "www.example.org")
    address = watched(pro, "every 30s")
    zone.put("www.example.org", "A", "198.51.100.7")
    verify(pro, second)
    fresh = pro.get(address, headers=HTMX).text
    assert f'id="domain-{second}" hx-swap-oob="true"' in fresh
    assert f'id="domain-{first}"' not in fresh
    assert "built-in" not in fresh
    assert "announcer" not in fresh


def test_polling_swaps_the_whole_list_if_its_order_has_changed(pro: Colleague) -> None:
    add(pro)
    address = watched(pro, "every 30s")
    add(pro, "www.example.org")
    fresh = pro.get(address, headers=HTMX)
    assert fresh.headers["HX-Retarget"] == "#domain-list"
    assert fresh.text.startswith('<div id="domain-list"')
    assert pro.get("domains/list?seen=x&seen=-&seen=", headers=HTMX).status_code == 200


def test_without_javascript_a_link_reloads_the_domain_list(pro: Colleague, zone: Zone) -> None:
    domain_id = add(pro)
    link = f'/domains/list#domain-{domain_id}">Update this page'
    assert link in pro.get("domains").text
    domains.put_right_records(zone, HOST)
    verify(pro, domain_id)
    assert "Update this page" not in pro.get("domains").text


def test_domains_whose_automatic_checks_have_ended_are_not_polled(pro: Colleague) -> None:
    add(pro)
    with transaction() as session:
        session.execute(update(Domain).values(next_check_at=None))
    page = pro.get("domains").text
    assert 'hx-trigger="every' not in page
    assert "Our automatic checks have ended. An owner can press Verify." in page


def test_a_domain_that_another_account_had_needs_a_txt_record(
    pro: Colleague, outsider: Colleague, zone: Zone
) -> None:
    first = add(domains.upgrade_to_pro(outsider))
    domains.put_right_records(zone, HOST)
    verify(outsider, first)
    outsider.post(f"domains/{first}/removal")
    domain_id = add(pro)
    page = pro.get("domains").text
    token = the_domain().token
    assert "<code>_homeward.adopt</code>" in page
    assert f"<code>{token}</code>" in page
    zone.put(f"_homeward.{HOST}", "TXT", token)
    verify(pro, domain_id)
    assert the_domain().state == "verified"


def test_the_www_of_an_apex_is_offered(pro: Colleague) -> None:
    add(pro, "example.org")
    page = pro.get("domains").text
    assert 'value="www.example.org"' in page
    assert "<code>ALIAS</code>" in page
    add(pro, "www.example.org")
    assert 'value=""' in pro.get("domains").text


def connected(pro: Colleague, zone: Zone) -> list[int]:
    hosts = (HOST, "www.example.org", "old.example.org")
    domains.put_right_records(zone, *hosts)
    ids = [add(pro, host) for host in hosts]
    for each in ids:
        verify(pro, each)
    return ids


def test_redirects_are_shown_changed_and_downloaded(pro: Colleague, zone: Zone) -> None:
    first, www, old = connected(pro, zone)
    assert pro.post(f"domains/{old}/redirect", {"to": "site"}).status_code == 303
    assert pro.post(f"domains/{www}/redirect", {"to": str(old), "status": "308"}).status_code == 303
    assert "Redirect 308" in pro.get("domains").text
    answer = pro.get("domains/redirects.json")
    assert answer.json == [{"from": "www.example.org", "to": "old.example.org", "status": 308}]
    assert "attachment" in answer.headers["Content-Disposition"]
    assert pro.post(f"domains/{www}/redirect", {"to": "primary", "status": "303"}).status_code == 422
    pro.post(f"domains/{old}/redirect", {"to": "primary"})
    assert "because other domains redirect to it" in pro.get("domains").text
    assert pro.get(f"domains/{first}/redirect").status_code == 404
    assert pro.get("domains/redirects.json").json == answer.json


def test_another_domain_becomes_primary(pro: Colleague, zone: Zone) -> None:
    _, www, _ = connected(pro, zone)
    pro.post(f"domains/{www}/primary")
    found = pro.get("domains/redirects.json").json
    assert {each["to"] for each in found} == {"www.example.org"}


def built_in(who: Colleague) -> str:
    return who.get("domains").text.partition('id="domain-built-in"')[2].partition("</li>")[0]


def test_the_subdomain_of_the_platform_is_shown_with_its_current_redirect(pro: Colleague, zone: Zone) -> None:
    assert "Primary" in built_in(pro)
    first, _, _ = connected(pro, zone)
    assert f"<bdi>{HOST}</bdi>" in built_in(pro)
    zone.put(HOST, "CNAME")
    verify(pro, first)
    assert "No longer leads here" in pro.get("domains").text
    for found in (HOST, "Redirect 301", "Primary"):
        assert found not in built_in(pro), "it shows the site while the primary domain does not"
    assert "Working" in built_in(pro)


def test_when_the_plan_ends_the_page_shows_one_primary_domain_and_no_redirect(
    pro: Colleague, zone: Zone
) -> None:
    connected(pro, zone)
    set_plan(pro.slug, "free")
    assert pro.get("domains").text.count(">Primary</span>") == 1
    assert "Redirect 301" not in built_in(pro)


def test_the_role_of_a_domain_is_shown_before_it_is_verified(pro: Colleague, zone: Zone) -> None:
    connected(pro, zone)
    add(pro, "new.example.org")
    add(pro, "best.example.org", role="primary")
    *_, new, best, _ = pro.get("domains").text.split('<li class="panel domain-card"')
    assert ("Sends visitors on" in new, "Primary once verified" in new) == (True, False)
    assert ("Shows your site" in best, "Primary once verified" in best) == (True, True)


def test_make_primary_is_offered_only_for_domains_that_lead_here(pro: Colleague, zone: Zone) -> None:
    _, www, _ = connected(pro, zone)
    assert pro.get("domains").text.count("Make primary") == 2
    zone.put("www.example.org", "CNAME", "old.example.com")
    verify(pro, www)
    assert pro.get("domains").text.count("Make primary") == 1


def test_removal_lists_the_domains_that_redirect_there_and_their_new_target(
    pro: Colleague, zone: Zone
) -> None:
    first, www, old = connected(pro, zone)
    add(pro, "new.example.org")
    assert "These domains redirect to this domain: www.example.org and old.example.org." in removal(
        pro, first
    )
    assert "redirect here" not in removal(pro, old)
    pro.post(f"domains/{old}/redirect", {"to": "site"})
    pro.post(f"domains/{www}/redirect", {"to": str(old)})
    sent_on = "Other domains redirect to it: www.example.org. From then on they redirect to"
    assert f"{sent_on} {HOST}." in removal(pro, old)
    for host in ("www.example.org", "old.example.org"):
        zone.put(host, "CNAME", "elsewhere.example.com")
    for each in (www, old):
        verify(pro, each)
    pro.post(f"domains/{www}/redirect", {"to": "primary"})
    alone = removal(pro, first)
    assert "New primary domain" not in alone
    assert "redirect to it: www.example.org. From then on they show the site themselves." in alone


def removal(who: Colleague, domain_id: int) -> str:
    return who.get(f"domains/{domain_id}/removal").text


def test_with_htmx_an_added_domain_gets_the_focus_and_is_announced(pro: Colleague) -> None:
    page = pro.post("domains", {"domain": HOST}, headers={**HTMX, "HX-Target": "main"})
    assert page.status_code == 200
    message = f"{HOST} is added. Add the record below at your DNS provider, then press Verify."
    assert f'data-announce="{message}"' in page.text
    assert re.search(rf'id="name-{the_domain().id}"[^>]* data-focus', page.text)
    assert page.text.count("data-focus") == 1


def test_removal_is_confirmed_and_requires_a_new_primary_domain(pro: Colleague, zone: Zone) -> None:
    first, www, old = connected(pro, zone)
    plain = pro.get(f"domains/{old}/removal").text
    assert "Remove old.example.org?" in plain
    assert "old.example.org stops working at once: visitors&#39; browsers show an error." in plain
    assert "go to your DNS provider and delete the CNAME record named old" in plain
    assert "New primary domain" not in plain
    asked = pro.get(f"domains/{first}/removal", headers={**HTMX, "HX-Target": "dialog-slot"}).text
    assert asked.lstrip().startswith("<dialog")
    assert "New primary domain" in asked
    pro.post(f"domains/{first}/removal")
    assert "Choose the new primary domain first" in pro.get("domains").text
    pro.post(f"domains/{first}/removal", {"heir": str(www)})
    assert "Removed adopt.example.org." in pro.get("domains").text
    assert the_domain("www.example.org").primary_of == pro.project_id


def test_the_free_plan_is_referred_to_the_plan_with_domains(owner: Colleague) -> None:
    page = owner.get("domains").text
    assert "Your own domain needs the Pro plan" in page
    assert 'name="domain"' not in page
    assert "/usage#plans" in page
    assert owner.post("domains", {"domain": HOST}).status_code == 422


def test_an_unpublished_site_is_referred_to_the_publish_button(pro: Colleague) -> None:
    unpublish_site(pro.project_id)
    page = pro.get("domains").text
    assert "There is nothing to show at a domain yet" in page
    assert "/settings#publish" in page
    assert pro.post("domains", {"domain": HOST}).status_code == 422


def test_the_usage_page_lists_the_plans_with_custom_domains(owner: Colleague) -> None:
    assert owner.get("usage").text.count("Custom domains") == 3


def test_a_teammate_sees_and_changes_nothing(pro: Colleague, teammate: Colleague) -> None:
    add(pro)
    page = teammate.get("domains").text
    assert HOST in page
    for form in ("Add domain", "Verify<", "Remove<", "Make primary"):
        assert form not in page


def test_html_in_dns_answers_is_escaped(pro: Colleague, zone: Zone) -> None:
    domain_id = add(pro)
    zone.put(HOST, "CNAME", "<img/src=x>.example")
    verify(pro, domain_id)
    page = pro.get("domains").text
    assert "<img/src" not in page
    assert "&lt;img/src" in page


def test_a_domain_that_no_longer_leads_here_shows_since_when(pro: Colleague, zone: Zone) -> None:
    ids = connected(pro, zone)
    zone.put(HOST, "CNAME", "old.example.com")
    verify(pro, ids[0])
    past = datetime.now(UTC) - timedelta(days=400)
    with transaction() as session:
        session.execute(update(Domain).values(created_at=past))
    page = pro.get("domains").text
    assert "No longer leads here" in page
    assert f"{past.day} {past:%B %Y}".replace(" ", "\N{NO-BREAK SPACE}") in page


def test_the_notice_about_a_cached_record_disappears_after_its_ttl(pro: Colleague) -> None:
    now = datetime.now(UTC)
    why = "Your provider has the new record. Some visitors may still get the old record for 12 more minutes."
    right = CheckedRecord("CNAME", "adopt", ("x.example",), "x.example", True, "cname_ok", why=why)
    report = dump_report(Report((right,), Permission(True, "caa_none")))
    domains.add_verified_row(pro.project_id, HOST, report=report, checked_at=now)
    assert f"Today, {now:%H:%M} UTC: {why}" in without_times(pro.get("domains").text)
    with transaction() as session:
        session.execute(update(Domain).values(checked_at=now - timedelta(hours=2)))
    assert why not in pro.get("domains").text


def test_the_page_needs_the_same_number_of_statements_for_any_number_of_domains(pro: Colleague) -> None:
    unverified = {"state": "unverified", "verified_host": None}
    counts = []
    with recorded_statements() as asked:
        for first, last in ((0, 2), (2, 30)):
            for number in range(first, last):
                domains.add_verified_row(pro.project_id, f"adopt{number}.example.org", **unverified)
            asked.clear()
            assert pro.get("domains").text.count('class="panel domain-card"') == last + 1
            counts.append(len(asked))
    assert counts[0] == counts[1] > 0


def test_a_record_that_proves_ownership_is_listed_with_its_reason(pro: Colleague) -> None:
    domains.add_verified_row(factories.project("Fenland", owner="owner@fen.example").id, "www.example.org")
    domain_id = add(pro)
    page = pro.get("domains").text
    assert "<code>_homeward.adopt</code>" in page
    assert f"<code>{domains.stored_domain(domain_id).token}</code>" in page
    assert "Another account here uses example.org, or used it before. Only the owner" in page
