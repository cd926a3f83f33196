"""Asking DNS: the zone's own name servers, so that what was put right a second ago counts at once.

Where the installation names servers to ask (``HOMEWARD_DNS_SERVERS``), those are asked for everything.
Nothing here judges, and a failure to look is an answer of its own and never "there is nothing".
"""

import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from ipaddress import ip_address
from threading import Lock
from typing import NamedTuple

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.resolver

from adoption.addresses import IP, is_public
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
BYTES_MOST = 16_384
"""Of an answer: a larger one takes long to read, and no record that counts here needs it."""
SHOWN_MOST, SHOWN_LONGEST = 10, 200
"""Values of one name, and letters of each, that people are shown."""

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
    of each zone. Both may be asked by several threads at once. Those of a zone are asked only at addresses
    that ``may_ask`` allows: a zone says what it likes, and nothing of ours is to be reached by that.
    """

    def __init__(
        self,
        servers: Sequence[Server] = (),
        recursors: Sequence[Server] | None = None,
        clock: Clock = time.monotonic,
        seconds: float = LOOK_SECONDS,
        port: int = DNS_PORT,
        may_ask: Callable[[IP], bool] = is_public,
    ) -> None:
        self.servers = tuple(servers)
        self.recursors = self.servers or (system_servers() if recursors is None else tuple(recursors))
        self.clock = clock
        self.ends = clock() + seconds
        self.port, self.may_ask = port, may_ask
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
        if not servers:
            return self.cached(name, kind)
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
        """Where the zone of this name is served, or why that cannot be told: it may not exist at all.

        Nowhere of its own where whoever gives out names below a suffix keeps them in the suffix's own zone.
        """
        answer, named = failure("The domain has no name server"), False
        for zone in own_parents(name):
            answer = self.cached(zone, "NS")
            named = named or bool(answer.values)
            told = [self.addresses_of(each) for each in answer.values[:SERVERS_MOST]]
            if any(map(any, told)):
                return self.allowed(told) or failure("The domain's name servers are not on the internet")
        if answer.state == NXDOMAIN or answer.failed:
            return answer
        return failure("No name server of the domain can be found") if named else ()

    def addresses_of(self, name_server: str) -> list[tuple[str, ...]]:
        return [self.cached(name_server, kind).at_end for kind in ("A", "AAAA")]

    def allowed(self, told: Sequence[Sequence[Sequence[str]]]) -> tuple[Server, ...]:
        """One of each server's addresses of each kind, as far as they may be asked."""
        each_first = [
            next((each for each in addresses if self.may_ask(ip_address(each))), "")
            for kinds in told
            for addresses in kinds
        ]
        # IPv4 first: a machine without IPv6 would lose its time on the others.
        found = sorted(filter(None, each_first), key=lambda address: ":" in address)
        return tuple(Server(address, self.port) for address in found[:SERVERS_MOST])

    def left(self) -> float:
        """Seconds that one server may be waited for now."""
        return min(self.ends - self.clock(), ONE_SERVER_SECONDS)

    def send(self, servers: Sequence[Server], name: str, kind: str, recursive: bool = True) -> Answer:
        """The first answer that one of the servers gives."""
        if not servers:
            return failure("No DNS server is known to this machine")
        try:
            question = dns.message.make_query(name, kind)
        except dns.exception.DNSException:
            return failure("The name is too long for DNS")
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
    except TimeoutError:
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
        return by_udp(question, server, left())
    except dns.message.Truncated:
        return by_tcp(question, server, left())


def by_udp(question: dns.message.Message, server: Server, seconds: float) -> dns.message.Message:
    """The first answer to this very question, however much else comes meanwhile.

    The system keeps away what others than the server send, and tells at once where nothing listens. Raises
    TimeoutError, OSError, or Truncated.
    """
    ends = time.monotonic() + seconds
    with socket.socket(family(server), socket.SOCK_DGRAM) as asking:
        asking.connect(server)
        asking.send(question.to_wire())
        while True:
            wait(asking, ends)
            if message := answer_in(asking.recv(BYTES_MOST), question):
                return message


def answer_in(wire: bytes, question: dns.message.Message) -> dns.message.Message | None:
    """What a datagram says; None where it is no answer to this question. Raises Truncated."""
    try:
        message = dns.message.from_wire(wire, ignore_trailing=True, raise_on_truncation=True)
    except dns.message.Truncated as cut:
        if question.is_response(cut.message()):  # type: ignore[no-untyped-call]  # dnspython gives it none
            raise
        return None
    except (dns.exception.DNSException, ValueError):
        return None
    return message if question.is_response(message) else None


def by_tcp(question: dns.message.Message, server: Server, seconds: float) -> dns.message.Message:
    """The answer over a connection (RFC 7766). Raises TimeoutError, OSError, EOFError, or ValueError."""
    ends = time.monotonic() + seconds
    with socket.socket(family(server), socket.SOCK_STREAM) as asking:
        wait(asking, ends)
        asking.connect(server)
        asking.sendall(question.to_wire(prepend_length=True))
        (length,) = struct.unpack("!H", received(asking, 2, ends))
        if length > BYTES_MOST:
            raise ValueError("too large")
        message = dns.message.from_wire(received(asking, length, ends), ignore_trailing=True)
    if not question.is_response(message):
        raise ValueError("not an answer to what was asked")
    return message


def received(asking: socket.socket, length: int, ends: float) -> bytes:
    """So many bytes, which may come in pieces."""
    pieces = b""
    while len(pieces) < length:
        wait(asking, ends)
        piece = asking.recv(length - len(pieces))
        if not piece:
            raise EOFError
        pieces += piece
    return pieces


def wait(asking: socket.socket, ends: float) -> None:
    """Have the next step end in time. Raises TimeoutError where there is none left."""
    seconds = ends - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    asking.settimeout(seconds)


def family(server: Server) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in server.address else socket.AF_INET


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


def legible(values: Sequence[str]) -> tuple[str, ...]:
    """Values as people are shown them. Whoever has the zone writes them: they may be long, many, and deceive.

    Letters that are not seen or turn the line round are told by their number.
    """
    seen = [
        "".join(map(visible, each[:SHOWN_LONGEST])) + "…" * (len(each) > SHOWN_LONGEST) for each in values
    ]
    more = len(seen) - SHOWN_MOST
    return tuple(seen) if more <= 0 else (*seen[:SHOWN_MOST], f"and {more} more")


def visible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{ord(letter):04x}"
