"""The DNS lookups of a domain check: the records of the domain, and records that explain wrong ones."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from adoption.domains.caa_checks import Permission, check_caa
from adoption.domains.dns_answers import NODATA, NXDOMAIN, DnsAnswer
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_records import OWNERSHIP, WantedRecords
from adoption.domains.dns_transport import CHAIN_LONGEST
from adoption.domains.hostnames import registrable
from adoption.domains.public_suffixes import registered_domain

NOTHING = DnsAnswer(NODATA)


class Findings(NamedTuple):
    """The answers that decide the check of a host, or explain the result."""

    alias: DnsAnswer
    a: DnsAnswer
    aaaa: DnsAnswer
    target_a: DnsAnswer
    target_aaaa: DnsAnswer
    token: DnsAnswer
    sibling: DnsAnswer
    """The CNAME of a random name next to the host. Such a name exists only if there is a wildcard record."""
    cached: DnsAnswer
    """The resolver's answer for the deciding record, which is the CNAME record or an apex's A record."""
    name_servers: tuple[str, ...] = ()
    copies: tuple[tuple[str, DnsAnswer], ...] = ()
    """The answer of each name server for the deciding record, after the server's name."""
    chain: tuple[str, ...] = ()
    """The names to which a wrong CNAME record leads, in order."""
    loops: bool = False
    """Whether the CNAME records of ``chain`` loop."""
    wildcard: tuple[str, ...] = ()
    """The host's wrong values if a wildcard record is their source: a random name next to the host has the
    same values. Empty otherwise."""
    is_explicit: bool = False
    """Whether the host has a record of its own, although a wildcard record has the same value."""
    registered: bool = True
    """Whether the registered domain exists."""
    doubled: DnsAnswer = NOTHING
    """The CNAME of ``adopt.example.org.example.org``, a common wrong name for the record."""
    doubled_token: DnsAnswer = NOTHING

    @property
    def addresses(self) -> tuple[str, ...]:
        return self.a.values + self.aaaa.values


def gather_findings(
    wanted: WantedRecords, client: DnsClient, label: str
) -> tuple[WantedRecords, Findings, Permission]:
    """Send all queries about a host, within the client's time limit.

    The returned ``WantedRecords`` include the zone of the records.
    """
    host, target = wanted.host, wanted.target
    with ThreadPoolExecutor(max_workers=6) as pool:
        caa = pool.submit(check_caa, host, client.ask_zone, wanted.issuers, target, wanted.methods)
        zone = pool.submit(client.find_zone, host)
        alias, a, aaaa = (pool.submit(client.ask_zone, host, kind) for kind in ("CNAME", "A", "AAAA"))
        targets = [pool.submit(client.ask_resolver, target, kind) for kind in ("A", "AAAA")]
        token = pool.submit(ask_token, wanted, client, host)
        sibling = pool.submit(ask_sibling, wanted, client, label)
        cached = {kind: pool.submit(client.ask_resolver, host, kind) for kind in ("CNAME", "A")}
        cut, name_servers = zone.result()
        wanted = wanted._replace(cut=cut)
        decisive = "A" if wanted.is_apex and not alias.result().values else "CNAME"
        copies = pool.submit(client.ask_each, host, decisive)
        found = Findings(
            alias=alias.result(),
            a=a.result(),
            aaaa=aaaa.result(),
            target_a=targets[0].result(),
            target_aaaa=targets[1].result(),
            token=token.result(),
            sibling=sibling.result(),
            cached=cached[decisive].result(),
            name_servers=name_servers,
            copies=copies.result(),
        )
    return wanted, explain(wanted, found, client, label), caa.result()


def explain(wanted: WantedRecords, found: Findings, client: DnsClient, label: str) -> Findings:
    """Add the answers that explain wrong or missing records. Right records need few more queries."""
    if wanted.token and not texts_in(found.token):
        found = found._replace(doubled_token=ask_token(wanted, client, f"{wanted.host}.{wanted.zone}"))
    if found.alias.failed:
        return found
    if found.alias.values == (wanted.target,):
        is_wild = found.sibling.values == found.alias.values
        return found._replace(is_explicit=is_wild and is_explicit(wanted.host, found.alias, client, label))
    if not found.alias.values and not found.addresses:
        registered = is_registered(wanted.host, client)
        doubled_alias = ask_doubled(wanted, client, label) if registered else NOTHING
        return found._replace(registered=registered, doubled=doubled_alias)
    if not wanted.is_apex:
        found = found._replace(wildcard=ask_wildcard(wanted, found, client, label))
    if found.alias.values:
        chain, loops = follow_aliases(found.alias.values[0], client, wanted.host)
        found = found._replace(chain=chain, loops=loops)
    return found


def ask_token(wanted: WantedRecords, client: DnsClient, host: str) -> DnsAnswer:
    """Return the TXT records that prove ownership. If no proof is needed, send no query."""
    decides = wanted.token or wanted.rivals
    return client.ask_zone(f"{OWNERSHIP}.{host}", "TXT") if decides else NOTHING


def ask_sibling(wanted: WantedRecords, client: DnsClient, label: str) -> DnsAnswer:
    """Return the CNAME of a random name next to the host. If ownership is already proven, send no query."""
    sibling = sibling_of(wanted.host, label)
    return client.ask_zone(sibling, "CNAME") if wanted.token and sibling else NOTHING


def sibling_of(host: str, label: str) -> str:
    """Return a name next to the host; empty if the name would be outside the registrable domain."""
    _, _, parent = host.partition(".")
    return "" if registrable(parent) is None else f"{label}.{parent}"


def is_explicit(host: str, alias: DnsAnswer, client: DnsClient, label: str) -> bool:
    """Return whether the host has a record of its own, although a wildcard record has the same value.

    A wildcard record answers for all names below its parent, except below an existing name (RFC 4592, 3.3.1).
    So if the host has a record of its own, a random name below the host has no record. The wildcards of some
    servers answer for only one label. On such servers, a name below a random sibling has no record
    either, and the result is False.
    """
    beside = client.ask_zone(f"{label}.{sibling_of(host, label)}", "CNAME")
    below = client.ask_zone(f"{label}.{host}", "CNAME")
    return beside.values == alias.values and not below.failed and not below.values


def ask_wildcard(wanted: WantedRecords, found: Findings, client: DnsClient, label: str) -> tuple[str, ...]:
    """Return the host's wrong values if a wildcard record is their source (RFC 4592); empty otherwise."""
    sibling = sibling_of(wanted.host, label)
    if not sibling:
        return ()
    if found.alias.values:
        values = client.ask_zone(sibling, "CNAME").values
        return values if values == found.alias.values else ()
    values = client.ask_zone(sibling, "A").values + client.ask_zone(sibling, "AAAA").values
    return values if values == found.addresses else ()


def ask_doubled(wanted: WantedRecords, client: DnsClient, label: str) -> DnsAnswer:
    """Return the CNAME of the doubled name. If a wildcard record is its source, return an empty answer."""
    answer = client.ask_zone(f"{wanted.host}.{wanted.zone}", "CNAME")
    if not answer.values or answer.values == client.ask_zone(f"{label}.{wanted.zone}", "CNAME").values:
        return NOTHING
    return answer


def is_registered(host: str, client: DnsClient) -> bool:
    domain = registered_domain(host)
    return domain is None or client.ask_resolver(domain, "NS").state != NXDOMAIN


def follow_aliases(name: str, client: DnsClient, start: str) -> tuple[tuple[str, ...], bool]:
    """Follow CNAME records from a name. Return the names on the way, and whether the records loop."""
    names = [name]
    while len(names) <= CHAIN_LONGEST:
        if name == start or name in names[:-1]:
            return tuple(names), True
        values = client.ask_resolver(name, "CNAME").values
        if not values:
            break
        name = values[0]
        names.append(name)
    return tuple(names), False


def texts_in(answer: DnsAnswer) -> tuple[str, ...]:
    return answer.values or answer.at_end
