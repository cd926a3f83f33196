"""DNS queries to a real server on the loopback, which fails in each known way."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from dns.message import Truncated, make_query, make_response
from hypothesis import given
from hypothesis import strategies as st

from adoption.domains import dns_answers, dns_client, dns_transport
from adoption.domains.dns_answers import FAILED, FOUND, NODATA, NXDOMAIN, DnsAnswer
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from tests import dns_server
from tests.dns_server import Zone, serving
from tests.domains import authoritative_client

HOST, TARGET = "adopt.example.org", "sites.platform.example"


@pytest.fixture
def client(server: DnsServer) -> DnsClient:
    return DnsClient([server])


def test_a_cname_and_its_targets_addresses_are_separate(client: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "CNAME", "Sites.Platform.Example.")
    zone.put(TARGET, "A", "203.0.113.9")
    alias, address = client.ask_zone(HOST, "CNAME"), client.ask_zone(HOST, "A")
    assert (alias.state, alias.values, alias.seconds) == (FOUND, (TARGET,), 3600)
    assert (address.values, address.chain, address.at_end) == ((), (TARGET,), ("203.0.113.9",))


def test_nxdomain_and_nodata_differ(client: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "TXT", "hello")
    assert client.ask_zone(HOST, "A").state == NODATA
    assert client.ask_zone("nowhere.example.org", "A")[:3] == (NXDOMAIN, (), 720)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (dns_server.SERVFAIL, "answered SERVFAIL"),
        (dns_server.REFUSED, "answered REFUSED"),
        (dns_server.SILENT, "did not answer in time"),
        (dns_server.WRONG_ID, "did not answer in time"),
        (dns_server.GARBAGE, "did not answer in time"),
    ],
)
def test_a_failing_server_is_a_failure_and_not_an_empty_answer(
    server: DnsServer, zone: Zone, fault: str, reason: str
) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    zone.faults[HOST] = fault
    answer = DnsClient([server], seconds=0.2).ask_zone(HOST, "A")
    assert answer.state == FAILED
    assert reason in answer.reason


def test_a_truncated_answer_is_retried_by_tcp(client: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "TXT", *(f"{number:0200}" for number in range(20)))
    zone.faults[HOST] = dns_server.CUT
    assert len(client.ask_zone(HOST, "TXT").values) == 20


def test_a_cname_chain_is_followed_and_a_loop_is_a_failure(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "CNAME", "www.example.org")
    zone.put("www.example.org", "CNAME", TARGET)
    assert DnsClient([server]).ask_zone(HOST, "A").chain == ("www.example.org", TARGET)
    zone.put("www.example.org", "CNAME", HOST)
    assert "circle" in DnsClient([server]).ask_zone(HOST, "A").reason


def test_a_query_without_a_listening_server_is_a_failure() -> None:
    assert DnsClient([], recursors=[]).ask_resolver(HOST, "A").failed
    assert DnsClient([DnsServer("127.0.0.1", 1)], seconds=0.3).ask_zone(HOST, "A").failed
    assert DnsClient([], recursors=[]).ask_zone(HOST, "A").failed


def test_a_second_server_is_asked_after_servfail(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    with serving(broken := Zone()) as first:
        broken.faults["*"] = dns_server.SERVFAIL
        assert DnsClient([first, server]).ask_zone(HOST, "A").values == ("203.0.113.9",)


def test_silent_servers_cannot_exceed_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now, waits = 0.0, []

    def exchange(
        _question: object, server: DnsServer, left: Callable[[], float], name: str, kind: str
    ) -> DnsAnswer:
        """Use up the remaining time, and fail."""
        nonlocal now
        waits.append((kind, server.address, left()))
        now += left()
        return dns_answers.failed_answer("silence")

    monkeypatch.setattr(dns_client, "exchange", exchange)
    client = DnsClient([DnsServer("a"), DnsServer("b")], clock=lambda: now, seconds=3.0)
    answers = [client.ask_zone(HOST, kind) for kind in ("A", "AAAA", "CNAME")]
    assert all(answer.failed for answer in answers)
    assert waits == [("A", "a", 1.0), ("A", "b", 1.5), ("AAAA", "a", 0.5)]


def test_a_second_server_is_asked_after_a_timeout(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    with serving(silent := Zone()) as first:
        silent.faults["*"] = dns_server.SILENT
        assert DnsClient([first, server], seconds=60).ask_zone(HOST, "A").values == ("203.0.113.9",)


def test_a_lost_datagram_is_sent_again(client: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    zone.faults["*"] = dns_server.LOST
    assert client.ask_zone(HOST, "A").values == ("203.0.113.9",)
    assert client.ask_zone(HOST, "AAAA").state == NODATA


def test_the_authoritative_servers_are_asked_and_not_a_cache(server: DnsServer, zone: Zone) -> None:
    """The recursor still has the old record. The authoritative server has the new one."""
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    zone.put(HOST, "A", "198.51.100.7")
    with serving(own := Zone()) as authority:
        own.put(HOST, "CNAME", TARGET)
        own.follows = False
        client = authoritative_client(server, authority)
        assert client.ask_zone(HOST, "CNAME").values == (TARGET,)
        assert client.ask_zone(HOST, "A").values == ()
        assert client.ask_resolver(HOST, "A").values == ("198.51.100.7",)
        assert client.find_zone(HOST) == ("example.org", ("ns.provider.example",))
    assert all(name not in {"org", "example"} for name, _ in zone.asked)


def test_a_cname_does_not_lead_to_its_targets_name_servers(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "CNAME", "evil.example")
    zone.put("evil.example", "NS", "ns.evil.example")
    zone.put("ns.evil.example", "A", "127.0.0.1")
    zone.put("example.org", "NS", "ns.provider.example")
    assert DnsClient(recursors=[server]).find_zone(HOST) == ("example.org", ("ns.provider.example",))


def test_records_of_other_names_in_an_answer_are_ignored(server: DnsServer, zone: Zone) -> None:
    class Hostile(Zone):
        def found(self, name: str, kind: str):  # type: ignore[no-untyped-def]
            yield "other.example.org", "A", "203.0.113.9"
            yield "example.org", "CNAME", TARGET

    with serving(Hostile()) as hostile:
        client = DnsClient([hostile])
        assert client.ask_zone(HOST, "A") == DnsAnswer(NODATA)
        assert client.ask_zone(HOST, "CNAME") == DnsAnswer(NODATA)


def test_an_answer_of_a_non_authoritative_server_is_a_failure(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    with serving(non_authoritative := Zone()) as authority:
        non_authoritative.faults["*"] = dns_server.NOT_IN_CHARGE
        answer = authoritative_client(server, authority).ask_zone(HOST, "A")
    assert "not in charge" in answer.reason


def test_an_unregistered_domain_is_nxdomain(server: DnsServer, zone: Zone) -> None:
    assert DnsClient(recursors=[server]).ask_zone(HOST, "A").state == NXDOMAIN


def test_name_servers_without_an_address_are_a_failure(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    assert "can be found" in DnsClient(recursors=[server]).ask_zone(HOST, "A").reason


def test_a_name_in_the_zone_of_a_public_suffix_is_resolved(server: DnsServer, zone: Zone) -> None:
    """Public suffixes, such as the domains of dynamic DNS services, need not be zones."""
    zone.put("shelter.duckdns.org", "A", "203.0.113.9")
    answer = DnsClient(recursors=[server]).ask_zone("shelter.duckdns.org", "A")
    assert answer.values == ("203.0.113.9",)


def test_a_client_caches_answers_of_resolvers(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    client = authoritative_client(server, server)
    for kind in ("A", "AAAA", "CNAME", "CAA"):
        client.ask_zone(HOST, kind)
    assert zone.asked.count(("example.org", "NS")) == 1
    assert zone.asked.count(("ns.provider.example", "A")) == 1


@pytest.mark.parametrize("fault", [dns_server.FLOOD, dns_server.DRIP])
def test_an_endless_answer_ends_at_the_timeout(server: DnsServer, zone: Zone, fault: str) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    zone.faults[HOST] = fault
    answer = DnsClient([server] * 3, seconds=0.4).ask_zone(HOST, "A")
    zone.faults.clear()
    assert zone.heard == [(HOST, "A")], "only one server was asked, once"
    assert "did not answer in time" in answer.reason


def test_an_oversized_answer_is_not_read(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "TXT", *(f"{number:0250}" for number in range(dns_transport.BYTES_MOST // 250)))
    zone.faults[HOST] = dns_server.CUT
    assert "cannot be read" in DnsClient([server]).ask_zone(HOST, "TXT").reason


PRIVATE = ["127.0.0.1", "10.0.0.53", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.251", "0.0.0.0"]
PRIVATE6 = ["::1", "fe80::1", "fd00::53", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]


def test_name_servers_at_private_addresses_are_not_asked(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.example.org")
    zone.put("ns.example.org", "A", *PRIVATE)
    zone.put("ns.example.org", "AAAA", *PRIVATE6)
    zone.put(HOST, "CNAME", TARGET)
    client = DnsClient(recursors=[server], port=server.port)
    answer = client.ask_zone(HOST, "CNAME")
    assert (answer.state, answer.reason) == (FAILED, "The domain's name servers are not on the internet")
    assert (HOST, "CNAME") not in zone.asked


def test_a_public_server_is_asked_among_private_servers(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "a.example.org", "b.example.org")
    zone.put("a.example.org", "A", "10.0.0.1")
    zone.put("b.example.org", "A", "192.168.0.1", "9.9.9.9")
    assert DnsClient(recursors=[server]).of_zone(HOST) == (DnsServer("9.9.9.9"),)


def test_ipv4_addresses_are_asked_first(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns1.example.net", "ns2.example.net")
    for number in (1, 2):
        zone.put(f"ns{number}.example.net", "AAAA", f"2001:db8::{number}")
        zone.put(f"ns{number}.example.net", "A", f"192.0.2.{number}")
    found = DnsClient(recursors=[server], may_ask=lambda _: True).find_servers("example.org")
    assert isinstance(found, tuple)
    four, six = ["192.0.2.1", "192.0.2.2"], ["2001:db8::1", "2001:db8::2"]
    assert [each.address for each in found] == four + six


def test_the_root_as_target_and_overlong_names_are_handled(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "CNAME", ".")
    zone.put("example.org", "NS", ".")
    assert DnsClient([server]).ask_zone(HOST, "CNAME").values == (".",)
    assert authoritative_client(server, server).ask_zone(HOST, "CNAME").failed
    longest = ".".join(["a" * 60] * 4) + ".example"
    assert "too long" in DnsClient([server]).ask_zone(f"_homeward.{longest}", "TXT").reason


def test_a_closed_port_costs_no_time(server: DnsServer, zone: Zone) -> None:
    """The system reports a closed port immediately, so the next server gets the whole time limit."""
    zone.put(HOST, "A", "203.0.113.9")
    clock = iter([0.0, *[0.1] * 200])
    client = DnsClient([DnsServer("127.0.0.1", 1)] * 20 + [server], clock=lambda: next(clock), seconds=0.2)
    assert client.ask_zone(HOST, "A").values == ("203.0.113.9",)


@given(st.binary(max_size=200), st.integers(0, 60), st.integers(0, 60))
def test_any_datagram_is_parsed_or_ignored(junk: bytes, at: int, cut: int) -> None:
    question = make_query(HOST, "CAA")
    wire = bytearray(make_response(question).to_wire())
    for noise in (junk, bytes(wire[:at]) + junk + bytes(wire[at + cut :])):
        with suppress(Truncated):
            message = dns_transport.answer_in(noise, question)
            assert message is None or question.is_response(message)


def test_printable_values_are_short_and_printable() -> None:
    assert dns_answers.printable_values(["203.0.113.9"]) == ("203.0.113.9",)
    assert dns_answers.printable_values(["a\nb\x00\u202ec"]) == ("a\\u000ab\\u0000\\u202ec",)
    shown = dns_answers.printable_values(["x" * 60_000] * 500)
    assert len(shown) == dns_answers.SHOWN_MOST + 1
    assert shown[-1] == f"and {500 - dns_answers.SHOWN_MOST} more"
    assert len("".join(shown)) < 3_000
