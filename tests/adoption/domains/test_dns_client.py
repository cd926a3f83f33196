"""Asking a real server on the loopback, in each of the ways in which it can answer or not."""

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
from tests.domains import in_charge

HOST, TARGET = "adopt.example.org", "sites.platform.example"


@pytest.fixture
def look(server: DnsServer) -> DnsClient:
    return DnsClient([server])


def test_an_alias_and_its_addresses_come_apart(look: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "CNAME", "Sites.Platform.Example.")
    zone.put(TARGET, "A", "203.0.113.9")
    alias, address = look.ask_zone(HOST, "CNAME"), look.ask_zone(HOST, "A")
    assert (alias.state, alias.values, alias.seconds) == (FOUND, (TARGET,), 3600)
    assert (address.values, address.chain, address.at_end) == ((), (TARGET,), ("203.0.113.9",))


def test_nothing_at_all_and_nothing_of_that_kind_differ(look: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "TXT", "hello")
    assert look.ask_zone(HOST, "A").state == NODATA
    assert look.ask_zone("nowhere.example.org", "A")[:3] == (NXDOMAIN, (), 720)


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
def test_a_server_that_fails_is_no_answer(server: DnsServer, zone: Zone, fault: str, reason: str) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    zone.faults[HOST] = fault
    answer = DnsClient([server], seconds=0.2).ask_zone(HOST, "A")
    assert answer.state == FAILED
    assert reason in answer.reason


def test_an_answer_that_is_cut_short_is_asked_for_by_tcp(look: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "TXT", *(f"{number:0200}" for number in range(20)))
    zone.faults[HOST] = dns_server.CUT
    assert len(look.ask_zone(HOST, "TXT").values) == 20


def test_a_chain_is_told_and_a_circle_is_a_failure(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "CNAME", "www.example.org")
    zone.put("www.example.org", "CNAME", TARGET)
    assert DnsClient([server]).ask_zone(HOST, "A").chain == ("www.example.org", TARGET)
    zone.put("www.example.org", "CNAME", HOST)
    assert "circle" in DnsClient([server]).ask_zone(HOST, "A").reason


def test_where_no_server_is_known_or_none_listens_nothing_is_told() -> None:
    assert DnsClient([], recursors=[]).ask_resolver(HOST, "A").failed
    assert DnsClient([DnsServer("127.0.0.1", 1)], seconds=0.3).ask_zone(HOST, "A").failed
    assert DnsClient([], recursors=[]).ask_zone(HOST, "A").failed


def test_a_second_server_answers_for_the_first(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    with serving(broken := Zone()) as first:
        broken.faults["*"] = dns_server.SERVFAIL
        assert DnsClient([first, server]).ask_zone(HOST, "A").values == ("203.0.113.9",)


def test_a_look_ends_in_time_whoever_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    now, waits = 0.0, []

    def exchange(
        _question: object, server: DnsServer, left: Callable[[], float], name: str, kind: str
    ) -> DnsAnswer:
        """Silence, for as long as it is waited for."""
        nonlocal now
        waits.append((kind, server.address, left()))
        now += left()
        return dns_answers.failure("silence")

    monkeypatch.setattr(dns_client, "exchange", exchange)
    look = DnsClient([DnsServer("a"), DnsServer("b")], clock=lambda: now, seconds=3.0)
    told = [look.ask_zone(HOST, kind) for kind in ("A", "AAAA", "CNAME")]
    assert all(answer.failed for answer in told)
    assert waits == [("A", "a", 1.0), ("A", "b", 1.5), ("AAAA", "a", 0.5)]


def test_a_second_server_answers_for_a_silent_one(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    with serving(deaf := Zone()) as first:
        deaf.faults["*"] = dns_server.SILENT
        assert DnsClient([first, server], seconds=60).ask_zone(HOST, "A").values == ("203.0.113.9",)


def test_a_question_that_got_lost_is_sent_again(look: DnsClient, zone: Zone) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    zone.faults["*"] = dns_server.LOST
    assert look.ask_zone(HOST, "A").values == ("203.0.113.9",)
    assert look.ask_zone(HOST, "AAAA").state == NODATA


def test_the_zones_own_servers_are_asked_and_not_what_is_remembered(server: DnsServer, zone: Zone) -> None:
    """The recursor still has what was; the zone's own server has what is."""
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    zone.put(HOST, "A", "198.51.100.7")
    with serving(own := Zone()) as authority:
        own.put(HOST, "CNAME", TARGET)
        own.follows = False
        look = in_charge(server, authority)
        assert look.ask_zone(HOST, "CNAME").values == (TARGET,)
        assert look.ask_zone(HOST, "A").values == ()
        assert look.ask_resolver(HOST, "A").values == ("198.51.100.7",)
        assert look.find_zone(HOST) == ("example.org", ("ns.provider.example",))
    assert all(name not in {"org", "example"} for name, _ in zone.asked)


def test_an_aliased_name_does_not_lead_to_the_servers_of_its_target(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "CNAME", "evil.example")
    zone.put("evil.example", "NS", "ns.evil.example")
    zone.put("ns.evil.example", "A", "127.0.0.1")
    zone.put("example.org", "NS", "ns.provider.example")
    assert DnsClient(recursors=[server]).find_zone(HOST) == ("example.org", ("ns.provider.example",))


def test_records_of_other_names_in_an_answer_count_for_nothing(server: DnsServer, zone: Zone) -> None:
    class Hostile(Zone):
        def found(self, name: str, kind: str):  # type: ignore[no-untyped-def]
            yield "other.example.org", "A", "203.0.113.9"
            yield "example.org", "CNAME", TARGET

    with serving(Hostile()) as hostile:
        look = DnsClient([hostile])
        assert look.ask_zone(HOST, "A") == DnsAnswer(NODATA)
        assert look.ask_zone(HOST, "CNAME") == DnsAnswer(NODATA)


def test_a_server_that_is_not_in_charge_of_the_zone_tells_nothing(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    with serving(lame := Zone()) as authority:
        lame.faults["*"] = dns_server.NOT_IN_CHARGE
        answer = in_charge(server, authority).ask_zone(HOST, "A")
    assert "not in charge" in answer.reason


def test_a_domain_that_nobody_has_registered_has_nothing(server: DnsServer, zone: Zone) -> None:
    assert DnsClient(recursors=[server]).ask_zone(HOST, "A").state == NXDOMAIN


def test_name_servers_without_an_address_are_a_failure(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    assert "can be found" in DnsClient(recursors=[server]).ask_zone(HOST, "A").reason


def test_a_name_in_the_zone_of_a_suffix_is_asked_for_where_it_is_known(server: DnsServer, zone: Zone) -> None:
    """Names that somebody gives out below a domain of theirs need not be zones."""
    zone.put("shelter.duckdns.org", "A", "203.0.113.9")
    answer = DnsClient(recursors=[server]).ask_zone("shelter.duckdns.org", "A")
    assert answer.values == ("203.0.113.9",)


def test_one_look_asks_a_resolver_once_for_the_same(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.provider.example")
    zone.put("ns.provider.example", "A", "127.0.0.1")
    look = in_charge(server, server)
    for kind in ("A", "AAAA", "CNAME", "CAA"):
        look.ask_zone(HOST, kind)
    assert zone.asked.count(("example.org", "NS")) == 1
    assert zone.asked.count(("ns.provider.example", "A")) == 1


@pytest.mark.parametrize("fault", [dns_server.FLOOD, dns_server.DRIP])
def test_a_server_that_never_stops_sending_gets_no_more_time(
    server: DnsServer, zone: Zone, fault: str
) -> None:
    zone.put(HOST, "A", "203.0.113.9")
    zone.faults[HOST] = fault
    answer = DnsClient([server] * 3, seconds=0.4).ask_zone(HOST, "A")
    zone.faults.clear()
    assert zone.heard == [(HOST, "A")], "one server was asked, once"
    assert "did not answer in time" in answer.reason


def test_an_answer_without_measure_is_not_read(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "TXT", *(f"{number:0250}" for number in range(dns_transport.BYTES_MOST // 250)))
    zone.faults[HOST] = dns_server.CUT
    assert "cannot be read" in DnsClient([server]).ask_zone(HOST, "TXT").reason


PRIVATE = ["127.0.0.1", "10.0.0.53", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.251", "0.0.0.0"]
PRIVATE6 = ["::1", "fe80::1", "fd00::53", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]


def test_no_zone_leads_our_questions_to_what_is_ours(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns.example.org")
    zone.put("ns.example.org", "A", *PRIVATE)
    zone.put("ns.example.org", "AAAA", *PRIVATE6)
    zone.put(HOST, "CNAME", TARGET)
    look = DnsClient(recursors=[server], port=server.port)
    answer = look.ask_zone(HOST, "CNAME")
    assert (answer.state, answer.reason) == (FAILED, "The domain's name servers are not on the internet")
    assert (HOST, "CNAME") not in zone.asked


def test_a_public_server_beside_private_ones_is_asked(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "a.example.org", "b.example.org")
    zone.put("a.example.org", "A", "10.0.0.1")
    zone.put("b.example.org", "A", "192.168.0.1", "9.9.9.9")
    assert DnsClient(recursors=[server]).of_zone(HOST) == (DnsServer("9.9.9.9"),)


def test_addresses_that_every_machine_reaches_are_asked_first(server: DnsServer, zone: Zone) -> None:
    zone.put("example.org", "NS", "ns1.example.net", "ns2.example.net")
    for number in (1, 2):
        zone.put(f"ns{number}.example.net", "AAAA", f"2001:db8::{number}")
        zone.put(f"ns{number}.example.net", "A", f"192.0.2.{number}")
    found = DnsClient(recursors=[server], may_ask=lambda _: True).find_servers("example.org")
    assert isinstance(found, tuple)
    four, six = ["192.0.2.1", "192.0.2.2"], ["2001:db8::1", "2001:db8::2"]
    assert [each.address for each in found] == four + six


def test_a_name_that_leads_to_the_root_or_is_too_long_is_no_accident(server: DnsServer, zone: Zone) -> None:
    zone.put(HOST, "CNAME", ".")
    zone.put("example.org", "NS", ".")
    assert DnsClient([server]).ask_zone(HOST, "CNAME").values == (".",)
    assert in_charge(server, server).ask_zone(HOST, "CNAME").failed
    longest = ".".join(["a" * 60] * 4) + ".example"
    assert "too long" in DnsClient([server]).ask_zone(f"_homeward.{longest}", "TXT").reason


def test_where_nothing_listens_the_next_is_asked_at_once(server: DnsServer, zone: Zone) -> None:
    """A closed port is told by the system, so that the look keeps its time for the others."""
    zone.put(HOST, "A", "203.0.113.9")
    clock = iter([0.0, *[0.1] * 200])
    look = DnsClient([DnsServer("127.0.0.1", 1)] * 20 + [server], clock=lambda: next(clock), seconds=0.2)
    assert look.ask_zone(HOST, "A").values == ("203.0.113.9",)


@given(st.binary(max_size=200), st.integers(0, 60), st.integers(0, 60))
def test_whatever_comes_is_an_answer_or_is_not_heard(junk: bytes, at: int, cut: int) -> None:
    question = make_query(HOST, "CAA")
    wire = bytearray(make_response(question).to_wire())
    for noise in (junk, bytes(wire[:at]) + junk + bytes(wire[at + cut :])):
        with suppress(Truncated):
            message = dns_transport.answer_in(noise, question)
            assert message is None or question.is_response(message)


def test_what_is_shown_of_values_is_short_and_plain() -> None:
    assert dns_answers.printable_values(["203.0.113.9"]) == ("203.0.113.9",)
    assert dns_answers.printable_values(["a\nb\x00\u202ec"]) == ("a\\u000ab\\u0000\\u202ec",)
    shown = dns_answers.printable_values(["x" * 60_000] * 500)
    assert len(shown) == dns_answers.SHOWN_MOST + 1
    assert shown[-1] == f"and {500 - dns_answers.SHOWN_MOST} more"
    assert len("".join(shown)) < 3_000
