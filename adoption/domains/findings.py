"""The DNS answers that a check of a domain needs, asked for in parallel."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from adoption.domains.caa import Permission, check_caa
from adoption.domains.dns_answers import NODATA, Answer
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import CHAIN_LONGEST
from adoption.domains.names import is_apex, registrable
from adoption.domains.records import OWNERSHIP, Wanted

CLOUDFLARE = ".ns.cloudflare.com"


class Findings(NamedTuple):
    """Every answer that the judgement needs."""

    alias: Answer
    a: Answer
    aaaa: Answer
    target_a: Answer
    target_aaaa: Answer
    token: Answer
    sibling: Answer
    """The alias of a name beside the host that nobody has made: only a wildcard record answers for it."""
    remembered: Answer
    """What a resolver tells of the alias, or of the addresses where there is none."""
    name_servers: tuple[str, ...] = ()
    further: tuple[str, ...] | None = ()
    """The names that a wrong alias leads to in the end; None where they go round in a circle."""

    @property
    def at_cloudflare(self) -> bool:
        return any(each.endswith(CLOUDFLARE) for each in self.name_servers)


def gather_findings(wanted: Wanted, client: DnsClient, label: str) -> tuple[Findings, Permission]:
    """Ask for everything about a host, within the time that the client has."""
    host, target = wanted.host, wanted.target
    with ThreadPoolExecutor(max_workers=6) as pool:
        caa = pool.submit(check_caa, host, client.ask_zone, wanted.issuers)
        name_servers = pool.submit(client.name_servers, host)
        asked = [pool.submit(client.ask_zone, host, kind) for kind in ("CNAME", "A", "AAAA")]
        asked += [pool.submit(client.ask_resolver, target, kind) for kind in ("A", "AAAA")]
        asked += [pool.submit(client.ask_resolver, host, kind) for kind in ("CNAME", "A")]
        asked.append(pool.submit(ask_token, wanted, client))
        asked.append(pool.submit(ask_sibling, wanted, client, label))
        alias, a, aaaa, target_a, target_aaaa, remembered, remembered_a, token, sibling = (
            each.result() for each in asked
        )
    seen = Findings(alias, a, aaaa, target_a, target_aaaa, token, sibling, remembered, name_servers.result())
    if seen.alias.values and seen.alias.values[0] != target:
        seen = seen._replace(further=follow_aliases(seen.alias.values[0], client, host))
    elif not seen.alias.values and is_apex(host):
        seen = seen._replace(remembered=remembered_a)
    return seen, caa.result()


def ask_token(wanted: Wanted, client: DnsClient) -> Answer:
    """What says whose the host is; it is asked for only where that decides anything."""
    decides = wanted.token or wanted.rivals
    return client.ask_zone(f"{OWNERSHIP}.{wanted.host}", "TXT") if decides else Answer(NODATA)


def ask_sibling(wanted: Wanted, client: DnsClient, label: str) -> Answer:
    """Return the alias of a random name beside the host, which decides only while ownership is open."""
    _, _, parent = wanted.host.partition(".")
    if not wanted.token or registrable(parent) is None:
        return Answer(NODATA)
    return client.ask_zone(f"{label}.{parent}", "CNAME")


def follow_aliases(name: str, client: DnsClient, start: str) -> tuple[str, ...] | None:
    """The names that an alias leads to, one after the other; None where they lead round in a circle."""
    names = [name]
    while len(names) <= CHAIN_LONGEST:
        if name == start or name in names[:-1]:
            return None
        values = client.ask_resolver(name, "CNAME").values
        if not values:
            return tuple(names)
        name = values[0]
        names.append(name)
    return None


def texts_in(answer: Answer) -> tuple[str, ...]:
    return answer.values or answer.at_end
