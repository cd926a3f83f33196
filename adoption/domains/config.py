"""What this installation has to say about domains: where they lead, whom it asks, and what is its own."""

from collections.abc import Callable
from typing import NamedTuple

from flask import current_app

from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from adoption.projects.hosts import Hosts
from adoption.settings import Settings


class DomainConfig(NamedTuple):
    target: str
    """The name that an alias leads to."""
    issuers: tuple[str, ...]
    ours: frozenset[str]
    """Hosts that are the platform's own, with all below them."""
    new_client: Callable[[], DnsClient]
    """Begins a look at DNS, whose time runs from then on."""
    addresses: tuple[str, ...] = ()
    """The addresses that the edge answers at, for an apex without an ALIAS."""
    challenge_zone: str = ""
    """The zone that answers challenges of DNS-01; empty where this server orders nothing by it."""
    certificates: bool = False
    """Whether this server orders certificates for what was verified."""


def read_domain_config(settings: Settings) -> DomainConfig:
    hosts = Hosts(settings)
    above = {each.removeprefix(".") for each in hosts.above_sites}
    servers = [DnsServer(*each) for each in settings.dns_servers]
    ours = frozenset(hosts.platform | above | {settings.cname_target})
    return DomainConfig(
        target=settings.cname_target,
        issuers=settings.caa_issuers,
        ours=ours,
        new_client=lambda: DnsClient(servers),
        addresses=settings.edge_addresses,
        challenge_zone=settings.acme_dns_zone if settings.orders_certificates else "",
        certificates=settings.orders_certificates,
    )


def current_domain_config() -> DomainConfig:
    """The terms of the running application."""
    return read_domain_config(current_app.config["HOMEWARD"])
