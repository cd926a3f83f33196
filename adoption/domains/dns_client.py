"""Asking DNS: the zone's own name servers, so that what was put right a second ago counts at once.

Where the installation names servers to ask (``HOMEWARD_DNS_SERVERS``), those are asked for everything.
Nothing here judges, and a failure to look is never "there is nothing".
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from ipaddress import ip_address
from threading import Lock

import dns.exception
import dns.flags
import dns.message
import dns.resolver

from adoption.addresses import IP, is_public
from adoption.domains.dns_answers import NXDOMAIN, Answer, failure
from adoption.domains.dns_transport import DNS_PORT, Server, exchange
from adoption.domains.names import parents, suffixes

ONE_SERVER_SECONDS = 1.0
"""How long one server is waited for while others are left."""
LAST_SERVER_SECONDS = 1.5
"""How long the last one is, which may have far to go itself; what it leaves is for the next question."""
LOOK_SECONDS = 3.0
"""How long all the questions about one host may take together."""
SERVERS_MOST = 3
"""Of a zone's name servers that are tried one after another."""

Clock = Callable[[], float]


class DnsClient:
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

    def ask_zone(self, name: str, kind: str) -> Answer:
        """What the zone itself has under this name now."""
        if self.servers or not own_parents(name):
            return self.ask_resolver(name, kind)
        with self.finding:  # those who wait find it known
            servers = self.of_zone(name)
        if isinstance(servers, Answer):
            return servers
        if not servers:
            return self.ask_resolver(name, kind)
        return self.send(servers, name, kind, recursive=False)

    def ask_resolver(self, name: str, kind: str) -> Answer:
        """What a resolver tells of this name, which may be what it was some time ago."""
        return self.told(name, kind)

    def ask_recursors(self, name: str, kind: str) -> Answer:
        return self.send(self.recursors, name, kind)

    def name_servers(self, name: str) -> tuple[str, ...]:
        """The names of the servers that the zone of this name is at; none where they cannot be told."""
        for zone in own_parents(name):
            if values := self.ask_resolver(zone, "NS").values:
                return values
        return ()

    def find_servers(self, name: str) -> tuple[Server, ...] | Answer:
        """Where the zone of this name is served, or why that cannot be told: it may not exist at all.

        Nowhere of its own where whoever gives out names below a suffix keeps them in the suffix's own zone.
        """
        answer, named = failure("The domain has no name server"), False
        for zone in own_parents(name):
            answer = self.ask_resolver(zone, "NS")
            named = named or bool(answer.values)
            told = [self.addresses_of(each) for each in answer.values[:SERVERS_MOST]]
            if any(map(any, told)):
                return self.allowed(told) or failure("The domain's name servers are not on the internet")
        if answer.state == NXDOMAIN or answer.failed:
            return answer
        return failure("No name server of the domain can be found") if named else ()

    def addresses_of(self, name_server: str) -> list[tuple[str, ...]]:
        return [self.ask_resolver(name_server, kind).at_end for kind in ("A", "AAAA")]

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

    def left(self, most: float) -> float:
        """Seconds that a server which gets so many at the most may be waited for now."""
        return min(self.ends - self.clock(), most)

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
        for number, server in enumerate(servers, 1):
            most = LAST_SERVER_SECONDS if number == len(servers) else ONE_SERVER_SECONDS
            if self.left(most) <= 0:
                break
            told = exchange(question, server, partial(self.left, most), name, kind)
            if not told.failed:
                break
        return told


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
