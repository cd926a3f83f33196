"""Renewal times of certificates. The authority can request an earlier renewal (RFC 9773)."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import select

from adoption.certificates.authority_interface import Authority, AuthorityRefused, AuthorityUnreached
from adoption.certificates.models import Certificate
from adoption.certificates.x509 import CertificateFacts, read_certificate
from adoption.storage.database import transaction

MOST_A_RUN = 40
ASKED_EACH = timedelta(hours=6)
RENEWED_AFTER = 2 / 3
"""The fraction of a certificate's life after which the certificate is renewed, unless the authority sets a
time."""
NEVER_BEFORE = 1 / 10
"""The fraction of a certificate's life at its beginning, at most a day, in which the certificate is never
renewed. The rule guards against wrong times from the authority and from our clock."""
LATEST = 0.9
"""The fraction of a certificate's life after which a renewal begins, even if the authority sets a later
time."""


def ask_renewal_times(ca: Authority, now: datetime, has_time: Callable[[], bool]) -> None:
    """Ask the authority for renewal times, for each certificate whose request is due.

    Stop when ``has_time`` returns False.
    """
    for _ in range(MOST_A_RUN):
        if not has_time() or (claimed := claim_renewal_question(now)) is None:
            return
        domain_id, serial, chain = claimed
        try:
            store_renewal_time(domain_id, serial, *ca.renewal(chain))
        except AuthorityRefused:
            continue  # the renewal time stays, and a later run asks again
        except AuthorityUnreached:
            return


def claim_renewal_question(now: datetime) -> tuple[int, str, str] | None:
    due = select(Certificate).where(Certificate.ask_renewal_at <= now)
    first = due.order_by(Certificate.ask_renewal_at, Certificate.domain_id).limit(1)
    with transaction() as session:
        held = session.scalar(first.with_for_update(skip_locked=True))
        if held is None:
            return None
        held.ask_renewal_at = now + ASKED_EACH
        return held.domain_id, held.serial, held.chain


def store_renewal_time(domain_id: int, serial: str, wanted: datetime | None, ask_again: datetime) -> None:
    with transaction() as session:
        held = session.get(Certificate, domain_id, with_for_update=True)
        if held is None or held.serial != serial:
            return
        held.ask_renewal_at = ask_again
        if wanted is not None:
            last = held.issued_at + (held.not_after - held.issued_at) * LATEST
            held.renew_at = max(
                min(wanted, last), soonest_renewal(read_certificate(held.chain), held.issued_at)
            )


def usual_renewal(issued: CertificateFacts, issued_at: datetime) -> datetime:
    """Return the renewal time of a certificate for which the authority sets no time."""
    life = issued.not_after - issued.not_before
    return max(issued.not_before + life * RENEWED_AFTER, soonest_renewal(issued, issued_at))


def soonest_renewal(issued: CertificateFacts, issued_at: datetime) -> datetime:
    """Return the earliest time at which a certificate issued at ``issued_at`` may be ordered again.

    If our clock is months ahead, the renewal of each new certificate is due immediately. Without this minimum
    age, orders would repeat until the authority refuses them.
    """
    return issued_at + min(timedelta(days=1), (issued.not_after - issued.not_before) * NEVER_BEFORE)
