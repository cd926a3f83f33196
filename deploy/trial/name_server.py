"""A DNS server on the loopback interface, for trials and tests. Its records can change while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from dnslib import AAAA, CAA, CNAME, NS, QTYPE, RCODE, RR, SOA, TXT, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSLogger, DNSServer

from adoption.domains.dns_transport import DnsServer

KINDS = {"A": A, "AAAA": AAAA, "CNAME": CNAME, "NS": NS, "TXT": TXT}


def caa(text: str) -> CAA:
    flags, tag, value = text.split(" ", 2)
    return CAA(int(flags), tag, value.strip('"'))


def question_of(request: DNSRecord) -> tuple[str, str]:
    """Return a request's name and record type. The name is in lower case, without its last dot."""
    return str(request.q.qname).rstrip(".").lower(), QTYPE[request.q.qtype]


class Records(BaseResolver):
    """DNS records, with answers like a recursive resolver's: a CNAME record and the records of its target.

    ``records`` has the form ``(name, kind): [values]``. A name can begin with ``*.``, for a wildcard record.
    """

    def __init__(self) -> None:
        self.records: dict[tuple[str, str], list[str]] = {}
        self.names: set[str] = set()
        """Names that exist, but have no records."""
        self.unregistered: set[str] = set()
        """Names of one or two labels that do not exist. All other names of one or two labels exist."""
        self.seconds = 3600
        self.follows = True
        """Whether an answer contains the records of a CNAME's target. A name server of only one zone does not
        add these records."""

    def put(self, name: str, kind: str, *values: str) -> None:
        """Replace the records of this name and kind."""
        self.records[name, kind] = list(values)

    def values_of(self, name: str, kind: str) -> list[str]:
        """Return the values of a name. If the name does not exist, return the values of the matching wildcard
        record.

        The matching wildcard record is directly below the closest parent that exists (RFC 4592, 3.3.1).
        """
        if self.exists(name):
            return self.records.get((name, kind), [])
        above = [name.split(".", count)[-1] for count in range(1, name.count(".") + 1)]
        closest = next((each for each in above if self.exists(each)), above[-1])
        return self.records.get((f"*.{closest}", kind), [])

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        name, kind = question_of(request)
        reply = request.reply(aa=1)
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
            aliases = self.values_of(name, "CNAME")
            for value in aliases if kind == "CNAME" else self.values_of(name, kind):
                yield name, kind, value
            if kind == "CNAME" or not aliases:
                return
            for alias in aliases:
                yield name, "CNAME", alias
            if not self.follows:
                return
            name = aliases[0].rstrip(".").lower()


@contextmanager
def serving(
    zone: Records, beside: DnsServer | None = None, handler: type[DNSHandler] = DNSHandler
) -> Iterator[DnsServer]:
    """Run a server for UDP and TCP on a free port.

    If ``beside`` is a server, use the same port at a different address.
    """
    udp, tcp = pair(zone, beside, handler)
    address, port = udp.server.server_address
    for each in (udp, tcp):
        each.start_thread()
    try:
        yield DnsServer(address, port)
    finally:
        for each in (udp, tcp):
            each.stop()
            each.server.server_close()


def pair(zone: Records, beside: DnsServer | None, handler: type[DNSHandler]) -> tuple[DNSServer, DNSServer]:
    """Return a server for UDP and a server for TCP. Both use the same port, which has to be free for both."""
    quiet = DNSLogger("-request,-reply,-truncated,-error,-recv,-send,-data")
    address, port = ("127.0.0.2", beside.port) if beside else ("127.0.0.1", 0)
    rest = {"address": address, "logger": quiet, "handler": handler}
    while True:
        udp = DNSServer(zone, port=port, **rest)
        try:
            return udp, DNSServer(zone, port=udp.server.server_address[1], tcp=True, **rest)
        except OSError:
            udp.server.server_close()
            if beside:
                raise
