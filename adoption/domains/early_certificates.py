"""Certificates before DNS is switched: this service answers challenges for a host that leads elsewhere.

The owner delegates challenges with ``_acme-challenge.<host> CNAME <label>.<zone>`` (RFC 8555, 8.4). The label
is secret until the owner adds the record, and different for each claim. So the record proves which claim the
host's owner means.
"""

from hashlib import sha256

from sqlalchemy import ColumnElement, and_, or_

from adoption.domains.caa_checks import DNS_01, HTTP_01
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.dns_answers import DnsAnswer, printable_values
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_records import Report
from adoption.domains.models import VERIFIED, Domain

LABEL = "_acme-challenge"
LABEL_LETTERS = 20


def challenge_target(domain: Domain, zone: str) -> str:
    """Return the target of the CNAME record that delegates challenges. It never changes during a claim."""
    return f"{sha256(domain.token.encode()).hexdigest()[:LABEL_LETTERS]}.{zone}"


def may_be_ordered(domain: Domain) -> bool:
    """Return whether a certificate can be ordered.

    The host has to lead here, or its owner has to delegate challenges. A delegation counts only while DNS is
    checked automatically.
    """
    is_delegated = domain.challenge_ready and domain.next_check_at is not None
    return domain.state == VERIFIED or is_delegated


def orderable_clause() -> ColumnElement[bool]:
    """Return ``may_be_ordered`` as an SQL condition."""
    is_delegated = and_(Domain.challenge_ready, Domain.next_check_at.is_not(None))
    return or_(Domain.state == VERIFIED, is_delegated)


def usable_methods(domain: Domain, zone: str) -> tuple[str, ...]:
    """Return the challenge types that an order for the domain can use, according to the last check."""
    if not (zone and domain.challenge_ready):
        return (HTTP_01,)
    return (DNS_01, HTTP_01) if domain.state == VERIFIED else (DNS_01,)


def find_delegation(host: str, client: DnsClient, config: DomainConfig) -> DnsAnswer | None:
    """Return the CNAME record that delegates challenges; None if this service does not offer delegation."""
    return client.ask_zone(f"{LABEL}.{host}", "CNAME") if config.challenge_zone else None


def store_delegation(domain: Domain, answer: DnsAnswer | None, report: Report, zone: str) -> None:
    """Store the CNAME record, and whether certificates may be ordered with it."""
    if answer is not None and answer.failed:
        return
    domain.challenge_found = " ".join(printable_values(answer.values)) if answer else ""
    is_right = answer is not None and answer.values == (challenge_target(domain, zone),)
    domain.challenge_ready = is_right and not lacks_proof(report)


def lacks_proof(report: Report) -> bool:
    """Return whether the TXT record that proves ownership is missing or wrong.

    Without the record, the host may belong to another account.
    """
    return any(record.type == "TXT" and not record.ok for record in report.records)
