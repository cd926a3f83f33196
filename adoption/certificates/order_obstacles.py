"""Obstacles for all orders at the authority: an outage, or a rate limit for this whole service."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.certificates.authority_outages import outage_words
from adoption.certificates.authority_rate_limits import limited_until
from adoption.certificates.certificate_states import NONE, CertificateStatus
from adoption.certificates.models import ORDERING, VALIDATING
from adoption.certificates.problem_advice import RATE_LIMITED, UNREACHED
from adoption.domains.models import VERIFIED, Domain


class Obstacle(NamedTuple):
    code: str
    words: str
    """The reason as a sentence."""
    states: tuple[str, ...]
    """The certificate states that wait because of the obstacle."""
    until: datetime | None = None


def current_obstacle(session: Session, now: datetime) -> Obstacle | None:
    if words := outage_words(session):
        return Obstacle(UNREACHED, words, (NONE, ORDERING, VALIDATING))
    if until := limited_until(session, now):
        words = f"The certificate authority limits all our orders until {until:%Y-%m-%d %H:%M} UTC."
        return Obstacle(RATE_LIMITED, words, (NONE,), until)
    return None


def with_obstacle(status: CertificateStatus, domain: Domain, obstacle: Obstacle | None) -> CertificateStatus:
    """Return the status, with the obstacle as its reason if the certificate waits because of the obstacle."""
    may_order = domain.state == VERIFIED and domain.caa_allows and domain.unresolved_since is None
    if obstacle is None or not may_order or status.state not in obstacle.states or status.unreached_why:
        return status
    return status._replace(code=obstacle.code, detail=obstacle.words, next_try_at=obstacle.until)
