"""The configuration of certificates, made from the settings: authority, key encryption, edge and DNS hook."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from flask import current_app

from adoption.certificates.acme_account_store import StoredAccounts
from adoption.certificates.acme_authority import AcmeAuthority
from adoption.certificates.acme_connection import AcmeConnection
from adoption.certificates.authority_interface import Authority
from adoption.certificates.dns_challenges.hook import DnsHook
from adoption.certificates.dns_challenges.txt_records import DnsChallenges
from adoption.certificates.key_encryption import Vault
from adoption.certificates.tls_probe import serial_shown
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from adoption.settings import Settings


class CertificateConfig(NamedTuple):
    authority: Authority
    vault: Vault
    serial_shown: Callable[[str], str] | None
    """A function that returns the serial number of a host's certificate at the edge, and raises
    ``CertificateUnseen`` if the edge shows no certificate. None if the settings contain no edge."""
    platform_host: str = ""
    """The platform's own host; empty if the edge loads the host's certificate from files."""
    dns: DnsChallenges | None = None
    """The configuration of DNS-01 challenges; None if the settings contain no DNS hook."""
    edge: str = ""
    """The address of the edge, as ``host:port``; empty if the settings contain no edge."""


def read_certificate_config(settings: Settings) -> CertificateConfig | None:
    """Return the configuration; None if this server does not order certificates."""
    if not settings.orders_certificates:
        return None
    vault = Vault(settings.certificate_keys)
    return CertificateConfig(
        authority_of(settings, vault),
        vault,
        partial(serial_shown, edge=settings.edge) if settings.edge else None,
        settings.platform_name if settings.orders_platform_certificate else "",
        dns_challenges_of(settings),
        edge_address(settings),
    )


def edge_address(settings: Settings) -> str:
    return "{}:{}".format(*settings.edge) if settings.edge else ""


def dns_challenges_of(settings: Settings) -> DnsChallenges | None:
    if not settings.acme_dns_hook:
        return None
    servers = [DnsServer(*each) for each in settings.dns_servers]
    return DnsChallenges(DnsHook(settings.acme_dns_hook), settings.acme_dns_zone, lambda: DnsClient(servers))


def authority_of(settings: Settings, vault: Vault) -> Authority:
    accounts = StoredAccounts(settings.acme_directory, vault)
    directory, email, bundle = settings.acme_directory, settings.acme_email, settings.acme_ca_bundle
    connection = AcmeConnection(directory, accounts, email, bundle, settings.acme_external_account)
    return AcmeAuthority(connection)


def current_certificate_config() -> CertificateConfig | None:
    """Return the configuration of the running application."""
    return read_certificate_config(current_app.config["HOMEWARD"])
