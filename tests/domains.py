"""Domains for tests, with a DNS server of their own."""

from datetime import UTC, datetime

from flask import Flask

from adoption.accounts.plan_changes import set_plan
from adoption.audit.actors import OPERATOR, Actor
from adoption.domains import additions, verification
from adoption.domains.cname_target_and_dns_servers import (
    DomainConfig,
    current_domain_config,
    read_domain_config,
)
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.domains.verification import VerificationResult
from adoption.storage.database import reading, transaction
from tests.cast import Colleague
from tests.dns_server import Zone
from tests.factories import NOW

FAR = datetime(2100, 1, 1, tzinfo=UTC)
TARGET = "localhost"
"""The CNAME target of an installation with default settings."""


def domain_config(app: Flask, server: DnsServer, seconds: float = 1.5) -> DomainConfig:
    return read_domain_config(app.config["HOMEWARD"])._replace(
        new_client=lambda: DnsClient([server], seconds=seconds)
    )


def authoritative_client(recursor: DnsServer, authority: DnsServer) -> DnsClient:
    """Return a DNS client that finds a zone's authoritative server with the resolver.

    The authoritative server is on the loopback.
    """
    return DnsClient(recursors=[recursor], port=authority.port, may_ask=lambda _: True)


def upgrade_to_pro(who: Colleague) -> Colleague:
    set_plan(who.slug, "pro")
    return who


def put_right_records(zone: Zone, *hosts: str) -> None:
    for host in hosts:
        zone.put(host, "CNAME", TARGET)


def add_domain(
    project_id: int,
    host: str,
    config: DomainConfig,
    primary: bool = False,
    by: Actor = OPERATOR,
    now: datetime | None = None,
) -> Domain:
    return additions.add_domains(project_id, host, config, primary, by=by, now=now)[0]


def add_verified_domain(
    project_id: int, host: str, config: DomainConfig, zone: Zone, primary: bool = False
) -> Domain:
    """Add a domain and verify it."""
    put_right_records(zone, host)
    added = add_domain(project_id, host, config, primary)
    outcome = verification.verify_domain(project_id, added.id, config)
    assert outcome.report.ok, outcome.report
    return stored_domain(added.id)


def verify(domain: Domain, config: DomainConfig) -> VerificationResult:
    return verification.verify_domain(domain.project_id, domain.id, config)


def stored_domain(domain_id: int) -> Domain:
    """Return the domain from the database."""
    with reading() as session:
        return session.get_one(Domain, domain_id)


def add_verified_row(project_id: int, host: str, **rest: object) -> int:
    """Add a verified domain without a DNS check. Return its id."""
    known = {"wants_primary": False, "report": "", "unanswered_why": "", "token": "hw-verify=zq"}
    given = known | {"verified_host": host, "state": "verified", "watched_since": NOW, "created_at": NOW}
    with transaction() as session:
        made = Domain(project_id=project_id, host=host, **given | rest)
        session.add(made)
        session.flush()
        return made.id


def check_automatically(domain_id: int, project_id: int) -> None:
    """Check a domain like the periodic job."""
    verification.verify_domain(project_id, domain_id, current_domain_config(), pressed=False)
