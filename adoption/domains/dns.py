"""Asking DNS: the zone's own name servers, so that what was put right a second ago counts at once.

Where the installation names servers to ask (``HOMEWARD_DNS_SERVERS``), those are asked for everything.
Nothing here judges, and a failure to look is an answer of its own and never "there is nothing".
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from threading import Lock
from typing import NamedTuple

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.query
import dns.rcode
import dns.rdatatype
import dns.resolver

from adoption.domains.names import parents, suffixes

FOUND, NODATA, NXDOMAIN, FAILED = "found", "nodata", "nxdomain", "failed"

ONE_SERVER_SECONDS = 1.0
"""How long one server is waited for while others are left."""
LOOK_SECONDS = 3.0
"""How long all the questions about one host may take together."""
CHAIN_LONGEST = 8
SERVERS_MOST = 3
"""Of a zone's name servers that are tried one after another."""
DNS_PORT = 53

Clock = Callable[[], float]


class Server(NamedTuple):
    address: str
    port: int = DNS_PORT


class Answer(NamedTuple):
    """What DNS has under one name of one kind of record."""

    state: str
    """``FOUND``, ``NODATA``, ``NXDOMAIN`` or ``FAILED``."""
    values: tuple[str, ...] = ()
    """Of records that stand under that very name, as text; names in small letters without the last dot."""
    seconds: int = 0
    """How long resolvers may keep this."""
    reason: str = ""
    """Why it failed, for people."""
    chain: tuple[str, ...] = ()
    """The names that an alias under that name leads to, in their order, as far as the answer tells."""
    at_end: tuple[str, ...] = ()
    """The values at the end of that chain, as far as the answer tells; ``values`` where there is none."""

    @property
    def failed(self) -> bool:
        return self.state == FAILED


def failure(reason: str) -> Answer:
    return Answer(FAILED, reason=reason)


class Look:
    """One look at DNS, bounded in time as a whole.

    ``servers`` are asked for everything, where there are any; else the ``recursors`` lead to the name servers
    of each zone. Both may be asked by several threads at once.
    """

    def __init__(
        self,
        servers: Sequence[Server] = (),
        recursors: Sequence[Server] | None = None,
        clock: Clock = time.monotonic,
        seconds: float = LOOK_SECONDS,
        port: int = DNS_PORT,
    ) -> None:
        self.servers = tuple(servers)
        self.recursors = self.servers or (system_servers() if recursors is None else tuple(recursors))
        self.clock = clock
        self.ends = clock() + seconds
        self.port = port
        self.of_zone, self.told = cache(self.find_servers), cache(self.ask_recursors)
        self.finding = Lock()

    def authority(self, name: str, kind: str) -> Answer:
        """What the zone itself has under this name now."""
        if self.servers or not own_parents(name):
            return self.cached(name, kind)
        with self.finding:  # those who wait find it known
            servers = self.of_zone(name)
        if isinstance(servers, Answer):
            return servers
        return self.send(servers, name, kind, recursive=False)

    def cached(self, name: str, kind: str) -> Answer:
        """What a resolver tells of this name, which may be what it was some time ago."""
        return self.told(name, kind)

    def ask_recursors(self, name: str, kind: str) -> Answer:
        return self.send(self.recursors, name, kind)

    def name_servers(self, name: str) -> tuple[str, ...]:
        """The names of the servers that the zone of this name is at; none where they cannot be told."""
        for zone in own_parents(name):
            if values := self.cached(zone, "NS").values:
                return values
        return ()

    def find_servers(self, name: str) -> tuple[Server, ...] | Answer:
        """Where the zone of this name is served, or why that cannot be told: it may not exist at all."""
        answer = failure("The domain has no name server")
        for zone in own_parents(name):
            answer = self.cached(zone, "NS")
            if addresses := [at for each in answer.values[:SERVERS_MOST] for at in self.addresses_of(each)]:
                # IPv4 first: a machine without IPv6 would lose its time on the others.
                addresses.sort(key=lambda server: ":" in server.address)
                return tuple(addresses[:SERVERS_MOST])
        if answer.state == NXDOMAIN or answer.failed:
            return answer
        return failure("No name server of the domain answers")

    def addresses_of(self, name_server: str) -> list[Server]:
        found = (self.cached(name_server, kind).at_end[:1] for kind in ("A", "AAAA"))
        return [Server(address, self.port) for addresses in found for address in addresses]

    def left(self) -> float:
        """Seconds that one server may be waited for now."""
        return min(self.ends - self.clock(), ONE_SERVER_SECONDS)

    def send(self, servers: Sequence[Server], name: str, kind: str, recursive: bool = True) -> Answer:
        """The first answer that one of the servers gives."""
        if not servers:
            return failure("No DNS server is known to this machine")
        question = dns.message.make_query(name, kind)
        if not recursive:
            question.flags &= ~dns.flags.RD
        told = failure("There was no time left to ask")
        for server in servers:
            if self.left() <= 0:
                break
            told = exchange(question, server, self.left, name, kind)
            if not told.failed:
                break
        return told


def exchange(
    question: dns.message.Message, server: Server, left: Callable[[], float], name: str, kind: str
) -> Answer:
    """Ask one server, by UDP and where the answer is cut short by TCP. Answers to others are not heard."""
    try:
        message = by_udp_or_tcp(question, server, left)
    except dns.exception.Timeout:
        return failure("The DNS server did not answer in time")
    except (OSError, EOFError):
        return failure("The DNS server cannot be reached")
    except (dns.exception.DNSException, ValueError):
        return failure("The DNS server's answer cannot be read")
    if not (message.flags & dns.flags.AA or question.flags & dns.flags.RD):
        return failure("The DNS server is not in charge of the domain")
    return read(message, name, kind)


def by_udp_or_tcp(
    question: dns.message.Message, server: Server, left: Callable[[], float]
) -> dns.message.Message:
    try:
        return dns.query.udp(
            question,
            server.address,
            left(),
            server.port,
            ignore_unexpected=True,
            ignore_trailing=True,
            ignore_errors=True,
            raise_on_truncation=True,
        )
    except dns.message.Truncated:
        return dns.query.tcp(question, server.address, max(left(), 0.001), server.port)


def read(message: dns.message.Message, name: str, kind: str) -> Answer:
    code = message.rcode()
    if code not in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
        return failure(f"The DNS server answered {dns.rcode.to_text(code)}")
    try:
        chain = chain_in(message, name)
    except RecursionError:
        return failure("The records lead round in a circle")
    values, seconds = records_in(message, name, kind)
    at_end = records_in(message, chain[-1], kind)[0] if chain else values
    if values:
        return Answer(FOUND, values, seconds, chain=chain, at_end=at_end)
    state = NXDOMAIN if code == dns.rcode.NXDOMAIN and not chain else NODATA
    return Answer(state, seconds=negative_seconds(message), chain=chain, at_end=at_end)


def chain_in(message: dns.message.Message, name: str) -> tuple[str, ...]:
    """The names that aliases in an answer lead to from this one. Raises RecursionError where they loop."""
    chain: list[str] = []
    at = name
    while targets := records_in(message, at, "CNAME")[0]:
        at = targets[0]
        if at == name or at in chain or len(chain) == CHAIN_LONGEST:
            raise RecursionError
        chain.append(at)
    return tuple(chain)


def records_in(message: dns.message.Message, name: str, kind: str) -> tuple[tuple[str, ...], int]:
    """The records of an answer that stand under this very name, and the least of their lives."""
    owner, wanted = dns.name.from_text(name), dns.rdatatype.from_text(kind)
    sets = [each for each in message.answer if each.name == owner and each.rdtype == wanted]
    values = sorted({as_text(record, kind) for each in sets for record in each})
    return tuple(values), min((each.ttl for each in sets), default=0)


def as_text(record: dns.rdata.Rdata, kind: str) -> str:
    if kind in ("CNAME", "NS"):
        target: str = record.target.to_text(omit_final_dot=True)  # type: ignore[attr-defined]
        return target.lower()
    if kind == "TXT":
        return b"".join(record.strings).decode("utf-8", "replace")  # type: ignore[attr-defined]
    return record.to_text()


def negative_seconds(message: dns.message.Message) -> int:
    """How long resolvers may keep it that there is nothing (RFC 2308, 5)."""
    for each in message.authority:
        if each.rdtype == dns.rdatatype.SOA:
            return min([each.ttl, *(int(record.minimum) for record in each)])
    return 0


def own_parents(name: str) -> list[str]:
    """The name and what is above it, without public suffixes: their servers only lead on."""
    return [each for each in parents(name) if suffixes().privatesuffix(each)]


@cache
def system_servers() -> tuple[Server, ...]:
    """The resolvers that this machine is set up with."""
    with suppress(dns.exception.DNSException, OSError):
        resolver = dns.resolver.Resolver()
        return tuple(Server(str(each), resolver.port) for each in resolver.nameservers)
    return ()
