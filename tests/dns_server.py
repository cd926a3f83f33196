"""A DNS server on the loopback, whose zone a test writes as it goes, and which can fail in each known way."""

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from dnslib import AAAA, CAA, CNAME, NS, QTYPE, RCODE, RR, SOA, TXT, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSLogger, DNSServer

from adoption.domains.dns_transport import Server

KINDS = {"A": A, "AAAA": AAAA, "CNAME": CNAME, "NS": NS, "TXT": TXT}
SILENT, CUT, WRONG_ID, GARBAGE = "silent", "cut", "wrong id", "garbage"
LOST = "lost"
"""The first datagram with each question."""
FLOOD, DRIP = "flood", "drip"
"""Garbage without end by UDP, and a whole answer by TCP that never comes to its end."""
SERVFAIL, REFUSED = "SERVFAIL", "REFUSED"
NOT_IN_CHARGE = "not in charge"


def caa(text: str) -> CAA:
    flags, tag, value = text.split(" ", 2)
    return CAA(int(flags), tag, value.strip('"'))


class Zone(BaseResolver):  # type: ignore[misc]
    """Answers as a recursor does: an alias and what it leads to come together.

    ``records`` are ``(name, kind): [values]``; ``faults`` are by name, or by name and kind.
    """

    def __init__(self) -> None:
        self.records: dict[tuple[str, str], list[str]] = {}
        self.faults: dict[object, str] = {}
        self.wildcards: dict[str, str] = {}
        """The target of the alias that every name below has which has no records of its own (RFC 4592)."""
        self.fault_elsewhere = ""
        """Of CNAME questions about names that do not exist."""
        self.names: set[str] = set()
        """That exist, without any record of their own."""
        self.unregistered: set[str] = set()
        """The names of two labels that do not exist: all others do."""
        self.asked: list[tuple[str, str]] = []
        self.heard: list[tuple[str, str]] = []
        """Those that came by UDP, answered or not."""
        self.seconds = 3600
        self.follows = True
        """Whether what an alias leads to is told with it, as no name server of one zone can."""

    def put(self, name: str, kind: str, *values: str) -> None:
        """Have these records and no others under the name and kind; none takes them away."""
        self.records[name, kind] = list(values)

    def fault_of(self, name: str, kind: str) -> str:
        named = self.faults.get((name, kind)) or self.faults.get(name) or self.faults.get("*")
        return named or (self.fault_elsewhere if kind == "CNAME" and not self.exists(name) else "")

    def aliases_of(self, name: str) -> list[str]:
        if aliases := self.values_of(name, "CNAME"):
            return aliases
        above = next((each for each in self.wildcards if name.endswith(f".{each}")), None)
        return [] if above is None or self.exists(name) else [self.wildcards[above]]

    def values_of(self, name: str, kind: str) -> list[str]:
        """Return the values under a name; those of ``*.example.org`` where it has none."""
        if self.exists(name):
            return self.records.get((name, kind), [])
        above = [name.split(".", count)[-1] for count in range(1, name.count(".") + 1)]
        return next((found for each in above if (found := self.records.get((f"*.{each}", kind)))), [])

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        name, kind = str(request.q.qname).rstrip(".").lower(), QTYPE[request.q.qtype]
        self.asked.append((name, kind))
        fault = self.fault_of(name, kind)
        reply = request.reply(aa=int(fault != NOT_IN_CHARGE))
        if fault in (SERVFAIL, REFUSED):
            reply.header.rcode = getattr(RCODE, fault)
            return reply
        for owner, record_kind, value in self.found(name, kind):
            data = caa(value) if record_kind == "CAA" else KINDS[record_kind](value)
            reply.add_answer(RR(owner, getattr(QTYPE, record_kind), rdata=data, ttl=self.seconds))
        if not reply.rr:
            if not self.exists(name):
                reply.header.rcode = RCODE.NXDOMAIN
            reply.add_auth(RR(name, QTYPE.SOA, rdata=SOA("ns.test", "x.test", (1, 1, 1, 1, 720)), ttl=720))
        return reply

    def exists(self, name: str) -> bool:
        if name.count(".") <= 1:
            return name not in self.unregistered
        known = {owner for (owner, _), values in self.records.items() if values} | self.names
        return any(owner == name or owner.endswith(f".{name}") for owner in known)

    def found(self, name: str, kind: str) -> Iterator[tuple[str, str, str]]:
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            aliases = self.aliases_of(name)
            for value in aliases if kind == "CNAME" else self.values_of(name, kind):
                yield name, kind, value
            if kind == "CNAME" or not aliases:
                return
            for alias in aliases:
                yield name, "CNAME", alias
            if not self.follows:
                return
            name = aliases[0].rstrip(".").lower()


class Handler(DNSHandler):  # type: ignore[misc]
    def get_reply(self, data: bytes) -> bytes:
        zone: Zone = self.server.resolver
        question = DNSRecord.parse(data)
        name, kind = str(question.q.qname).rstrip(".").lower(), QTYPE[question.q.qtype]
        fault, udp = zone.fault_of(name, kind), self.protocol == "udp"
        whole: bytes = super().get_reply(data)
        if fault == GARBAGE:
            return b"\xff" * 40
        if fault in (CUT, DRIP) and udp:
            reply = question.reply()
            reply.header.tc = 1
            return bytes(reply.pack())
        if fault == WRONG_ID:
            return struct.pack("!H", (question.header.id + 1) % 65_536) + whole[2:]
        return whole

    def handle(self) -> None:
        zone: Zone = self.server.resolver
        if self.server.socket_type == socket.SOCK_DGRAM:
            question = DNSRecord.parse(self.request[0])
            name, kind = str(question.q.qname).rstrip(".").lower(), QTYPE[question.q.qtype]
            fault = zone.fault_of(name, kind)
            known = (name, kind) in zone.heard
            zone.heard.append((name, kind))
            if fault == SILENT or (fault == LOST and not known):
                return
            while zone.fault_of(name, kind) == FLOOD:
                self.request[1].sendto(b"\xff" * 40, self.client_address)
        elif DRIP in zone.faults.values():
            self.drip(zone)
            return
        super().handle()

    def drip(self, zone: Zone) -> None:
        self.request.recv(600)
        self.request.sendall(struct.pack("!H", 2_000))
        with suppress(OSError):
            while DRIP in zone.faults.values():
                self.request.sendall(b"\0")
                time.sleep(0.01)


@contextmanager
def serving(zone: Zone, beside: Server | None = None) -> Iterator[Server]:
    """Run it, by UDP and TCP on one port: that of another one, at an address of its own, if that is given."""
    udp, tcp = pair(zone, beside)
    address, port = udp.server.server_address
    for each in (udp, tcp):
        each.start_thread()
    try:
        yield Server(address, port)
    finally:
        for each in (udp, tcp):
            each.stop()
            each.server.server_close()


def pair(zone: Zone, beside: Server | None) -> tuple[DNSServer, DNSServer]:
    """A server for UDP and one for TCP on one port, which others may have taken for one of the two."""
    quiet = DNSLogger("-request,-reply,-truncated,-error,-recv,-send,-data")
    address, port = ("127.0.0.2", beside.port) if beside else ("127.0.0.1", 0)
    rest = {"address": address, "logger": quiet, "handler": Handler}
    while True:
        udp = DNSServer(zone, port=port, **rest)
        try:
            return udp, DNSServer(zone, port=udp.server.server_address[1], tcp=True, **rest)
        except OSError:
            udp.server.server_close()
            if beside:
                raise
