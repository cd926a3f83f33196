"""Texts on the page of domains for people who do not know DNS."""

import pytest
from apiflask import APIFlask

from adoption.domains.dns_transport import DnsServer
from tests import domains
from tests.cast import Colleague
from tests.dns_server import Zone
from tests.portal.staff.domains.test_certificates import page_of

pytestmark = pytest.mark.settings("embedded")

HOST, TARGET, OLD = "adopt.example.org", "sites.example.com", "198.51.100.7"
DIGICERT = ("example.org", "CAA", '0 issue "digicert.com"')

WORLDS = {
    "an A record": (
        [(HOST, "A", OLD)],
        [
            f"Instead, a CNAME record with the value {TARGET}",
            "record sends visitors to another website, and no CNAME",
        ],
    ),
    "an AAAA record": ([(HOST, "AAAA", "2001:db8::7")], [f"Instead, a CNAME record with the value {TARGET}"]),
    "a chain": (
        [(HOST, "CNAME", "other.example.net"), ("other.example.net", "CNAME", TARGET)],
        ["Leads here indirectly"],
    ),
    "another authority": (
        [DIGICERT],
        [
            "CAA record @ Blocks certificates",
            "Your domain allows only DigiCert. Our certificates come from Let's Encrypt.",
            "If the form has three fields, enter flag 0, tag issue, value letsencrypt.org.",
            "A CAA record of your domain blocks it, see below",
        ],
    ),
    "nobody may": (
        [("example.org", "CAA", '0 issue ";"')],
        ["Your domain allows nobody. Our certificates come from Let's Encrypt."],
    ),
    "another way": (
        [("example.org", "CAA", '0 issue "letsencrypt.org; validationmethods=dns-01"')],
        ["Your domain allows Let's Encrypt, but only by a method that we do not use."],
    ),
    "two authorities": (
        [("example.org", "CAA", '0 issue "sectigo.com"', '0 issue "ca.example"')],
        ["Your domain allows only Sectigo and ca.example."],
    ),
}


@pytest.fixture
def pro(
    app: APIFlask, owner: Colleague, name_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> Colleague:
    found = app.config["HOMEWARD"].model_copy(
        update={
            "dns_servers": (tuple(name_server),),
            "cname_target": TARGET,
            "acme_directory": "https://ca.example/directory",
        }
    )
    monkeypatch.setitem(app.config, "HOMEWARD", found)
    return domains.upgrade_to_pro(owner)


@pytest.mark.parametrize(("records", "sentences"), WORLDS.values(), ids=WORLDS)
def test_failed_dns_checks_are_explained_in_plain_words(
    pro: Colleague, zone: Zone, records: list[tuple[str, ...]], sentences: list[str]
) -> None:
    for name, kind, *values in records:
        zone.put(name, kind, *values)
    pro.post("domains", {"domain": HOST})
    domain_id = pro.get("domains").text.partition('card" id="domain-')[2].partition('"')[0]
    pro.post(f"domains/{domain_id}/verification")
    page = page_of(pro)
    for sentence in sentences:
        assert sentence in page


def test_the_form_explains_the_role_of_a_domain(pro: Colleague) -> None:
    assert "You can close this page" not in page_of(pro)
    pro.post("domains", {"domain": HOST})
    page = page_of(pro)
    assert "Sends visitors to your primary domain" in page
    assert "Nothing changes for visitors until you change DNS." in page
    assert "We check for 7 days and email you. You can close this page" in page
