"""Every row of "Verify": what a real server says, and what is made of it."""

from typing import Any

import pytest

from adoption.domains import reports
from adoption.domains.checks import check_dns
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from adoption.domains.records import Report, WantedRecords
from tests import dns_server
from tests.dns_server import Zone, serving
from tests.domains import in_charge

TARGET, SUB, APEX = "sites.platform.example", "adopt.example.org", "example.org"
CLOUDFLARE = "104.16.1.1"
OURS, OURS6, OLD, OLD6 = "203.0.113.9", "2001:db8::9", "198.51.100.7", "2001:db8::7"
CF = {("example.org", "NS"): ["ada.ns.cloudflare.com"]}
ALIAS = {(SUB, "CNAME"): [TARGET]}
NO_NETWORK = "no network"
UNCHECKED = "Nothing has changed, and we check again automatically."

ROWS: dict[str, tuple[str, dict[Any, list[str]], dict[Any, str], list[tuple[bool | None, str, str]]]] = {
    "alias": (SUB, ALIAS, {}, [(True, "cname_ok", "")]),
    "alias, capitals and a dot": (
        SUB,
        {(SUB, "CNAME"): ["Sites.PLATFORM.example."]},
        {},
        [(True, "cname_ok", "")],
    ),
    "alias at an apex": (APEX, {(APEX, "CNAME"): [TARGET]}, {}, [(True, "cname_ok", "")]),
    "another alias": (
        SUB,
        {(SUB, "CNAME"): ["old.example.com"]},
        {},
        [(False, "cname_wrong", "replace its value with sites.platform.example.")],
    ),
    "a chain": (
        SUB,
        {(SUB, "CNAME"): ["www.example.org"], ("www.example.org", "CNAME"): [TARGET]},
        {},
        [
            (
                False,
                "cname_chain",
                "Edit the CNAME record named adopt: replace its value with sites.platform.example.",
            )
        ],
    ),
    "the own zone appended": (
        SUB,
        {(SUB, "CNAME"): [f"{TARGET}.example.org"]},
        {},
        [(False, "cname_zone_appended", "with the dot at its end")],
    ),
    "an address": (
        SUB,
        {(SUB, "A"): [OLD]},
        {},
        [(False, "a_conflict", "Delete the A record named adopt with the value 198.51.100.7.")],
    ),
    "our own address": (
        SUB,
        {(SUB, "A"): [OURS]},
        {},
        [(False, "a_conflict", f"Delete the A record named adopt with the value {OURS}.")],
    ),
    "an IPv6 address": (
        SUB,
        {(SUB, "AAAA"): [OLD6]},
        {},
        [(False, "aaaa_conflict", "Delete the AAAA record named adopt with the value 2001:db8::7.")],
    ),
    "both addresses": (
        SUB,
        {(SUB, "A"): [OLD], (SUB, "AAAA"): [OLD6]},
        {},
        [(False, "a_conflict", "Delete"), (False, "aaaa_conflict", "Delete")],
    ),
    "an address beside the alias": (
        SUB,
        ALIAS | {(SUB, "A"): [OLD]},
        {},
        [(True, "cname_ok", ""), (False, "a_conflict", "Delete the A record")],
    ),
    "proxied by Cloudflare": (
        SUB,
        CF | {(SUB, "A"): [CLOUDFLARE]},
        {},
        [(False, "a_conflict_proxied", "DNS only")],
    ),
    "flattened": (APEX, {(APEX, "A"): [OURS], (APEX, "AAAA"): [OURS6]}, {}, [(True, "alias_ok", "")]),
    "flattened, one family": (APEX, {(APEX, "A"): [OURS]}, {}, [(True, "alias_ok", "")]),
    "a stray at the apex": (
        APEX,
        {(APEX, "A"): [OURS, OLD]},
        {},
        [(False, "a_elsewhere", "Delete the A record named @ with the value 198.51.100.7.")],
    ),
    "a stray IPv6 at the apex": (
        APEX,
        {(APEX, "A"): [OURS], (APEX, "AAAA"): [OLD6]},
        {},
        [(False, "a_elsewhere", "Delete the AAAA record named @ with the value 2001:db8::7.")],
    ),
    "an apex elsewhere": (APEX, {(APEX, "A"): [OLD]}, {}, [(False, "a_elsewhere", "Delete the A record")]),
    "a proxied apex": (APEX, CF | {(APEX, "A"): [CLOUDFLARE]}, {}, [(False, "a_elsewhere", "DNS only")]),
    "no such name": (
        SUB,
        {},
        {},
        [(False, "missing", "Add a CNAME record with the name adopt and the value sites.platform.example.")],
    ),
    "no such record": (SUB, {(SUB, "TXT"): ["x"]}, {}, [(False, "missing", "Add a CNAME record")]),
    "an empty apex": (
        APEX,
        {},
        {},
        [(False, "missing", "Add an ALIAS record with the name @ and the value sites.platform.example.")],
    ),
    "SERVFAIL": (SUB, ALIAS, {(SUB, "CNAME"): dns_server.SERVFAIL}, [(None, "dns_failed", UNCHECKED)]),
    "SERVFAIL of addresses alone": (
        SUB,
        {},
        {(SUB, "A"): dns_server.SERVFAIL},
        [(None, "dns_failed", UNCHECKED)],
    ),
    "SERVFAIL beside the alias": (SUB, ALIAS, {(SUB, "A"): dns_server.SERVFAIL}, [(True, "cname_ok", "")]),
    "the target fails": (
        APEX,
        {(APEX, "A"): [OURS]},
        {(TARGET, "A"): dns_server.SERVFAIL},
        [(None, "dns_failed", UNCHECKED)],
    ),
    "our own name has no address": (
        APEX,
        {(APEX, "A"): [OURS], (TARGET, "A"): [], (TARGET, "AAAA"): []},
        {},
        [(None, "dns_failed", f"{TARGET} has no address at the moment.")],
    ),
    "no network": (SUB, ALIAS, {"*": NO_NETWORK}, [(None, "dns_failed", "cannot be reached")]),
    "silence": (
        SUB,
        ALIAS,
        {"*": dns_server.SILENT},
        [(None, "dns_failed", "did not answer in time. Nothing has changed")],
    ),
    "a circle": (
        SUB,
        {(SUB, "CNAME"): ["www.example.org"], ("www.example.org", "CNAME"): [SUB]},
        {},
        [(False, "cname_loop", "Edit the CNAME record named adopt")],
    ),
    "a circle further on": (
        SUB,
        {
            (SUB, "CNAME"): ["a.example"],
            ("a.example", "CNAME"): ["b.example"],
            ("b.example", "CNAME"): ["a.example"],
        },
        {},
        [(False, "cname_loop", "Edit the CNAME record named adopt")],
    ),
}


CAA = {
    "no CAA": ({}, {}, (True, "caa_none", "")),
    "CAA with our authority": ({(SUB, "CAA"): ['0 issue "letsencrypt.org"']}, {}, (True, "caa_ok", "")),
    "CAA of another authority": (
        {(APEX, "CAA"): ['0 issue "digicert.com"']},
        {},
        (False, "caa_blocks", 'Add a CAA record with the name @ and the value 0 issue "letsencrypt.org".'),
    ),
    "CAA of another authority at the target": (
        {(TARGET, "CAA"): ['0 issue "digicert.com"']},
        {},
        (False, "caa_target_blocks", "which is for us to fix"),
    ),
    "CAA that nobody knows": (
        {(SUB, "CAA"): ['128 tbs "x"']},
        {},
        (False, "caa_critical_unknown", 'Delete the CAA record named adopt with the value “128 tbs "x"”.'),
    ),
    "CAA that cannot be read": (
        {},
        {(APEX, "CAA"): dns_server.SERVFAIL},
        (None, "caa_failed", "We could not read the CAA records of example.org"),
    ),
}
ROWS |= {
    case: (SUB, ({} if (SUB, "CAA") in records else ALIAS) | records, faults, [row])
    for case, (records, faults, row) in CAA.items()
}


def examined(server: DnsServer, zone: Zone, host: str, token: str = "", seconds: float = 1.5) -> Report:
    zone.records.setdefault((TARGET, "A"), [OURS])
    zone.records.setdefault((TARGET, "AAAA"), [OURS6])
    return check_dns(WantedRecords(host, TARGET, token), DnsClient([server], seconds=seconds))


@pytest.mark.parametrize(("host", "records", "faults", "rows"), ROWS.values(), ids=ROWS.keys())
def test_each_record_is_judged(
    server: DnsServer,
    zone: Zone,
    host: str,
    records: dict[Any, list[str]],
    faults: dict[Any, str],
    rows: list[tuple[bool | None, str, str]],
) -> None:
    zone.records, zone.faults = dict(records), faults
    asked = DnsServer("127.0.0.1", 1) if NO_NETWORK in faults.values() else server
    report = examined(asked, zone, host, seconds=0.4 if "*" in faults else 1.5)
    if rows[0][1].startswith("caa_"):
        caa, [(ok, code, sentence)] = report.caa, rows
        assert (caa.ok, caa.code) == (ok, code)
        assert sentence in caa.hint if sentence else caa.hint == ""
        return
    assert [(record.ok, record.code) for record in report.records] == [row[:2] for row in rows]
    for record, (_, _, sentence) in zip(report.records, rows, strict=True):
        assert sentence in record.hint if sentence else record.hint == ""
        assert record.ok is True or record.fix.endswith((".", ")."))
    verdicts = [row[0] for row in rows]
    assert report.ok is (False if False in verdicts else None if None in verdicts else True)


def test_a_record_tells_all_that_one_needs(server: DnsServer, zone: Zone) -> None:
    zone.put(SUB, "CNAME", "old.example.com")
    [record] = examined(server, zone, SUB).records
    assert record[:4] == ("CNAME", "adopt", ("old.example.com",), TARGET)


def test_of_several_addresses_those_that_are_to_stay_are_told(server: DnsServer, zone: Zone) -> None:
    zone.put(APEX, "A", OLD, OURS)
    zone.put(APEX, "AAAA", OURS6)
    report = examined(server, zone, APEX)
    [record] = report.records
    assert (set(record.found), record.right) == ({OLD, OURS}, (OURS,))
    assert reports.load_report(reports.dump_report(report)) == report
    zone.put(APEX, "A", OLD)
    [record] = examined(server, zone, APEX).records
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
def test_ownership_is_shown_by_a_text(
    server: DnsServer, zone: Zone, values: list[str], ok: bool, code: str
) -> None:
    zone.records = dict(ALIAS)
    zone.put(f"_homeward.{SUB}", "TXT", *values)
    report = examined(server, zone, SUB, "hw-verify=1")
    record = report.records[1]
    assert (record.type, record.name, record.ok, record.code) == ("TXT", "_homeward.adopt", ok, code)
    assert report.ok is ok


def test_a_text_that_cannot_be_read_decides_nothing(server: DnsServer, zone: Zone) -> None:
    zone.records = dict(ALIAS)
    zone.faults[f"_homeward.{SUB}"] = dns_server.SERVFAIL
    assert examined(server, zone, SUB, "hw-verify=1").ok is None


def test_where_the_zone_and_a_resolver_differ_one_is_told_how_long(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    zone.put(SUB, "CNAME", "old.example.com")
    zone.seconds = 700
    with serving(own := Zone()) as authority:
        own.put(SUB, "CNAME", TARGET)
        report = check_dns(WantedRecords(SUB, TARGET), in_charge(server, authority))
    [record] = report.records
    assert record.code == "cname_ok"
    assert (
        record.why
        == "Your provider has the new record. Some visitors may still get the old one for 12 more minutes."
    )


def test_whatever_a_zone_says_a_report_is_short_and_plain(server: DnsServer, zone: Zone) -> None:
    hostile = [f"a\u202eb\n<script>{number:0240}" for number in range(30)]
    zone.put(SUB, "A", *(f"198.51.100.{number}" for number in range(200)))
    zone.put(f"_homeward.{SUB}", "TXT", *hostile)
    report = examined(server, zone, SUB, "hw-verify=1")
    assert [record.code for record in report.records] == ["a_conflict", "txt_wrong"]
    kept = reports.dump_report(report)
    assert len(kept) < 6_000
    for record in report.records:
        assert all(text.isprintable() for text in (*record.found, record.hint))
    assert "and 190 more" in report.records[0].hint


def test_the_text_that_was_asked_for_is_shown_among_many(server: DnsServer, zone: Zone) -> None:
    zone.records = dict(ALIAS)
    zone.put(f"_homeward.{SUB}", "TXT", "hw-verify=1", *map(str, range(30)))
    assert examined(server, zone, SUB, "hw-verify=1").records[1].found == ("hw-verify=1",)


def test_a_name_of_the_greatest_length_has_its_report(server: DnsServer, zone: Zone) -> None:
    longest = ".".join(["a" * 60] * 4) + ".example"
    assert len(longest) > 253 - len("_homeward.")
    zone.put(longest, "CNAME", TARGET)
    assert examined(server, zone, longest).ok
    assert examined(server, zone, longest, "hw-verify=1").ok is None


@pytest.mark.parametrize("fault", [dns_server.FLOOD, dns_server.DRIP, dns_server.SILENT])
def test_a_whole_look_ends_in_its_time(server: DnsServer, zone: Zone, fault: str) -> None:
    zone.faults["*"] = fault
    report = examined(server, zone, SUB, "hw-verify=1", seconds=0.5)
    zone.faults.clear()
    assert len(set(zone.heard)) <= 6, "one by each thread: that took all the time, and nothing more is asked"
    assert report.ok is None
    assert report.caa.ok is None
