"""When certificates are renewed: the authority may want it earlier than usual (RFC 9773)."""

from datetime import datetime, timedelta

from sqlalchemy import select

from adoption.certificates.authority import Authority, Refused, Unreached
from adoption.certificates.models import Certificate
from adoption.database import transaction

MOST_A_RUN = 40
ASKED_EACH = timedelta(hours=6)
LAST = 0.9
"""Of its life: whatever the authority wants, a renewal begins by then."""


def ask(ca: Authority, now: datetime) -> None:
    """Ask about whatever has not been asked about for long."""
    for _ in range(MOST_A_RUN):
        claimed = claim(now)
        if claimed is None:
            return
        domain_id, serial, chain = claimed
        try:
            note(domain_id, serial, *ca.renewal(chain))
        except Refused:
            continue  # it is asked again later, and renewed when it would be anyway
        except Unreached:
            return


def claim(now: datetime) -> tuple[int, str, str] | None:
    due = select(Certificate).where(Certificate.ask_renewal_at <= now).order_by(Certificate.ask_renewal_at)
    with transaction() as session:
        held = session.scalar(due.limit(1).with_for_update(skip_locked=True))
        if held is None:
            return None
        held.ask_renewal_at = now + ASKED_EACH
        return held.domain_id, held.serial, held.chain


def note(domain_id: int, serial: str, wanted: datetime | None, ask_again: datetime) -> None:
    with transaction() as session:
        held = session.get(Certificate, domain_id, with_for_update=True)
        if held is None or held.serial != serial:
            return
        held.ask_renewal_at = ask_again
        if wanted is not None:
            last = held.issued_at + (held.not_after - held.issued_at) * LAST
            held.renew_at = min(wanted, last)
