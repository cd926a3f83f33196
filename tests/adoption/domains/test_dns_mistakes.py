"""The advice for DNS mistakes that need more queries than the records of the host."""

from typing import Any

import pytest

from adoption.domains.caa_checks import TARGET_BLOCKS
from adoption.domains.dns_checks import check_dns
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_records import WantedRecords
from adoption.domains.dns_transport import DnsServer
from adoption.domains.dnssec_checks import DNSSEC_BROKEN
from adoption.domains.name_server_checks import DIFFER
from portal.staff.domains.dns_check_results import VERDICTS
from tests.dns_server import Zone

TARGET, SUB, APEX = "sites.platform.example", "adopt.example.org", "example.org"
OURS, OURS6, OLD, OLD6, PROXY = "203.0.113.9", "2001:db8::9", "198.51.100.7", "2001:db8::7", "104.16.1.1"
EDGE = (OURS, OURS6)
TOKEN = "hw-verify=0123456789abcdef0123456789abcdef"
CLOUDFLARE = {("example.org", "NS"): ["ada.ns.cloudflare.com"]}
SUB_ZONE = {("sub.example.org", "NS"): ["ns1.provider.example"]}
OWN_SERVERS = (
    "sub.example.org has its own name servers: add the record in the DNS settings of sub.example.org, not in "
    "the settings of example.org."
)
NOT_YET = (
    "We have not found the record yet. A new record is usually there within minutes, but it can take up "
    "to 48 "
    "hours. We check again automatically."
)

ROWS: dict[str, tuple[str, dict[Any, list[str]], str, str]] = {
    "a wildcard record": (
        SUB,
        {("*.example.org", "A"): [OLD]},
        "wildcard",
        f"Add a CNAME record with the name adopt and the value {TARGET}. Your record named * applies to "
        f"every name without a record of its own, so adopt leads to {OLD} now. Keep that record: for "
        "adopt only, the new record replaces it.",
    ),
    "a wildcard record that is a CNAME": (
        SUB,
        {("*.example.org", "CNAME"): ["old.example.com"]},
        "wildcard",
        f"Add a CNAME record with the name adopt and the value {TARGET}. Your record named * applies to "
        "every name without a record of its own, so adopt leads to old.example.com now. Keep that "
        "record: for adopt only, the new record replaces it.",
    ),
    "a record beside a wildcard record": (
        SUB,
        {("*.example.org", "A"): [OLD], (SUB, "A"): ["198.51.100.8"]},
        "a_conflict",
        "Delete the A record named adopt with the value 198.51.100.8. The A record sends visitors to another "
        "website, and no CNAME record can be added beside it. Then add a CNAME record with the name "
        f"adopt and the value {TARGET}.",
    ),
    "a delegated zone with our address": (
        "sub.example.org",
        SUB_ZONE | {("sub.example.org", "A"): [OURS]},
        "alias_ok",
        "",
    ),
    "a delegated zone without records": (
        "sub.example.org",
        SUB_ZONE,
        "missing",
        f"Add an ALIAS record with the name @ and the value {TARGET}. @ means sub.example.org itself. "
        "At some providers, the ALIAS record is called “ANAME”. Others let you add a CNAME record with "
        "the name "
        "@ instead. If your provider has none of these, "
        f"use www.sub.example.org and forward sub.example.org to it. {OWN_SERVERS} {NOT_YET}",
    ),
    "a name in a delegated zone": (
        "adopt.sub.example.org",
        SUB_ZONE,
        "missing",
        f"Add a CNAME record with the name adopt and the value {TARGET}. {OWN_SERVERS} {NOT_YET}",
    ),
    "an old address at Cloudflare": (
        SUB,
        CLOUDFLARE | {(SUB, "A"): [OLD]},
        "a_conflict",
        f"Delete the A record named adopt with the value {OLD}. The A record sends visitors to another "
        "website, "
        "and no CNAME record can be added beside it. Then add a CNAME record with the name adopt and "
        f"the value {TARGET}.",
    ),
    "a proxied record at Cloudflare with both kinds of addresses": (
        SUB,
        CLOUDFLARE | {(SUB, "A"): [PROXY], (SUB, "AAAA"): ["2606:4700::1"]},
        "a_conflict_proxied",
        "At Cloudflare, edit the record named adopt, switch “Proxy status” off and save. The orange "
        "cloud then turns grey (“DNS only”). While it is orange, visitors reach Cloudflare instead of "
        "the value of your record.",
    ),
    "an old address of an apex at Cloudflare": (
        APEX,
        CLOUDFLARE | {(APEX, "A"): [OLD]},
        "a_elsewhere",
        f"Delete the A record named @ with the value {OLD}. The record leads to another website. Then add a "
        f"CNAME record with the name @ and the value {TARGET}.",
    ),
    "an apex at a provider without ALIAS": (
        APEX,
        {("example.org", "NS"): ["ns1.domaincontrol.com"]},
        "missing",
        "Use www.example.org, and forward example.org to https://www.example.org at GoDaddy. "
        "Only an ALIAS record could lead example.org itself here, and GoDaddy has none. If "
        "www.example.org is "
        "not in your list yet, add it above. Once example.org is forwarded, remove example.org here.",
    ),
    "an old address of an apex at a provider without ALIAS": (
        APEX,
        {("example.org", "NS"): ["ns1.domaincontrol.com"], (APEX, "A"): [OLD]},
        "a_elsewhere",
        "Use www.example.org, and forward example.org to https://www.example.org at GoDaddy. "
        "Only an ALIAS record could lead example.org itself here, and GoDaddy has none. If "
        "www.example.org is "
        "not in your list yet, add it above. Once example.org is forwarded, remove example.org here.",
    ),
    "an unregistered domain": (
        "adopt.exmaple.org",
        {},
        "unregistered",
        "Check the spelling: exmaple.org does not exist. If the domain is misspelt, remove it here and "
        "add the right one. If you have just bought the domain, wait a few hours. If the domain worked "
        "before, it may have expired: check where you bought it.",
    ),
    "a doubled name": (
        SUB,
        {(f"{SUB}.example.org", "CNAME"): [TARGET]},
        "name_doubled",
        "Edit the CNAME record: change its name to adopt alone. The record is for "
        "adopt.example.org.example.org now, because your provider adds example.org to every name.",
    ),
}


def wanted(host: str, zone: Zone, addresses: tuple[str, ...] = (), token: str = "") -> WantedRecords:
    zone.records.setdefault((TARGET, "A"), [OURS])
    zone.records.setdefault((TARGET, "AAAA"), [OURS6])
    return WantedRecords(host, TARGET, token, addresses=addresses)


@pytest.mark.parametrize(("host", "records", "code", "sentence"), ROWS.values(), ids=ROWS.keys())
def test_each_dns_mistake_has_its_advice(
    server: DnsServer, zone: Zone, host: str, records: dict[Any, list[str]], code: str, sentence: str
) -> None:
    zone.records, zone.unregistered = dict(records), {"exmaple.org"}
    [record] = check_dns(wanted(host, zone), DnsClient([server])).records
    assert (record.code, record.hint) == (code, sentence)
    assert record.ok is (code == "alias_ok")


def test_the_expected_value_ends_in_the_missing_dot(server: DnsServer, zone: Zone) -> None:
    zone.put(SUB, "CNAME", f"{TARGET}.example.org")
    [record] = check_dns(wanted(SUB, zone), DnsClient([server])).records
    assert record.expected == f"{TARGET}."


APEXES = {
    "the edge's addresses": ([OURS], [OURS6], "alias_ok"),
    "IPv4 alone": ([OURS], [], "alias_ok"),
    "an edge that the target's name does not show": (["203.0.113.10"], [], "alias_ok"),
    "none": ([], [], "missing"),
    "another server": ([OLD], [], "a_elsewhere"),
}


@pytest.mark.parametrize(("a", "aaaa", "code"), APEXES.values(), ids=APEXES.keys())
def test_an_apex_may_have_the_addresses_of_the_edge(
    server: DnsServer, zone: Zone, a: list[str], aaaa: list[str], code: str
) -> None:
    zone.put(APEX, "A", *a)
    zone.put(APEX, "AAAA", *aaaa)
    edge = ("203.0.113.10", OURS6)
    [record] = check_dns(wanted(APEX, zone, edge), DnsClient([server])).records
    assert record.code == code
    if not record.ok:
        assert record.addresses == edge
        assert (
            "If your provider has none of these, add an A record with the name @ and the value "
            "203.0.113.10 and an AAAA "
            f"record with the name @ and the value {OURS6} instead."
        ) in record.hint


def test_an_apex_at_a_provider_without_alias_gets_only_addresses(server: DnsServer, zone: Zone) -> None:
    zone.put(APEX, "NS", "ns1.domaincontrol.com")
    [record] = check_dns(wanted(APEX, zone, EDGE), DnsClient([server])).records
    assert record.fix == (
        f"Add an A record with the name @ and the value {OURS} and an AAAA record with the name @ and the "
        f"value "
        f"{OURS6}."
    )
    assert record.why.startswith("GoDaddy has no ALIAS record, so these records contain our addresses.")


TEXTS = {
    "quotes around it": ([f'"{TOKEN}"'], "txt_ok", ""),
    "blanks around it": ([f"  {TOKEN} "], "txt_ok", ""),
    "capitals": ([TOKEN.upper()], "txt_ok", ""),
    "a blank within it": (
        [TOKEN.replace("=", " = ")],
        "txt_wrong",
        "Edit the TXT record named _homeward.adopt: replace its value with the expected value. There are "
        "spaces or quotation marks inside the value.",
    ),
    "no beginning": (
        [TOKEN.removeprefix("hw-verify=")],
        "txt_wrong",
        "Edit the TXT record named _homeward.adopt: replace its value with the expected value. The "
        "beginning hw-verify= is missing.",
    ),
    "no end": (
        [f"{TOKEN[:20]}…"],
        "txt_wrong",
        "Edit the TXT record named _homeward.adopt: replace its value with the expected value. The end "
        "of the value is missing. Copy it with the button beside the expected value.",
    ),
    "more than the value": (
        [f"_homeward.adopt TXT {TOKEN}"],
        "txt_wrong",
        "Edit the TXT record named _homeward.adopt: replace its value with the expected value. There is "
        "other text before or after the value.",
    ),
}


@pytest.mark.parametrize(("texts", "code", "sentence"), TEXTS.values(), ids=TEXTS.keys())
def test_a_damaged_txt_value_is_explained(
    server: DnsServer, zone: Zone, texts: list[str], code: str, sentence: str
) -> None:
    zone.put(SUB, "CNAME", TARGET)
    zone.put(f"_homeward.{SUB}", "TXT", *texts)
    report = check_dns(wanted(SUB, zone, token=TOKEN), DnsClient([server]))
    assert (report.records[1].code, report.records[1].hint) == (code, sentence)
    assert report.proven is (code == "txt_ok")


def test_a_txt_record_at_a_doubled_name_is_found(server: DnsServer, zone: Zone) -> None:
    zone.put(SUB, "CNAME", TARGET)
    zone.put(f"_homeward.{SUB}.example.org", "TXT", TOKEN)
    report = check_dns(wanted(SUB, zone, token=TOKEN), DnsClient([server]))
    assert (report.records[1].code, report.records[1].hint, report.proven) == (
        "txt_name_doubled",
        "Edit the TXT record: change its name to _homeward.adopt alone. The record is for "
        "_homeward.adopt.example.org.example.org now, because your provider adds example.org to every "
        "name.",
        False,
    )


def test_every_code_has_a_label_on_the_page() -> None:
    codes = {code for _, _, code, _ in ROWS.values()} | {code for _, code, _ in TEXTS.values()}
    assert codes | {DNSSEC_BROKEN, DIFFER, TARGET_BLOCKS} <= VERDICTS.keys()
