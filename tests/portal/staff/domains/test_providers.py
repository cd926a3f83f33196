"""DNS providers, recognised by the name servers of a zone."""

from html import unescape

import pytest
from apiflask import APIFlask

from adoption.domains.dns_providers import PROVIDERS, find_provider
from adoption.domains.dns_transport import DnsServer
from tests import domains
from tests.cast import Colleague
from tests.dns_server import Zone
from tests.pages import without_times

pytestmark = pytest.mark.settings("embedded")

SERVERS = {
    "Cloudflare": ["amy.ns.cloudflare.com", "bob.ns.cloudflare.com"],
    "GoDaddy": ["ns01.domaincontrol.com", "ns02.domaincontrol.com"],
    "Namecheap": ["dns1.registrar-servers.com", "dns2.registrar-servers.com"],
    "IONOS": ["ns1045.ui-dns.biz", "ns1106.ui-dns.de", "ns1094.ui-dns.org", "ns1020.ui-dns.com"],
    "Squarespace": ["ns-cloud-a1.googledomains.com", "ns-cloud-a2.googledomains.com"],
    "STRATO": ["docks06.rzone.de", "shades08.rzone.de"],
    "OVHcloud": ["dns106.ovh.net", "ns106.ovh.net"],
    "Hostinger": ["ns1.dns-parking.com", "ns2.dns-parking.com"],
    "Amazon Route 53": ["ns-1536.awsdns-00.co.uk", "ns-512.awsdns-00.net", "NS-0.awsdns-00.com."],
    "Bluehost": ["ns1.bluehost.com", "ns2.bluehost.com"],
    "Wix": ["ns8.wixdns.net", "ns9.wixdns.net"],
    "Network Solutions": ["ns13.worldnic.com", "ns14.worldnic.com"],
}


@pytest.fixture
def pro(
    app: APIFlask, owner: Colleague, name_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> Colleague:
    found = app.config["HOMEWARD"].model_copy(
        update={"dns_servers": (tuple(name_server),), "cname_target": "sites.example.com"}
    )
    monkeypatch.setitem(app.config, "HOMEWARD", found)
    return domains.upgrade_to_pro(owner)


def text_of(who: Colleague) -> str:
    return unescape(without_times(who.get("domains").text))


def test_every_provider_is_recognised_by_its_servers() -> None:
    assert [each.name for each in PROVIDERS] == list(SERVERS)
    for name, servers in SERVERS.items():
        provider = find_provider(servers)
        assert provider is not None
        assert provider.name == name


@pytest.mark.parametrize(
    "servers", [[], ["ns1.example.net"], ["ns01.domaincontrol.com", "amy.ns.cloudflare.com"], ["ovh.net"]]
)
def test_unknown_or_mixed_name_servers_match_no_provider(servers: list[str]) -> None:
    assert find_provider(servers) is None


@pytest.mark.parametrize("name", SERVERS)
def test_the_card_of_a_new_domain_uses_the_words_of_the_providers_form(
    pro: Colleague, zone: Zone, name: str
) -> None:
    zone.put("example.org", "NS", *(each.rstrip(".") for each in SERVERS[name]))
    pro.post("domains", {"domain": "adopt.example.org"})
    page, provider = pro.get("domains").text, find_provider(SERVERS[name])
    assert provider is not None
    assert f"Your DNS is at {name}." in page
    for word in (provider.add, provider.name_field, provider.value_field, provider.save, *provider.path):
        assert f"<b>{word}</b>" in page
    assert f'href="{provider.address}"' in unescape(page)
    value = "sites.example.com." if provider.ends_in_dot else "sites.example.com"
    assert f"<code>{value}</code>" in page


def test_the_expected_value_ends_in_a_dot_if_the_providers_form_needs_it(pro: Colleague, zone: Zone) -> None:
    zone.put("example.org", "NS", *SERVERS["OVHcloud"])
    zone.put("adopt.example.org", "CNAME", "old.example.com")
    pro.post("domains", {"domain": "adopt.example.org"})
    domain_id = pro.get("domains").text.partition('card" id="domain-')[2].partition('"')[0]
    pro.post(f"domains/{domain_id}/verification")
    expected = pro.get("domains").text.partition("<dt>Expected</dt>")[2].partition("</dd>")[0]
    assert "<code>sites.example.com.</code>" in expected


def test_an_apex_has_the_record_type_of_its_providers_form(pro: Colleague, zone: Zone) -> None:
    zone.put("example.org", "NS", *SERVERS["Cloudflare"])
    pro.post("domains", {"domain": "example.org"})
    page = pro.get("domains").text
    assert "<code>CNAME</code>" in page
    assert "ALIAS" not in page


def test_an_apex_that_cannot_lead_here_is_forwarded_to_www(pro: Colleague, zone: Zone) -> None:
    zone.put("example.org", "NS", *SERVERS["GoDaddy"])
    pro.post("domains", {"domain": "example.org"})
    text = text_of(pro)
    assert "Forward example.org at your DNS provider" in text
    assert "Use www.example.org, and forward example.org to https://www.example.org at GoDaddy." in text
    assert "<code>ALIAS</code>" not in text, "GoDaddy's form has no such record"
    zone.put("sites.example.com", "A", "203.0.113.9")
    zone.put("example.org", "A", "198.51.100.7")
    domain_id = pro.get("domains").text.partition('card" id="domain-')[2].partition('"')[0]
    pro.post(f"domains/{domain_id}/verification")
    text = text_of(pro)
    assert "Leads elsewhere" in text
    assert "Use www.example.org, and forward example.org" in text
    assert "Delete the A record" not in text, "forwarding replaces it"
    assert "Expected" not in text
    pro.post("domains", {"domain": "www.example.org"})
    pro.post(f"domains/{domain_id}/removal")
    assert "Many visitors try" not in text_of(pro), "it is not offered again"


def test_an_unknown_provider_gets_general_steps(pro: Colleague, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns1.example.net")
    pro.post("domains", {"domain": "adopt.example.org"})
    page = pro.get("domains").text
    assert "Add this at your DNS provider" in page
    assert "Sign in where you bought the domain" in page
    assert "Your DNS is at" not in page


def test_a_domain_that_moves_is_shown_with_its_new_provider(pro: Colleague, zone: Zone) -> None:
    zone.put("example.org", "NS", *SERVERS["GoDaddy"])
    pro.post("domains", {"domain": "adopt.example.org"})
    zone.put("example.org", "NS", *SERVERS["Wix"])
    zone.put("adopt.example.org", "A", "198.51.100.7")
    domain_id = pro.get("domains").text.partition('<li class="panel domain-card" id="domain-')[2]
    pro.post(f"domains/{domain_id.partition(chr(34))[0]}/verification")
    page = pro.get("domains").text
    assert "Your DNS is at Wix." in page
    assert "GoDaddy" not in page


def test_the_steps_to_add_records_are_shown_until_the_first_manual_check(pro: Colleague, zone: Zone) -> None:
    pro.post("domains", {"domain": "adopt.example.org"})
    domain_id = int(pro.get("domains").text.partition('card" id="domain-')[2].partition('"')[0])
    domains.check_automatically(domain_id, pro.project_id)
    assert "Sign in where you bought the domain" in text_of(pro)
    pro.post(f"domains/{domain_id}/verification")
    assert "We have not found the record yet." in text_of(pro)
