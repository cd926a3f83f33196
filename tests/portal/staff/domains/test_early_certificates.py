"""The offer of a certificate before the switch of DNS."""

from datetime import UTC, datetime
from html import unescape

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from adoption.domains.dns_transport import DnsServer
from adoption.domains.early_certificates import challenge_target
from adoption.domains.models import Domain
from adoption.storage.database import reading
from tests import certificates, domains
from tests.cast import Colleague
from tests.dns_server import Zone

pytestmark = pytest.mark.settings("embedded")

HOST, ZONE = "adopt.example.org", "_acme.homeward.example"
OFFER = "Get the certificate before you move your website"


@pytest.fixture
def pro(
    app: APIFlask, owner: Colleague, name_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> Colleague:
    """The owner of a shelter with domains, in a service that orders certificates and has a DNS hook."""
    known = app.config["HOMEWARD"].model_copy(
        update={
            "dns_servers": (tuple(name_server),),
            "acme_directory": "https://ca.test/directory",
            "acme_dns_zone": ZONE,
        }
    )
    monkeypatch.setitem(app.config, "HOMEWARD", known)
    return domains.upgrade_to_pro(owner)


def add(who: Colleague, host: str = HOST) -> Domain:
    assert who.post("domains", {"domain": host}).status_code == 303
    with reading() as session:
        return session.scalars(select(Domain).where(Domain.host == host)).one()


def verify(who: Colleague, domain: Domain) -> str:
    who.post(f"domains/{domain.id}/verification")
    return who.get("domains").text


def test_the_card_offers_a_certificate_before_the_switch(pro: Colleague, zone: Zone) -> None:
    zone.put(HOST, "A", "198.51.100.7")
    domain = add(pro)
    target = challenge_target(domain, ZONE)
    page = pro.get("domains").text
    for shown in (OFFER, "<code>_acme-challenge.adopt</code>", f"<code>{target}</code>"):
        assert shown in page
    assert "This record is not there yet" in verify(pro, domain)
    zone.put(f"_acme-challenge.{HOST}", "CNAME", "elsewhere.example")
    assert "This record leads to elsewhere.example. Replace its value" in verify(pro, domain)
    zone.put(f"_acme-challenge.{HOST}", "CNAME", target)
    page = verify(pro, domain)
    assert f"{HOST}: This record is right. We are getting the certificate" in page  # the notice
    assert "Ordering a certificate" in page
    certificates.add_certificate(domain.id, datetime.now(UTC), live_since=None, seen_at=None)
    page = pro.get("domains").text
    for shown in (
        "Certificate ready",
        "Waiting for you to change DNS",
        f"Now change the other records of {HOST}",
    ):
        assert shown in page
    zone.put(HOST, "A")
    domains.put_right_records(zone, HOST)
    page = verify(pro, domain)
    assert "Keep this record: renewals of the certificate use it too." in page
    assert OFFER not in page


@pytest.mark.parametrize(("host", "proxied"), [(HOST, True), ("example.net", True), (HOST, False)])
def test_a_host_behind_cloudflares_proxy_is_asked_to_switch_it_off(
    pro: Colleague, zone: Zone, host: str, proxied: bool
) -> None:
    zone.put("example.org", "NS", "amy.ns.cloudflare.com")
    zone.put("example.net", "NS", "amy.ns.cloudflare.com")
    zone.put("localhost", "A", "127.0.0.1")
    zone.put(host, "A", "104.16.1.1" if proxied else "198.51.100.7")
    domain = add(pro, host)
    zone.put(f"_acme-challenge.{host}", "CNAME", challenge_target(domain, ZONE))
    verify(pro, domain)
    certificates.add_certificate(domain.id, datetime.now(UTC), live_since=None, seen_at=None)
    page = unescape(pro.get("domains").text)
    hidden = "We see Cloudflare's proxy instead of your record, see below."
    todo = (
        "The certificate is ready. Now change the record and switch Cloudflare's proxy off, as shown above."
    )
    assert (hidden in page, todo in page) == (proxied, proxied)
    assert ("switch “Proxy status” off and save" in page) == proxied


def test_a_failed_order_before_the_switch_says_why(pro: Colleague, zone: Zone) -> None:
    domain = add(pro)
    zone.put(f"_acme-challenge.{HOST}", "CNAME", challenge_target(domain, ZONE))
    verify(pro, domain)
    certificates.add_failed_order(domain.id, datetime.now(UTC), "rejectedIdentifier", "Policy forbids it")
    page = pro.get("domains").text
    assert "There is no certificate yet. Use another domain, or ask Let&#39;s Encrypt." in page


def test_no_early_certificate_is_offered_after_the_switch_or_without_a_hook(
    app: APIFlask, pro: Colleague, zone: Zone, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = add(pro)
    domains.put_right_records(zone, HOST)
    assert OFFER in pro.get("domains").text
    monkeypatch.setitem(
        app.config, "HOMEWARD", app.config["HOMEWARD"].model_copy(update={"acme_dns_zone": ""})
    )
    assert OFFER not in pro.get("domains").text
    monkeypatch.setitem(
        app.config, "HOMEWARD", app.config["HOMEWARD"].model_copy(update={"acme_dns_zone": ZONE})
    )
    assert "_acme-challenge" not in verify(pro, domain)
