"""Answers to HTTP-01 challenges of authorities, looked up by host and token.

Nothing is cached between requests, so a removed domain is unknown from the next request on.
"""

import re

from sqlalchemy import select

from adoption.certificates.models import VALIDATING, AcmeOrder, PlatformCertificate
from adoption.domains.models import Domain
from adoption.storage.database import reading

TOKEN = re.compile(r"[A-Za-z0-9_-]+")
"""The format of a challenge's token (RFC 8555, 8.3). Other texts are not looked up, because PostgreSQL
rejects NUL characters."""


def challenge_answer(host: str, token: str) -> str | None:
    """Return the response to an authority's request for a token (RFC 8555, 8.3); None for unknown tokens."""
    if not TOKEN.fullmatch(token):
        return None
    ordered = (
        select(AcmeOrder.key_authorization)
        .join(Domain, Domain.id == AcmeOrder.domain_id)
        .where(Domain.verified_host == host, AcmeOrder.token == token, AcmeOrder.state == VALIDATING)
    )
    platforms = select(PlatformCertificate.key_authorization).where(
        PlatformCertificate.host == host, PlatformCertificate.token == token
    )
    with reading() as session:
        return session.scalar(ordered) or session.scalar(platforms)
