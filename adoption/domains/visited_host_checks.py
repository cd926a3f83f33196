"""DNS checks of hosts that visitors request before the host is verified."""

from datetime import datetime, timedelta

from sqlalchemy import or_, select, update

from adoption.domains.models import Domain
from adoption.storage import queue
from adoption.storage.database import reading, transaction

VISITS_CHECKED_EACH = timedelta(seconds=10)
"""The minimum interval between two DNS checks that visits of a host start."""


def check_visited(host: str, now: datetime) -> None:
    """Start a DNS check of a host that a visitor requested, because its DNS may have just been switched.

    Anyone can send any number of requests. So at most one check starts per ``VISITS_CHECKED_EACH``.
    """
    waiting = (
        Domain.host == host,
        Domain.challenge_ready,
        Domain.verified_host.is_(None),
        or_(Domain.visited_at.is_(None), Domain.visited_at <= now - VISITS_CHECKED_EACH),
        or_(Domain.next_check_at.is_(None), Domain.next_check_at > now),
    )
    with reading() as session:
        if session.scalar(select(Domain.id).where(*waiting).limit(1)) is None:
            return
    soon = update(Domain).where(*waiting).values(visited_at=now, next_check_at=now).returning(Domain.id)
    with transaction() as session:
        is_ours = session.scalars(soon).first() is not None
    if is_ours:  # no other process has started a check
        queue.start_job("check_domains")
