"""DNS checks against a real DNS server: the code and the exact advice for each kind of record."""

from typing import Any

import pytest

from adoption.domains import dns_report_json
from adoption.domains.dns_checks import check_dns
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_records import Report, WantedRecords
from adoption.domains.dns_transport import DnsServer
from tests import dns_server
from tests.dns_server import Zone, serving
from tests.domains import authoritative_client

TARGET, SUB, APEX = "sites.platform.example", "adopt.example.org", "example.org"
CLOUDFLARE = "104.16.1.1"
OURS, OURS6, OLD, OLD6 = "203.0.113.9", "2001:db8::9", "198.51.100.7", "2001:db8::7"
CF = {("example.org", "NS"): ["ada.ns.cloudflare.com"]}
ALIAS = {(SUB, "CNAME"): [TARGET]}
NO_NETWORK = "no network"

EDIT = f"Edit the CNAME record named adopt: replace its value with {TARGET}."
CNAME_RECORD = f"a CNAME record with the name adopt and the value {TARGET}."
ALIAS_RECORD = f"an ALIAS record with the name @ and the value {TARGET}."
DELETE = "Delete the {} record named {} with the value {}."
BLOCKS = "sends visitors to another website, and no CNAME record can be added beside it."
ELSEWHERE = f"{BLOCKS} Then add {CNAME_RECORD}"
ALIAS_NAMES = (
    "@ means example.org itself. At some providers, the ALIAS record is called “ANAME”. Others let you "
    "add a CNAME record with the name @ instead. If your provider has none of these, use www.example.org "
    "and forward example.org to it."
)
NOT_YET = (
    "We have not found the record yet. A new record is usually there within minutes, but it can take up "
    "to 48 hours. "
    "We check again automatically."
)
PROXY = (
    "At Cloudflare, edit the record named {}, switch “Proxy status” off and save. The orange cloud then "
    "turns grey (“DNS only”). While it is orange, visitors reach Cloudflare instead of the value of your "
    "record."
)
UNCHECKED = "We could not check just now. {}. Nothing has changed, and we check again automatically."
SERVFAIL = UNCHECKED.format("The DNS server answered SERVFAIL")

Expected = tuple[bool | None, str, str | None]
"""A record's ``ok``, ``code`` and ``hint``. Some records have no hint, so None."""

ROWS: dict[str, tuple[str, dict[Any, list[str]], dict[Any, str], list[Expected]]] = {
    "CNAME": (SUB, ALIAS, {}, [(True, "cname_ok", None)]),
    "CNAME with capitals and a dot at the end": (
        SUB,
        {(SUB, "CNAME"): ["Sites.PLATFORM.example."]},
        {},
        [(True, "cname_ok", None)],
    ),
    "CNAME at an apex": (APEX, {(APEX, "CNAME"): [TARGET]}, {}, [(True, "cname_ok", None)]),
    "CNAME to another name": (
        SUB,
        {(SUB, "CNAME"): ["old.example.com"]},
        {},
        [(False, "cname_wrong", f"{EDIT} The record still leads to old.example.com.")],
    ),
    "CNAME chain": (
        SUB,
        {(SUB, "CNAME"): ["www.example.org"], ("www.example.org", "CNAME"): [TARGET]},
        {},
        [
            (
                False,
                "cname_chain",
                f"{EDIT} The record leads here through www.example.org, whose owner could send your visitors "
                "elsewhere.",
            )
        ],
    ),
    "CNAME with the zone appended": (
        SUB,
        {(SUB, "CNAME"): [f"{TARGET}.example.org"]},
        {},
        [
            (
                False,
                "cname_zone_appended",
                f"Edit the CNAME record named adopt: replace its value with “{TARGET}.”, including the "
                "dot at the "
                "end. Your provider added example.org to the value, because the dot was missing.",
            )
        ],
    ),
    "CNAME loop": (
        SUB,
        {(SUB, "CNAME"): ["www.example.org"], ("www.example.org", "CNAME"): [SUB]},
        {},
        [
            (
                False,
                "cname_loop",
                f"{EDIT} The records lead in a circle through www.example.org, so visitors reach no website.",
            )
        ],
    ),
    "CNAME to a loop": (
        SUB,
        {
            (SUB, "CNAME"): ["a.example"],
            ("a.example", "CNAME"): ["b.example"],
            ("b.example", "CNAME"): ["a.example"],
        },
        {},
        [
            (
                False,
                "cname_loop",
                f"{EDIT} The records lead in a circle through a.example, so visitors reach no website.",
            )
        ],
    ),
    "A": (
        SUB,
        {(SUB, "A"): [OLD]},
        {},
        [(False, "a_conflict", f"{DELETE.format('A', 'adopt', OLD)} The A record {ELSEWHERE}")],
    ),
    "A with our own address": (
        SUB,
        {(SUB, "A"): [OURS]},
        {},
        [
            (
                False,
                "a_conflict",
                f"{DELETE.format('A', 'adopt', OURS)} The A record blocks the CNAME record. Only the CNAME "
                f"record keeps working when our address changes. Then add {CNAME_RECORD}",
            )
        ],
    ),
    "AAAA": (
        SUB,
        {(SUB, "AAAA"): [OLD6]},
        {},
        [(False, "aaaa_conflict", f"{DELETE.format('AAAA', 'adopt', OLD6)} The AAAA record {ELSEWHERE}")],
    ),
    "A and AAAA": (
        SUB,
        {(SUB, "A"): [OLD], (SUB, "AAAA"): [OLD6]},
        {},
        [
            (False, "a_conflict", f"{DELETE.format('A', 'adopt', OLD)} The A record {ELSEWHERE}"),
            (False, "aaaa_conflict", f"{DELETE.format('AAAA', 'adopt', OLD6)} The AAAA record {ELSEWHERE}"),
        ],
    ),
    "A beside the CNAME": (
        SUB,
        ALIAS | {(SUB, "A"): [OLD]},
        {},
        [
            (True, "cname_ok", None),
            (
                False,
                "a_conflict",
                f"{DELETE.format('A', 'adopt', OLD)} The A record {BLOCKS}",
            ),
        ],
    ),
    "proxied by Cloudflare": (
        SUB,
        CF | {(SUB, "A"): [CLOUDFLARE]},
        {},
        [(False, "a_conflict_proxied", PROXY.format("adopt"))],
    ),
    "flattened apex": (
        APEX,
        {(APEX, "A"): [OURS], (APEX, "AAAA"): [OURS6]},
        {},
        [(True, "alias_ok", None)],
    ),
    "flattened apex, IPv4 only": (APEX, {(APEX, "A"): [OURS]}, {}, [(True, "alias_ok", None)]),
    "apex with another address": (
        APEX,
        {(APEX, "A"): [OURS, OLD]},
        {},
        [
            (
                False,
                "a_elsewhere",
                f"{DELETE.format('A', '@', OLD)} The record sends about half of your visitors to another "
                "website. "
                "Your other records are right.",
            )
        ],
    ),
    "apex with another IPv6 address": (
        APEX,
        {(APEX, "A"): [OURS], (APEX, "AAAA"): [OLD6]},
        {},
        [
            (
                False,
                "a_elsewhere",
                f"{DELETE.format('AAAA', '@', OLD6)} The record sends some of your visitors to another "
                "website. Your "
                "other records are right.",
            )
        ],
    ),
    "apex elsewhere": (
        APEX,
        {(APEX, "A"): [OLD]},
        {},
        [
            (
                False,
                "a_elsewhere",
                f"{DELETE.format('A', '@', OLD)} The record leads to another website. Then add "
                f"{ALIAS_RECORD} "
                f"{ALIAS_NAMES}",
            )
        ],
    ),
    "proxied apex": (
        APEX,
        CF | {(APEX, "A"): [CLOUDFLARE]},
        {},
        [(False, "a_elsewhere", PROXY.format("@"))],
    ),
    "NXDOMAIN": (SUB, {}, {}, [(False, "missing", f"Add {CNAME_RECORD} {NOT_YET}")]),
    "NODATA": (SUB, {(SUB, "TXT"): ["x"]}, {}, [(False, "missing", f"Add {CNAME_RECORD} {NOT_YET}")]),
    "empty apex": (APEX, {}, {}, [(False, "missing", f"Add {ALIAS_RECORD} {ALIAS_NAMES} {NOT_YET}")]),
    "SERVFAIL": (SUB, ALIAS, {(SUB, "CNAME"): dns_server.SERVFAIL}, [(None, "dns_failed", SERVFAIL)]),
    "SERVFAIL for addresses only": (
        SUB,
        {},
        {(SUB, "A"): dns_server.SERVFAIL},
        [(None, "dns_failed", SERVFAIL)],
    ),
    "SERVFAIL beside the CNAME": (
        SUB,
        ALIAS,
        {(SUB, "A"): dns_server.SERVFAIL},
        [(True, "cname_ok", None)],
    ),
    "SERVFAIL of the target": (
        APEX,
        {(APEX, "A"): [OURS]},
        {(TARGET, "A"): dns_server.SERVFAIL},
        [(None, "dns_failed", SERVFAIL)],
    ),
    "target without an address": (
        APEX,
        {(APEX, "A"): [OURS], (TARGET, "A"): [], (TARGET, "AAAA"): []},
        {},
        [(None, "dns_failed", UNCHECKED.format(f"{TARGET} has no address at the moment"))],
    ),
    "no network": (
        SUB,
        ALIAS,
        {"*": NO_NETWORK},
        [(None, "dns_failed", UNCHECKED.format("The DNS server cannot be reached"))],
    ),
    "timeout": (
        SUB,
        ALIAS,
        {"*": dns_server.SILENT},
        [(None, "dns_failed", UNCHECKED.format("The DNS server did not answer in time"))],
    ),
}


CAA: dict[str, tuple[dict[Any, list[str]], dict[Any, str], Expected]] = {
    "no CAA": (ALIAS, {}, (True, "caa_none", None)),
    "our authority": ({(SUB, "CAA"): ['0 issue "letsencrypt.org"']}, {}, (True, "caa_ok", None)),
    "another authority": (
        ALIAS | {(APEX, "CAA"): ['0 issue "digicert.com"']},
        {},
        (
            False,
            "caa_blocks",
            'Add a CAA record with the name @ and the value 0 issue "letsencrypt.org". CAA records say who '
            "may issue certificates, which browsers need for the padlock. Your domain allows only DigiCert. "
            "Our certificates come from Let's Encrypt. Keep the CAA records that are there.",
        ),
    ),
    "another authority at the target": (
        ALIAS | {(TARGET, "CAA"): ['0 issue "digicert.com"']},
        {},
        (
            False,
            "caa_target_blocks",
            "You do not have to do anything. A CAA record in the DNS of this service blocks your "
            "certificate. We have to fix that record. Then we order the certificate automatically.",
        ),
    ),
    "unknown critical tag": (
        {(SUB, "CAA"): ['128 tbs "x"']},
        {},
        (
            False,
            "caa_critical_unknown",
            'Delete the CAA record named adopt with the value “128 tbs "x"”. The record contains a rule '
            "that certificate authorities do not know, so no authority issues a certificate.",
        ),
    ),
    "SERVFAIL": (
        ALIAS,
        {(APEX, "CAA"): dns_server.SERVFAIL},
        (
            None,
            "caa_failed",
            "We could not read the CAA records of example.org, which say who may issue certificates. The DNS "
            "server answered SERVFAIL. If Let's Encrypt cannot read them either, it issues no "
            "certificate. If "
            "this lasts for more than a day, ask your DNS provider.",
        ),
    ),
}


def check(server: DnsServer, zone: Zone, host: str, token: str = "", seconds: float = 1.5) -> Report:
    zone.records.setdefault((TARGET, "A"), [OURS])
    zone.records.setdefault((TARGET, "AAAA"), [OURS6])
    return check_dns(WantedRecords(host, TARGET, token), DnsClient([server], seconds=seconds))


@pytest.mark.parametrize(("host", "records", "faults", "expected"), ROWS.values(), ids=ROWS.keys())
def test_each_record_gets_its_code_and_advice(
    server: DnsServer,
    zone: Zone,
    host: str,
    records: dict[Any, list[str]],
    faults: dict[Any, str],
    expected: list[Expected],
) -> None:
    zone.records, zone.faults = dict(records), faults
    asked = DnsServer("127.0.0.1", 1) if NO_NETWORK in faults.values() else server
    report = check(asked, zone, host, seconds=0.4 if "*" in faults else 1.5)
    assert [(record.ok, record.code, record.hint or None) for record in report.records] == expected
    results = [row[0] for row in expected]
    assert report.ok is (False if False in results else None if None in results else True)


@pytest.mark.parametrize(("records", "faults", "expected"), CAA.values(), ids=CAA.keys())
def test_caa_records_get_their_code_and_advice(
    server: DnsServer,
    zone: Zone,
    records: dict[Any, list[str]],
    faults: dict[Any, str],
    expected: Expected,
) -> None:
    zone.records, zone.faults = dict(records), faults
    caa = check(server, zone, SUB).caa
    assert (caa.ok, caa.code, caa.hint or None) == expected


def test_a_record_has_its_type_name_found_and_expected_value(server: DnsServer, zone: Zone) -> None:
    zone.put(SUB, "CNAME", "old.example.com")
    [record] = check(server, zone, SUB).records
    assert record[:4] == ("CNAME", "adopt", ("old.example.com",), TARGET)


def test_correct_addresses_are_listed_beside_a_wrong_address(server: DnsServer, zone: Zone) -> None:
    zone.put(APEX, "A", OLD, OURS)
    zone.put(APEX, "AAAA", OURS6)
    report = check(server, zone, APEX)
    [record] = report.records
    assert (set(record.found), record.right) == ({OLD, OURS}, (OURS,))
    assert dns_report_json.load_report(dns_report_json.dump_report(report)) == report
    zone.put(APEX, "A", OLD)
    [record] = check(server, zone, APEX).records
    assert record.right == ()


@pytest.mark.parametrize(
    ("values", "ok", "code"),
    [
        (["hw-verify=1"], True, "txt_ok"),
        (["other", "hw-verify=1"], True, "txt_ok"),
        (["other"], False, "txt_wrong"),
        ([], False, "txt_missing"),
    ],
)
def test_a_txt_record_with_the_token_proves_ownership(
    server: DnsServer, zone: Zone, values: list[str], ok: bool, code: str
) -> None:
    zone.records = dict(ALIAS)
    zone.put(f"_homeward.{SUB}", "TXT", *values)
    report = check(server, zone, SUB, "hw-verify=1")
    record = report.records[1]
    assert (record.type, record.name, record.ok, record.code) == ("TXT", "_homeward.adopt", ok, code)
    assert report.ok is ok


def test_an_unreadable_txt_record_decides_nothing(server: DnsServer, zone: Zone) -> None:
    zone.records = dict(ALIAS)
    zone.faults[f"_homeward.{SUB}"] = dns_server.SERVFAIL
    assert check(server, zone, SUB, "hw-verify=1").ok is None


def test_an_old_record_in_a_cache_is_reported_with_its_remaining_ttl(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    zone.put(SUB, "CNAME", "old.example.com")
    zone.seconds = 700
    with serving(own := Zone()) as authority:
        own.put(SUB, "CNAME", TARGET)
        report = check_dns(WantedRecords(SUB, TARGET), authoritative_client(server, authority))
    [record] = report.records
    assert record.code == "cname_ok"
    assert (
        record.why
        == "Your provider has the new record. Some visitors may still get the old record for 12 more minutes."
    )


def test_hostile_records_make_a_short_printable_report(server: DnsServer, zone: Zone) -> None:
    hostile = [f"a\u202eb\n<script>{number:0240}" for number in range(30)]
    zone.put(SUB, "A", *(f"198.51.100.{number}" for number in range(200)))
    zone.put(f"_homeward.{SUB}", "TXT", *hostile)
    report = check(server, zone, SUB, "hw-verify=1")
    assert [record.code for record in report.records] == ["a_conflict", "txt_wrong"]
    kept = dns_report_json.dump_report(report)
    assert len(kept) < 6_000
    for record in report.records:
        assert all(text.isprintable() for text in (*record.found, record.hint))
    assert "and 190 more" in report.records[0].hint


def test_the_right_txt_value_is_shown_among_many(server: DnsServer, zone: Zone) -> None:
    zone.records = dict(ALIAS)
    zone.put(f"_homeward.{SUB}", "TXT", "hw-verify=1", *map(str, range(30)))
    assert check(server, zone, SUB, "hw-verify=1").records[1].found == ("hw-verify=1",)


def test_the_longest_possible_name_can_be_checked(server: DnsServer, zone: Zone) -> None:
    longest = ".".join(["a" * 60] * 4) + ".example"
    assert len(longest) > 253 - len("_homeward.")
    zone.put(longest, "CNAME", TARGET)
    assert check(server, zone, longest).ok
    assert check(server, zone, longest, "hw-verify=1").ok is None


@pytest.mark.parametrize("fault", [dns_server.FLOOD, dns_server.DRIP, dns_server.SILENT])
def test_a_check_ends_within_its_time_limit(server: DnsServer, zone: Zone, fault: str) -> None:
    zone.faults["*"] = fault
    report = check(server, zone, SUB, "hw-verify=1", seconds=0.5)
    zone.faults.clear()
    assert len(set(zone.heard)) <= 6, "one query by each thread used up the time"
    assert report.ok is None
    assert report.caa.ok is None
