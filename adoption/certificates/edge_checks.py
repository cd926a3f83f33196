"""Checks of whether the edge shows visitors the issued certificate. Failed checks are repeated."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from adoption.audit.actors import SERVICE
from adoption.certificates import email_digests
from adoption.certificates.authority_and_edge_setup import CertificateConfig
from adoption.certificates.authority_rate_limits import HOUR
from adoption.certificates.models import Certificate
from adoption.certificates.order_claims import CLAIMED_FOR, SOON, verify_requested_since_clause
from adoption.certificates.order_steps import POLLED_EACH
from adoption.certificates.tls_probe import CertificateNotOffered, CertificateUnseen
from adoption.domains.history import record_event
from adoption.domains.models import Domain
from adoption.domains.primary_domain import promote_if_live
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.storage.database import reading, transaction


class EdgeCheck(NamedTuple):
    """The result of checking one certificate at the edge."""

    why: str
    """The reason why visitors do not get the certificate, as a sentence; empty if visitors get it."""
    offers_none: bool = False
    """Whether visitors get no certificate at all. False if visitors get an older certificate."""


WRONG_CERTIFICATE = "The server for HTTPS still shows another certificate."


def check_next_certificate(config: CertificateConfig, now: datetime) -> bool:
    """Check the certificate whose check is most overdue. Return False if none is due.

    Without a known edge, an issued certificate counts as seen.
    """
    claimed = claim_check(now)
    if claimed is None:
        return False
    domain_id, host, serial = claimed
    why, offers_none = "", False
    try:
        if config.serial_shown is not None and config.serial_shown(host) != serial:
            why = WRONG_CERTIFICATE
    except CertificateUnseen as unseen:
        why, offers_none = str(unseen), isinstance(unseen, CertificateNotOffered)
    store_check(domain_id, serial, EdgeCheck(why, offers_none), now)
    return True


def claim_check(now: datetime) -> tuple[int, str, str] | None:
    """Claim a certificate that is due for a check.

    A certificate is also due if a person has pressed Verify since the last check.
    """
    pressed = verify_requested_since_clause(Certificate.looked_at, now)
    due = (
        select(Certificate, Domain.host)
        .join(Domain, Domain.id == Certificate.domain_id)
        # Before DNS is switched, a certificate is not at the edge yet.
        .where(Domain.verified_host.is_not(None))
        .where(Certificate.next_look_at.is_not(None), or_(Certificate.next_look_at <= now, pressed))
        .order_by(Certificate.next_look_at, Certificate.domain_id)
        .limit(1)
    )
    with transaction() as session:
        found = session.execute(due.with_for_update(skip_locked=True, of=Certificate)).first()
        if found is None:
            return None
        held, host = found
        held.next_look_at, held.looked_at = now + CLAIMED_FOR, now
        return held.domain_id, host, held.serial


def is_check_soon(now: datetime) -> bool:
    """Return whether a check is due within seconds."""
    with reading() as session:
        due = select(Certificate.domain_id).join(Domain, Domain.id == Certificate.domain_id)
        due = due.where(Domain.verified_host.is_not(None), Certificate.next_look_at <= now + SOON)
        return session.scalar(due.limit(1)) is not None


def store_check(domain_id: int, serial: str, look: EdgeCheck, now: datetime) -> None:
    """Store the result, unless the certificate was removed or replaced meanwhile."""
    with transaction() as session:
        project_id = session.scalar(select(Domain.project_id).where(Domain.id == domain_id))
        if project_id is None:
            return
        # Lock the project first, as a removal does. Read the domain after that, because the owner may have
        # chosen another primary domain until then.
        project = lock_project(session, project_id)
        domain = session.get(Domain, domain_id)
        held = session.get(Certificate, domain_id, with_for_update=True)
        if domain is None or held is None or held.serial != serial:
            return
        held.unseen_why = look.why
        if look.offers_none:
            domain.live_until = None
        if look.why:
            held.next_look_at = now + check_pause(now - held.issued_at)
        else:
            become_live(session, project, domain, held, now)


def become_live(session: Session, project: Project, domain: Domain, held: Certificate, now: datetime) -> None:
    """Store that visitors get the certificate."""
    is_first = held.live_since is None
    held.seen_at, held.next_look_at = now, None
    domain.live_until, held.live_since = held.not_after, held.live_since or now
    if is_first:
        record_event(session, SERVICE, "domain.live", project, domain, now=now)
        email_digests.queue_live_email(session, domain.id, now)
    promote_if_live(session, project, domain, SERVICE, now, is_first)


def check_pause(age: timedelta) -> timedelta:
    return min(HOUR, max(2 * POLLED_EACH, age / 10))
