"""Lookup of the certificate of a host, for edges.

Nothing is cached between requests, so a removed domain is unknown from the next request on.
"""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from adoption.certificates.models import Certificate, PlatformCertificate
from adoption.domains.models import Domain
from adoption.storage.database import reading
from adoption.storage.prepared_statements import Prepared


class SealedCertificate(NamedTuple):
    """A certificate with its encrypted private key."""

    chain: str
    """The certificates in PEM, with the host's certificate first."""
    private_key: str
    """The private key in PEM, encrypted by the vault."""


DOMAIN_CERTIFICATE = Prepared(
    select(Certificate.chain, Certificate.private_key)
    .join(Domain, Domain.id == Certificate.domain_id)
    .where(Domain.verified_host == bindparam("host"))
)
PLATFORM_CERTIFICATE = Prepared(
    select(PlatformCertificate.chain, PlatformCertificate.private_key, PlatformCertificate.hosts).where(
        PlatformCertificate.host == bindparam("host"), PlatformCertificate.chain != ""
    )
)


def certificate_for(host: str) -> SealedCertificate | None:
    """Return the certificate of a verified host; None if the host has none."""
    row = DOMAIN_CERTIFICATE.first(host=host)
    return None if row is None else SealedCertificate(*row)


def platform_certificate_for(host: str, platform_host: str) -> SealedCertificate | None:
    """Return the platform's own certificate.

    Return None if there is no such certificate, or if the certificate does not contain this host.
    """
    row = PLATFORM_CERTIFICATE.first(host=platform_host)
    names = row[2].split() if row else ()
    _, _, parent = host.partition(".")
    return SealedCertificate(row[0], row[1]) if row and (host in names or f"*.{parent}" in names) else None


def is_secured(host: str, now: datetime) -> bool:
    """Return whether visitors of this host get a valid certificate."""
    live = select(Domain.id).where(Domain.verified_host == host, Domain.live_until > now)
    with reading() as session:
        return session.scalar(live) is not None
