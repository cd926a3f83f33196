"""The configuration of domains: CNAME target, DNS servers, certificates, and the platform's own hosts."""

from collections.abc import Callable
from typing import NamedTuple

from flask import current_app

from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from adoption.projects.request_hosts import Hosts
from adoption.settings import Settings


class DomainConfig(NamedTuple):
    target: str
    """The value of shelters' CNAME records."""
    issuers: tuple[str, ...]
    ours: frozenset[str]
    """The platform's own hosts. All hosts below them belong to the platform too."""
    new_client: Callable[[], DnsClient]
    """A function that returns a client for one check. The check's time limit starts with the call."""
    addresses: tuple[str, ...] = ()
    """The edge's addresses, for an apex whose provider has no ALIAS record."""
    challenge_zone: str = ""
    """The zone with the answers to DNS-01 challenges; empty if this server does not use DNS-01."""
    certificates: bool = False
    """Whether this server orders certificates for verified domains."""


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
    """Return the configuration of the running application."""
    return read_domain_config(current_app.config["HOMEWARD"])
