"""Automatic DNS checks of domains that are due.

Checks begin at even intervals. So no name server gets a burst of queries, even if all domains share one name
server. A few checks run concurrently, so a silent name server does not delay other checks.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Semaphore
from typing import NamedTuple

from flask import current_app
from sqlalchemy import ColumnElement, Select, exists, select, update
from sqlalchemy.exc import SQLAlchemyError

from adoption.accounts.models import Account
from adoption.audit.actors import SERVICE
from adoption.clocks import Clock, utc_now
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.hostnames import registrable
from adoption.domains.models import Domain
from adoption.domains.recheck_schedule import MINUTE, WATCHED_CLOSELY
from adoption.domains.site_lookup import PLAN_GIVES
from adoption.domains.verification import verify_domain
from adoption.errors import Conflict, NotFound, PlanRequired, Unavailable
from adoption.projects.models import Project
from adoption.storage.database import cause_of, reading, transaction
from adoption.storage.queue import STOPPING

log = logging.getLogger("homeward.domains")

RUN_SECONDS = 50
"""The maximum duration of a run in seconds. A run ends before the next run begins."""
EACH_SECONDS = 0.5
"""The interval at which checks begin, in seconds. A check sends about ten queries to a zone's name
servers."""
CHECKS_A_RUN_MOST = int(RUN_SECONDS / EACH_SECONDS)
"""The maximum of checks in a run. In six hours, the runs check up to 36,000 domains. A third of these checks
is enough for 10,000 domains without problems."""
CONCURRENT_MOST = 8
"""The maximum of concurrent checks. While all of them wait for silent servers, no check begins."""
CHECKS_A_ZONE_MOST = 10
"""The maximum of checks in a run for one registrable domain, whose name servers may be small."""
CLAIMED_FOR = 5 * MINUTE
"""The duration of a claim. A run takes less time, so a claim expires only if its worker died."""


class CheckClaim(NamedTuple):
    domain_id: int
    project_id: int
    host: str


Recheck = Callable[[CheckClaim, DomainConfig, datetime], None]


def recheck(claim: CheckClaim, config: DomainConfig, now: datetime) -> None:
    try:
        verify_domain(claim.project_id, claim.domain_id, config, SERVICE, now, pressed=False)
    except (NotFound, PlanRequired, Conflict):
        return  # since the claim, the domain was removed, or its plan or deploy ended
    except (Unavailable, SQLAlchemyError) as error:
        log.warning("domain %d could not be checked: %s", claim.domain_id, cause_of(error))


class RunClock(NamedTuple):
    """The clocks of a run, which tests replace."""

    now: Clock = utc_now
    seconds: Callable[[], float] = time.monotonic
    wait: Callable[[float], bool] = STOPPING.wait
    """A function that waits for some seconds, and returns whether the service is stopping."""


REAL_CLOCK = RunClock()


def run_checks(config: DomainConfig, clock: RunClock = REAL_CLOCK, check: Recheck = recheck) -> int:
    """Check domains that are due, and return the number of checks. The remaining domains stay due."""
    begun, checked, places = clock.seconds(), 0, Semaphore(CONCURRENT_MOST)
    claims = claim_due(now := clock.now())
    new_context = current_app.app_context

    def take(claim: CheckClaim) -> None:
        try:
            with new_context():  # the context also has the ``db.session``
                check(claim, config, clock.now())
        except Exception:
            # An error in one check must not end the other checks.
            log.exception("domain %d could not be checked", claim.domain_id)
        finally:
            places.release()

    with ThreadPoolExecutor(CONCURRENT_MOST) as pool:
        for claim in claims:
            stopping = clock.wait(max(0.0, begun + checked * EACH_SECONDS - clock.seconds()))
            places.acquire()
            if stopping or clock.seconds() - begun >= RUN_SECONDS:
                break
            pool.submit(take, claim)
            checked += 1
    release_unchecked(claims[checked:], now)
    return checked


def claim_due(now: datetime) -> list[CheckClaim]:
    """Claim domains that are due, the most overdue first.

    Up to half of the run's checks go first to recently added or changed domains, because their owners may be
    waiting. If a project's plan includes no domains or the project is not published, its domains stay due.
    They are checked as soon as the plan includes domains and the project is published.
    """
    may_show = exists().where(
        Project.id == Domain.project_id,
        Project.live_deploy.is_not(None),
        Account.id == Project.account_id,
        PLAN_GIVES,
    )
    due = (
        select(Domain.id, Domain.project_id, Domain.host)
        .where(Domain.next_check_at <= now, may_show.correlate(Domain))
        .order_by(Domain.next_check_at, Domain.id)
    )
    waited_for = due.where(Domain.watched_since > now - WATCHED_CLOSELY)
    chosen: dict[int, CheckClaim] = {}
    zones = Counter[str]()
    with reading() as session:
        for rows, most in ((waited_for, CHECKS_A_RUN_MOST // 2), (due, CHECKS_A_RUN_MOST)):
            for row in session.execute(rows):
                if len(chosen) == most:
                    break
                choose_claim(CheckClaim(*row), chosen, zones)
    return claim_unlocked(chosen, now) if chosen else []


def release_unchecked(claims: list[CheckClaim], now: datetime) -> None:
    """Release the domains that this run claimed at ``now`` but did not check."""
    if not claims:
        return
    ids = [claim.domain_id for claim in claims]
    still_ours = unlocked_domains(Domain.id.in_(ids), Domain.next_check_at == now + CLAIMED_FOR)
    with transaction() as session:
        session.execute(update(Domain).where(Domain.id.in_(still_ours)).values(next_check_at=now))


def choose_claim(claim: CheckClaim, chosen: dict[int, CheckClaim], zones: Counter[str]) -> None:
    """Choose a claim, unless its registrable domain already has the maximum of checks in this run."""
    zone = registrable(claim.host) or claim.host
    if claim.domain_id not in chosen and zones[zone] < CHECKS_A_ZONE_MOST:
        chosen[claim.domain_id] = claim
        zones[zone] += 1


def unlocked_domains(*which: ColumnElement[bool]) -> Select[int]:
    """Select domains, but skip locked domains, because waiting for another transaction could deadlock."""
    return select(Domain.id).where(*which).with_for_update(skip_locked=True, key_share=True)


def claim_unlocked(chosen: dict[int, CheckClaim], now: datetime) -> list[CheckClaim]:
    """Claim the chosen domains, except domains that another worker has claimed. Return the claims."""
    taking = (
        update(Domain)
        .where(Domain.id.in_(unlocked_domains(Domain.id.in_(chosen), Domain.next_check_at <= now)))
        .values(next_check_at=now + CLAIMED_FOR)
        .returning(Domain.id)
    )
    with transaction() as session:
        taken = set(session.scalars(taking, execution_options={"synchronize_session": False}))
    return [claim for claim in chosen.values() if claim.domain_id in taken]
