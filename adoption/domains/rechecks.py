"""Looking again at what is due, without anybody pressing."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from adoption.accounts.audit import Actor
from adoption.database import transaction
from adoption.domains.models import Domain
from adoption.domains.names import registrable
from adoption.domains.terms import Terms
from adoption.domains.verifying import verify
from adoption.domains.watching import DAY, MINUTE
from adoption.errors import Conflict, NotFound, PlanRequired, Unavailable

log = logging.getLogger("homeward.domains")

SERVICE = Actor(None, "the service")
MOST_A_RUN = 60
RUN_SECONDS = 50
"""A run ends before the next begins, so that looks do not pile up."""
MOST_A_ZONE = 5
"""Looks in one run at hosts of one registrable domain: its servers are not asked in a burst."""
CLAIMED_FOR = 5 * MINUTE
"""Longer than a look takes, so that a claim ends only where its holder died."""

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def run(terms: Terms, clock: Clock = utc_now, seconds: Callable[[], float] = time.monotonic) -> int:
    """Look at what is due, one domain after the other; gives how many."""
    ends, looked, zones = seconds() + RUN_SECONDS, 0, Counter[str]()
    while looked < MOST_A_RUN and seconds() < ends and (claimed := claim(clock())):
        project_id, domain_id, host = claimed
        zone = registrable(host) or host
        zones[zone] += 1
        if zones[zone] > MOST_A_ZONE:
            continue  # its claim ends in some minutes, and it is due again
        look_at(project_id, domain_id, terms, clock())
        looked += 1
    return looked


def claim(now: datetime) -> tuple[int, int, str] | None:
    """The domain that has been due for the longest, kept from everybody else for a while."""
    due = select(Domain).where(Domain.next_check_at <= now).order_by(Domain.next_check_at).limit(1)
    with transaction() as session:
        domain = session.scalar(due.with_for_update(skip_locked=True))
        if domain is None:
            return None
        domain.next_check_at = now + CLAIMED_FOR
        return domain.project_id, domain.id, domain.host


def look_at(project_id: int, domain_id: int, terms: Terms, now: datetime) -> None:
    try:
        verify(project_id, domain_id, terms, SERVICE, now, pressed=False)
    except NotFound:
        return  # removed meanwhile
    except (PlanRequired, Conflict):
        put_off(domain_id, now)
    except (Unavailable, SQLAlchemyError) as error:
        log.warning("domain %d could not be looked at: %s", domain_id, error)


def put_off(domain_id: int, now: datetime) -> None:
    """It serves nothing while the plan or a deploy is missing; once they are there, it is looked at again."""
    with transaction() as session:
        domain = session.get(Domain, domain_id)
        if domain is not None:
            domain.next_check_at = now + DAY
