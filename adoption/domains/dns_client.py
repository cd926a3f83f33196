"""Asking DNS: the zone's own name servers, so that what was put right a second ago counts at once.

Where the installation names servers to ask (``HOMEWARD_DNS_SERVERS``), those are asked for everything.
Nothing here judges, and a failure to look is never "there is nothing".
"""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from ipaddress import ip_address
from threading import Lock

import dns.exception
import dns.flags
import dns.message
import dns.resolver

from adoption.addresses import IP, is_public
from adoption.domains.dns_answers import NXDOMAIN, DnsAnswer, failure
from adoption.domains.dns_transport import DNS_PORT, DnsServer, exchange
from adoption.domains.hostnames import parents
from adoption.domains.public_suffixes import suffixes

ONE_SERVER_SECONDS = 1.0
"""How long one server is waited for while others are left."""
LAST_SERVER_SECONDS = 1.5
"""How long the last one is, which may have far to go itself; what it leaves is for the next question."""
LOOK_SECONDS = 3.0
"""How long all the questions about one host may take together."""
SHORTEST_SECONDS = 0.5
"""How long one is at the least, however many are left."""
SERVERS_MOST = 8
"""Of a zone's name servers, and of their addresses, that are tried: dead ones may come first."""

Clock = Callable[[], float]


class DnsClient:
    """One look at DNS, bounded in time as a whole.

    ``servers`` are asked for everything, where there are any; else the ``recursors`` lead to the name servers
    of each zone. Both may be asked by several threads at once. Those of a zone are asked only at addresses
    that ``may_ask`` allows: a zone says what it likes, and nothing of ours is to be reached by that.
    """

    def __init__(
        self,
        servers: Sequence[DnsServer] = (),
        recursors: Sequence[DnsServer] | None = None,
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
        self.silent: set[DnsServer] = set()
        """Servers that have not answered a question: they are asked last."""
        self.names: dict[DnsServer, str] = {}

    def ask_zone(self, name: str, kind: str) -> DnsAnswer:
        """What the zone itself has under this name now."""
        if self.servers or not own_parents(name):
            return self.ask_resolver(name, kind)
        servers = self.servers_of(name)
        if isinstance(servers, DnsAnswer):
            return servers
        if not servers:
            return self.ask_resolver(name, kind)
        return self.send(servers, name, kind, recursive=False)

    def ask_each_server(self, name: str, kind: str) -> list[DnsAnswer]:
        """Return what each name server of the zone has under this name, where one may lag behind."""
        servers = self.servers or self.of_zone(name)
        if isinstance(servers, DnsAnswer):
            return [servers]
        recursive = bool(self.servers)
        return [self.send([server], name, kind, recursive) for server in servers]

    def ask_resolver(self, name: str, kind: str) -> DnsAnswer:
        """What a resolver tells of this name, which may be what it was some time ago."""
        return self.told(name, kind)

    def ask_recursors(self, name: str, kind: str) -> DnsAnswer:
        answer = self.send(self.recursors, name, kind)
        if self.servers and answer.rcode == "SERVFAIL":
            return self.explain_refusal(answer, name, kind)
        return answer

    def explain_refusal(self, refused: DnsAnswer, name: str, kind: str) -> DnsAnswer:
        """Return the refusal, marked if the servers have an answer that only DNSSEC keeps from being valid.

        A query with checking disabled (RFC 4035, 3.2.2) shows that. Its values are not used: they may be
        forged.
        """
        unchecked = self.send(self.servers, name, kind, checks_dnssec=False)
        if unchecked.failed:
            return refused
        return refused._replace(reason="DNSSEC of the domain is broken", is_bogus=True)

    def find_zone(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return the zone that a name is in, and its name servers; nothing where a resolver shows none."""
        for zone in own_parents(name):
            if values := self.ask_resolver(zone, "NS").values:
                return zone, values
        return "", ()

    def name_servers(self, name: str) -> tuple[str, ...]:
        return self.find_zone(name)[1]

    def ask_each(self, name: str, kind: str) -> tuple[tuple[str, DnsAnswer], ...]:
        """Ask each name server of the zone alone; nothing where there is only one, or none of its own."""
        servers = () if self.servers or not own_parents(name) else self.servers_of(name)
        if isinstance(servers, DnsAnswer):
            return ()
        first = {self.names.get(each, each.address): each for each in reversed(servers)}
        if len(first) < 2:
            return ()
        with ThreadPoolExecutor(len(first)) as pool:
            asked = {each: pool.submit(self.send, [first[each]], name, kind, False) for each in sorted(first)}
            return tuple((each, answer.result()) for each, answer in asked.items())

    def servers_of(self, name: str) -> tuple[DnsServer, ...] | DnsAnswer:
        with self.finding:  # the threads that wait find it known
            return self.of_zone(name)

    def find_servers(self, name: str) -> tuple[DnsServer, ...] | DnsAnswer:
        """Return where the zone of this name is served, or why that is unknown: it may not exist at all.

        Nowhere of its own where whoever gives out names below a suffix keeps them in the suffix's own zone.
        """
        answer, named = failure("The domain has no name server"), False
        for zone in own_parents(name):
            answer = self.ask_resolver(zone, "NS")
            named = named or bool(answer.values)
            found = self.addresses_of(answer.values[:SERVERS_MOST])
            if any(any(kinds) for kinds in found.values()):
                return self.allowed(found) or failure("The domain's name servers are not on the internet")
        if answer.state == NXDOMAIN or answer.failed:
            return answer
        return failure("No name server of the domain can be found") if named else ()

    def addresses_of(self, names: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
        """Return the addresses of name servers, of each kind."""
        if not names:
            return {}
        kinds = ("A", "AAAA")
        with ThreadPoolExecutor(len(names)) as pool:
            asked = {each: [pool.submit(self.ask_resolver, each, kind) for kind in kinds] for each in names}
            return {name: [each.result().at_end for each in answers] for name, answers in asked.items()}

    def allowed(self, found: Mapping[str, Sequence[Sequence[str]]]) -> tuple[DnsServer, ...]:
        """Return one of each name server's addresses of each kind, as far as they may be asked."""
        each_first = [
            (address, name)
            for name, kinds in found.items()
            for addresses in kinds
            if (address := next((each for each in addresses if self.may_ask(ip_address(each))), ""))
        ]
        # IPv4 first: a machine without IPv6 would lose its time on the others.
        chosen = sorted(each_first, key=lambda each: ":" in each[0])[:SERVERS_MOST]
        servers = {DnsServer(address, self.port): name for address, name in chosen}
        self.names |= servers
        return tuple(servers)

    def left(self, most: float) -> float:
        """Seconds that a server which gets so many at the most may be waited for now."""
        return min(self.ends - self.clock(), most)

    def send(
        self,
        servers: Sequence[DnsServer],
        name: str,
        kind: str,
        recursive: bool = True,
        checks_dnssec: bool = True,
    ) -> DnsAnswer:
        """The first answer that one of the servers gives."""
        if not servers:
            return failure("No DNS server is known to this machine")
        try:
            question = dns.message.make_query(name, kind)
        except dns.exception.DNSException:
            return failure("The name is too long for DNS")
        if not recursive:
            question.flags &= ~dns.flags.RD
        if not checks_dnssec:
            question.flags |= dns.flags.CD
        answer = failure("There was no time left to ask")
        order = sorted(servers, key=self.silent.__contains__)
        for number, server in enumerate(order):
            most = self.patience(len(order) - number)
            if self.left(most) <= 0:
                break
            answer = exchange(question, server, partial(self.left, most), name, kind)
            if not answer.failed:
                break
            if not answer.rcode:
                self.silent.add(server)
        return answer

    def patience(self, servers: int) -> float:
        """Return how many seconds to wait for the first of so many servers, so that the last has some too."""
        if servers == 1:
            return LAST_SERVER_SECONDS
        return min(ONE_SERVER_SECONDS, max(SHORTEST_SECONDS, (self.ends - self.clock()) / servers))


def own_parents(name: str) -> list[str]:
    """The name and what is above it, without public suffixes: their servers only lead on."""
    return [each for each in parents(name) if suffixes().privatesuffix(each)]


@cache
def system_servers() -> tuple[DnsServer, ...]:
    """The resolvers that this machine is set up with."""
    with suppress(dns.exception.DNSException, OSError):
        resolver = dns.resolver.Resolver()
        return tuple(DnsServer(str(each), resolver.port) for each in resolver.nameservers)
    return ()
