"""CAA checks (RFC 8659) against a real DNS server."""

import pytest

from adoption.domains.caa_checks import check_caa
from adoption.domains.dns_answers import SHOWN_MOST
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from tests import dns_server
from tests.dns_server import Zone

HOST, PARENT, TARGET = "adopt.example.org", "example.org", "sites.platform.example"
OURS, OTHER = '0 issue "letsencrypt.org"', '0 issue "digicert.com"'

CASES = {
    "none anywhere": ({}, True, "caa_none", ""),
    "ours": ({HOST: [OURS]}, True, "caa_ok", HOST),
    "ours beside another": ({HOST: [OTHER, OURS]}, True, "caa_ok", HOST),
    "ours in capitals": ({HOST: ['0 ISSUE "LetsEncrypt.org"']}, True, "caa_ok", HOST),
    "another": ({HOST: [OTHER]}, False, "caa_blocks", HOST),
    "no authority": ({HOST: ['0 issue ";"']}, False, "caa_blocks", HOST),
    "no authority, as an empty value": ({HOST: ['0 issue ""']}, False, "caa_blocks", HOST),
    "a malformed value": ({HOST: ['0 issue "%%%%%"']}, False, "caa_blocks", HOST),
    "malformed parameters": ({HOST: ['0 issue "letsencrypt.org; x"']}, False, "caa_blocks", HOST),
    "another at the parent": ({PARENT: [OTHER]}, False, "caa_blocks", PARENT),
    "another at the top": ({"org": [OTHER]}, False, "caa_blocks", "org"),
    "the nearest record set allows": ({HOST: [OURS], PARENT: [OTHER]}, True, "caa_ok", HOST),
    "the nearest record set blocks": ({HOST: [OTHER], PARENT: [OURS]}, False, "caa_blocks", HOST),
    "another at the CNAME target": ({TARGET: [OTHER]}, False, "caa_blocks", TARGET),
    "another above the CNAME target": ({"platform.example": [OTHER]}, True, "caa_none", ""),
    "only issuewild": ({HOST: ['0 issuewild "digicert.com"']}, True, "caa_ok", HOST),
    "only iodef": ({HOST: ['0 iodef "mailto:a@example.org"']}, True, "caa_ok", HOST),
    "an unknown tag": ({HOST: ['0 tbs "x"', OURS]}, True, "caa_ok", HOST),
    "an unknown critical tag": ({HOST: ['128 tbs "x"', OURS]}, False, "caa_critical_unknown", HOST),
    "an unknown tag with the flag 1": (
        {HOST: ['1 tbs "x"', OURS]},
        False,
        "caa_critical_unknown",
        HOST,
    ),
    "a known critical tag": ({HOST: ['128 issue "letsencrypt.org"']}, True, "caa_ok", HOST),
    "our method": (
        {HOST: ['0 issue "letsencrypt.org; validationmethods=dns-01,http-01"']},
        True,
        "caa_ok",
        HOST,
    ),
    "other methods": (
        {HOST: ['0 issue "letsencrypt.org;validationmethods=dns-01"']},
        False,
        "caa_blocks",
        HOST,
    ),
    "an account URI": (
        {HOST: ['0 issue "letsencrypt.org; accounturi=https://ca.example/1"']},
        False,
        "caa_blocks",
        HOST,
    ),
}


@pytest.mark.parametrize(("records", "ok", "code", "at"), CASES.values(), ids=CASES.keys())
def test_caa_records_allow_or_block_the_authority(
    server: DnsServer, zone: Zone, records: dict[str, list[str]], ok: bool, code: str, at: str
) -> None:
    zone.put(HOST, "CNAME", *([] if HOST in records else [TARGET]))
    for name, values in records.items():
        zone.put(name, "CAA", *values)
    found = check_caa(HOST, DnsClient([server]).ask_zone, ["letsencrypt.org"])
    assert (found.ok, found.code, found.at) == (ok, code, at)
    if code == "caa_blocks":
        assert found.fix.startswith("Add a CAA record with the name ")
        assert OURS in found.hint


def test_caa_of_a_cname_target_in_another_zone_counts(server: DnsServer, zone: Zone) -> None:
    zone.follows = False
    zone.put(HOST, "CNAME", TARGET)
    zone.put(TARGET, "CAA", OTHER)
    assert check_caa(HOST, DnsClient([server]).ask_zone, ["letsencrypt.org"]).at == TARGET


def test_caa_follows_a_cname_chain_through_several_zones(server: DnsServer, zone: Zone) -> None:
    zone.follows = False
    zone.put(HOST, "CNAME", "a.example.net")
    zone.put("a.example.net", "CNAME", TARGET)
    zone.put(TARGET, "CAA", OTHER)
    found = check_caa(HOST, DnsClient([server]).ask_zone, ["letsencrypt.org"])
    assert (found.code, found.at) == ("caa_blocks", TARGET)


def test_a_cname_loop_is_a_failed_caa_check(server: DnsServer, zone: Zone) -> None:
    zone.follows = False
    zone.put(HOST, "CNAME", "a.example.net")
    zone.put("a.example.net", "CNAME", "b.example.net")
    zone.put("b.example.net", "CNAME", "a.example.net")
    assert check_caa(HOST, DnsClient([server]).ask_zone, ["letsencrypt.org"]).code == "caa_failed"


def test_long_and_many_caa_records_are_shortened(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "CAA", *(f'128 evil{number} "{"<b>" * 80}"' for number in range(40)))
    found = check_caa(HOST, DnsClient([server]).ask_zone, ["letsencrypt.org"])
    assert found.code == "caa_critical_unknown"
    assert len(found.found) == SHOWN_MOST + 1
    assert len("".join(found.found)) + len(found.hint) < 3_000


@pytest.mark.parametrize("where", [HOST, PARENT, TARGET])
def test_a_servfail_leaves_caa_unknown(server: DnsServer, zone: Zone, where: str) -> None:
    zone.follows = False
    zone.put(HOST, "CNAME", TARGET)
    zone.faults[where, "CAA"] = dns_server.SERVFAIL
    found = check_caa(HOST, DnsClient([server]).ask_zone, ["letsencrypt.org"])
    assert (found.ok, found.code) == (None, "caa_failed")
    assert "The DNS server answered SERVFAIL." in found.hint
