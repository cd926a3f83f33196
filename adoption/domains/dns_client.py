"""A DNS client that queries the zone's own name servers, so that a fixed record counts immediately.

If the setting ``HOMEWARD_DNS_SERVERS`` names servers, all queries go to these servers. A failed query is
never reported as "no record".
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

from adoption.domains.dns_answers import NXDOMAIN, DnsAnswer, failed_answer
from adoption.domains.dns_transport import DNS_PORT, DnsServer, exchange
from adoption.domains.hostnames import host_and_parents
from adoption.ip_addresses import IP, is_public
from adoption.public_suffix_list import suffixes

ONE_SERVER_SECONDS = 1.0
"""The timeout of a server in seconds, if other servers can be queried after it."""
LAST_SERVER_SECONDS = 1.5
"""The timeout of the last server in seconds. It is longer, because the last server may be a slow resolver."""
LOOK_SECONDS = 3.0
"""The time limit in seconds for all queries about one host."""
SHORTEST_SECONDS = 0.5
"""The minimum timeout of a server in seconds, even if many servers are left."""
SERVERS_MOST = 8
"""The maximum of name servers of a zone that are queried, and the maximum of their addresses. One name server
is not enough, because several may be down."""

Clock = Callable[[], float]


class DnsClient:
    """A client for one DNS check, with one time limit for all queries.

    All queries go to ``servers``. Without ``servers``, the client finds each zone's name servers through the
    ``recursors``. The client queries name servers only at addresses that ``may_ask`` allows, because a zone
    can list any address, even in our own network. Several threads can use one client at the same time.
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
        self.of_zone, self.cached = cache(self.find_servers), cache(self.ask_recursors)
        self.finding = Lock()
        self.silent: set[DnsServer] = set()
        """The servers that did not answer a query. From then on, these servers are queried last."""
        self.names: dict[DnsServer, str] = {}

    def ask_zone(self, name: str, kind: str) -> DnsAnswer:
        """Return the records of this name from the zone's own name servers."""
        if self.servers or not own_parents(name):
            return self.ask_resolver(name, kind)
        servers = self.servers_of(name)
        if isinstance(servers, DnsAnswer):
            return servers
        if not servers:
            return self.ask_resolver(name, kind)
        return self.send(servers, name, kind, recursive=False)

    def ask_each_server(self, name: str, kind: str) -> list[DnsAnswer]:
        """Return the answer of each name server of the zone. Some name servers may still have old records."""
        servers = self.servers or self.of_zone(name)
        if isinstance(servers, DnsAnswer):
            return [servers]
        recursive = bool(self.servers)
        return [self.send([server], name, kind, recursive) for server in servers]

    def ask_resolver(self, name: str, kind: str) -> DnsAnswer:
        """Return a resolver's answer, which may come from the resolver's cache."""
        return self.cached(name, kind)

    def ask_recursors(self, name: str, kind: str) -> DnsAnswer:
        answer = self.send(self.recursors, name, kind)
        if self.servers and answer.rcode == "SERVFAIL":
            return self.explain_refusal(answer, name, kind)
        return answer

    def explain_refusal(self, refused: DnsAnswer, name: str, kind: str) -> DnsAnswer:
        """Return the refusal. Set its ``is_bogus`` if DNSSEC is the only reason for the refusal.

        A second query, with checking disabled (RFC 4035, 3.2.2), tests the reason. The values of the second
        answer are not used, because they may be forged.
        """
        unchecked = self.send(self.servers, name, kind, checks_dnssec=False)
        if unchecked.failed:
            return refused
        return refused._replace(reason="DNSSEC of the domain is broken", is_bogus=True)

    def find_zone(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return the zone of a name, and the zone's name servers; both empty if resolvers find no zone."""
        for zone in own_parents(name):
            if values := self.ask_resolver(zone, "NS").values:
                return zone, values
        return "", ()

    def name_servers(self, name: str) -> tuple[str, ...]:
        return self.find_zone(name)[1]

    def ask_each(self, name: str, kind: str) -> tuple[tuple[str, DnsAnswer], ...]:
        """Return the answer of each of the zone's name servers, after the server's name.

        The result is empty if the zone has fewer than two name servers.
        """
        servers = () if self.servers or not own_parents(name) else self.servers_of(name)
        if isinstance(servers, DnsAnswer):
            return ()
        first = {self.names.get(each, each.address): each for each in reversed(servers)}
        if len(first) < 2:
            return ()
        with ThreadPoolExecutor(len(first)) as pool:
            futures = {
                each: pool.submit(self.send, [first[each]], name, kind, False) for each in sorted(first)
            }
            return tuple((each, answer.result()) for each, answer in futures.items())

    def servers_of(self, name: str) -> tuple[DnsServer, ...] | DnsAnswer:
        with self.finding:  # concurrent calls wait, and then use the cached result
            return self.of_zone(name)

    def find_servers(self, name: str) -> tuple[DnsServer, ...] | DnsAnswer:
        """Return the name servers of this name's zone, or a failed answer if no name server is found.

        The result is empty if no zone exists below the public suffix: some registries keep all names in the
        suffix's zone.
        """
        answer, named = failed_answer("The domain has no name server"), False
        for zone in own_parents(name):
            answer = self.ask_resolver(zone, "NS")
            named = named or bool(answer.values)
            found = self.addresses_of(answer.values[:SERVERS_MOST])
            if any(any(kinds) for kinds in found.values()):
                return self.allowed(found) or failed_answer(
                    "The domain's name servers are not on the internet"
                )
        if answer.state == NXDOMAIN or answer.failed:
            return answer
        return failed_answer("No name server of the domain can be found") if named else ()

    def addresses_of(self, names: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
        """Return the IPv4 and IPv6 addresses of name servers."""
        if not names:
            return {}
        kinds = ("A", "AAAA")
        with ThreadPoolExecutor(len(names)) as pool:
            futures = {each: [pool.submit(self.ask_resolver, each, kind) for kind in kinds] for each in names}
            return {name: [each.result().at_end for each in answers] for name, answers in futures.items()}

    def allowed(self, found: Mapping[str, Sequence[Sequence[str]]]) -> tuple[DnsServer, ...]:
        """Return the first allowed IPv4 address and the first allowed IPv6 address of each name server."""
        each_first = [
            (address, name)
            for name, kinds in found.items()
            for addresses in kinds
            if (address := next((each for each in addresses if self.may_ask(ip_address(each))), ""))
        ]
        # IPv4 first: on a machine without IPv6, the IPv6 addresses would waste time.
        chosen = sorted(each_first, key=lambda each: ":" in each[0])[:SERVERS_MOST]
        servers = {DnsServer(address, self.port): name for address, name in chosen}
        self.names |= servers
        return tuple(servers)

    def left(self, most: float) -> float:
        """Return the remaining seconds for a query, at most ``most``."""
        return min(self.ends - self.clock(), most)

    def send(
        self,
        servers: Sequence[DnsServer],
        name: str,
        kind: str,
        recursive: bool = True,
        checks_dnssec: bool = True,
    ) -> DnsAnswer:
        """Return the first answer from one of the servers, or the last failure if none answers."""
        if not servers:
            return failed_answer("No DNS server is known to this machine")
        try:
            question = dns.message.make_query(name, kind)
        except dns.exception.DNSException:
            return failed_answer("The name is too long for DNS")
        if not recursive:
            question.flags &= ~dns.flags.RD
        if not checks_dnssec:
            question.flags |= dns.flags.CD
        answer = failed_answer("There was no time left to ask the DNS servers")
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
        """Return the timeout of the next server in seconds. The timeout leaves time for the last server.

        ``servers`` is the number of servers that are left.
        """
        if servers == 1:
            return LAST_SERVER_SECONDS
        return min(ONE_SERVER_SECONDS, max(SHORTEST_SECONDS, (self.ends - self.clock()) / servers))


def own_parents(name: str) -> list[str]:
    """Return the name and its parents, without public suffixes. Servers of public suffixes only delegate."""
    return [each for each in host_and_parents(name) if suffixes().privatesuffix(each)]


@cache
def system_servers() -> tuple[DnsServer, ...]:
    """Return the resolvers in this machine's configuration."""
    with suppress(dns.exception.DNSException, OSError):
        resolver = dns.resolver.Resolver()
        return tuple(DnsServer(str(each), resolver.port) for each in resolver.nameservers)
    return ()
