"""Challenges of an order: their type, and their answers by HTTP-01 or DNS-01."""

from datetime import datetime

from sqlalchemy import select

from adoption.certificates.authority_and_edge_setup import CertificateConfig
from adoption.certificates.authority_interface import DNS_01, HTTP_01, AcmeChallenge, AuthorityRefused
from adoption.certificates.dns_challenges.txt_records import publish_records
from adoption.certificates.models import FAILED, AcmeOrder
from adoption.certificates.problem_advice import HOOK_FAILED
from adoption.domains.early_certificates import challenge_target
from adoption.domains.models import VERIFIED, Domain
from adoption.storage.database import reading


def method_for(domain: Domain, config: CertificateConfig) -> str:
    """Return the challenge type for a new order: DNS-01 if the owner has delegated DNS challenges.

    If DNS-01 fails for a host that leads here, the next order uses HTTP-01. From then on, failed orders
    alternate between the two types.
    """
    if config.dns is None or not domain.challenge_ready:
        return HTTP_01
    if domain.state != VERIFIED:
        return DNS_01
    failed = select(AcmeOrder.method).where(AcmeOrder.domain_id == domain.id, AcmeOrder.state == FAILED)
    with reading() as session:
        last = session.scalar(failed.order_by(AcmeOrder.id.desc()).limit(1))
    return HTTP_01 if last == DNS_01 else DNS_01


def host_answer(order: AcmeOrder, challenge: AcmeChallenge) -> dict[str, str]:
    """Return the values of the order's columns with the host's answer to the authority, by column name."""
    if order.method != HTTP_01:
        return {}
    return {"token": challenge.token, "key_authorization": challenge.answer}


def is_answered(
    order: AcmeOrder, domain: Domain, challenge: AcmeChallenge, config: CertificateConfig, now: datetime
) -> bool:
    """Return whether the authority can validate the challenge now. For DNS-01, set the DNS record first.

    Raises AuthorityRefused if the record cannot be set.
    """
    if order.method == HTTP_01:
        return True
    if config.dns is None:
        raise AuthorityRefused(HOOK_FAILED, "This service can no longer set DNS records.")
    name = challenge_target(domain, config.dns.zone)
    return publish_records(order.address, name, [challenge.answer], config.dns, now)
