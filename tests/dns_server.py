"""A DNS server on the loopback. Tests set its records and failures."""

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from dnslib import EDNS0, QTYPE, RCODE, DNSRecord, EDNSOption
from dnslib.server import DNSHandler

from adoption.domains.dns_transport import DnsServer
from deploy.trial import name_server
from deploy.trial.name_server import Records, question_of

SILENT, CUT, WRONG_ID, GARBAGE = "silent", "cut", "wrong id", "garbage"
LOST = "lost"
"""A fault: the first query of each kind gets no answer."""
FLOOD, DRIP = "flood", "drip"
"""Two faults. FLOOD is endless garbage over UDP, DRIP an endless answer over TCP."""
SERVFAIL, REFUSED = "SERVFAIL", "REFUSED"
NOT_IN_CHARGE = "not in charge"
EXTENDED_ERROR, DNSSEC_BOGUS = 15, 6
"""The EDNS option and the code of RFC 8914."""


class Zone(Records):
    """DNS records and faults. A fault is set for a name, or for a name and a type."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: dict[object, str] = {}
        self.fault_elsewhere = ""
        """The fault of CNAME queries for names that have no records."""
        self.bogus: set[str] = set()
        """Zones with broken DNSSEC. The server refuses the zones' records, like a validating resolver."""
        self.deep_wildcards = True
        """Whether a wildcard matches names several labels below it, as in RFC 4592."""
        self.asked: list[tuple[str, str]] = []
        self.heard: list[tuple[str, str]] = []
        """The queries by UDP, answered or not."""

    def fault_of(self, name: str, kind: str) -> str:
        named = self.faults.get((name, kind)) or self.faults.get(name) or self.faults.get("*")
        return named or (self.fault_elsewhere if kind == "CNAME" and not self.exists(name) else "")

    def values_of(self, name: str, kind: str) -> list[str]:
        _, _, parent = name.partition(".")
        if self.deep_wildcards or self.exists(name) or (f"*.{parent}", kind) in self.records:
            return super().values_of(name, kind)
        return []

    def is_bogus(self, name: str) -> bool:
        return any(name == zone or name.endswith(f".{zone}") for zone in self.bogus)

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        name, kind = question_of(request)
        self.asked.append((name, kind))
        if self.is_bogus(name) and not request.header.cd:
            return refused_by_dnssec(request)
        fault = self.fault_of(name, kind)
        if fault in (SERVFAIL, REFUSED):
            reply = request.reply(aa=1)
            reply.header.rcode = getattr(RCODE, fault)
            return reply
        reply = super().resolve(request, handler)
        reply.header.aa = int(fault != NOT_IN_CHARGE)
        return reply


def refused_by_dnssec(request: DNSRecord) -> DNSRecord:
    """Return a validating resolver's answer about a wrong signature.

    The answer has the reason if the query uses EDNS.
    """
    reply = request.reply(aa=0)
    reply.header.rcode = RCODE.SERVFAIL
    if any(each.rtype == QTYPE.OPT for each in request.ar):
        reason = DNSSEC_BOGUS.to_bytes(2, "big") + b"signature expired"
        reply.add_ar(EDNS0(udp_len=1232, opts=[EDNSOption(EXTENDED_ERROR, reason)]))
    return reply


class Handler(DNSHandler):  # type: ignore[misc]
    def get_reply(self, data: bytes) -> bytes:
        zone: Zone = self.server.resolver
        question = DNSRecord.parse(data)
        name, kind = question_of(question)
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
            name, kind = question_of(DNSRecord.parse(self.request[0]))
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
def serving(zone: Zone, beside: DnsServer | None = None) -> Iterator[DnsServer]:
    """Run a DNS server for the zone. The zone's faults decide how the server fails."""
    with name_server.serving(zone, beside, Handler) as server:
        yield server
