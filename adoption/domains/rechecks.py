"""Looking again at what is due, without anybody pressing.

Looks begin evenly, so that no name server is asked in a burst, even where all domains are at one; and a few
are under way at once, so that a silent one holds up nobody but its own.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from threading import Semaphore
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, exists, select, update
from sqlalchemy.exc import SQLAlchemyError

from adoption.accounts.models import Account
from adoption.audit.trail import SERVICE
from adoption.clocks import Clock, utc_now
from adoption.database import cause_of, reading, transaction
from adoption.domains.models import Domain
from adoption.domains.names import registrable
from adoption.domains.recheck_schedule import MINUTE, WATCHED_CLOSELY
from adoption.domains.serving import PLAN_GIVES
from adoption.domains.terms import Terms
from adoption.domains.verification import verify
from adoption.errors import Conflict, NotFound, PlanRequired, Unavailable
from adoption.projects.models import Project
from adoption.queue import STOPPING

log = logging.getLogger("homeward.domains")

RUN_SECONDS = 50
"""A run ends before the next begins, so that looks do not pile up."""
EACH_SECONDS = 0.5
"""From the beginning of one look to that of the next. A look asks a zone's servers about ten times."""
MOST_A_RUN = int(RUN_SECONDS / EACH_SECONDS)
"""In six hours 36,000: more than three times ten thousand domains that are as they should be."""
TOGETHER = 8
"""Looks under way: more than begin while one waits for silent servers as long as it may."""
MOST_A_ZONE = 10
"""Looks in one run at hosts of one registrable domain, whose servers may be small."""
CLAIMED_FOR = 5 * MINUTE
"""Longer than a run takes, so that a claim ends only where its holder died."""


class Claim(NamedTuple):
    domain_id: int
    project_id: int
    host: str


Look = Callable[[Claim, Terms, datetime], None]


def look_at(claim: Claim, terms: Terms, now: datetime) -> None:
    try:
        verify(claim.project_id, claim.domain_id, terms, SERVICE, now, pressed=False)
    except (NotFound, PlanRequired, Conflict):
        return  # removed, or the plan or the deploy ended, since the claim
    except (Unavailable, SQLAlchemyError) as error:
        log.warning("domain %d could not be looked at: %s", claim.domain_id, cause_of(error))


class Time(NamedTuple):
    """What a run has of time: tests have another."""

    now: Clock = utc_now
    seconds: Callable[[], float] = time.monotonic
    wait: Callable[[float], bool] = STOPPING.wait
    """Gives whether to stop."""


TIME = Time()


def run(terms: Terms, clock: Time = TIME, look: Look = look_at) -> int:
    """Look at what is due; gives at how many. What is left is due in the next run."""
    begun, looked, places = clock.seconds(), 0, Semaphore(TOGETHER)
    claims = claim_due(now := clock.now())

    def take(claim: Claim) -> None:
        try:
            look(claim, terms, clock.now())
        except Exception:
            # A fault in one is no reason to look at no others.
            log.exception("domain %d could not be looked at", claim.domain_id)
        finally:
            places.release()

    with ThreadPoolExecutor(TOGETHER) as pool:
        for claim in claims:
            stopping = clock.wait(max(0.0, begun + looked * EACH_SECONDS - clock.seconds()))
            places.acquire()
            if stopping or clock.seconds() - begun >= RUN_SECONDS:
                break
            pool.submit(copy_context().run, take, claim)
            looked += 1
    give_back(claims[looked:], now)
    return looked


def claim_due(now: datetime) -> list[Claim]:
    """What is due, the longest first, kept from everybody else for a while.

    Half of the places are first for those that somebody waits for, who may be looking at the page; not all,
    so that others are come to as well. Domains of a project without the plan or a deploy stay due, and are
    checked as soon as it has both again.
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
    chosen: dict[int, Claim] = {}
    zones = Counter[str]()
    with reading() as session:
        for rows, most in ((waited_for, MOST_A_RUN // 2), (due, MOST_A_RUN)):
            for row in session.execute(rows):
                if len(chosen) == most:
                    break
                choose(Claim(*row), chosen, zones)
    return held(chosen, now) if chosen else []


def give_back(claims: list[Claim], now: datetime) -> None:
    """Have those be due again that this run claimed at ``now`` and did not come to."""
    if not claims:
        return
    ids = [claim.domain_id for claim in claims]
    still_ours = free(Domain.id.in_(ids), Domain.next_check_at == now + CLAIMED_FOR)
    with transaction() as session:
        session.execute(update(Domain).where(Domain.id.in_(still_ours)).values(next_check_at=now))


def choose(claim: Claim, chosen: dict[int, Claim], zones: Counter[str]) -> None:
    """Take it unless enough of its zone are: those stay due, and nobody waits behind them."""
    zone = registrable(claim.host) or claim.host
    if claim.domain_id not in chosen and zones[zone] < MOST_A_ZONE:
        chosen[claim.domain_id] = claim
        zones[zone] += 1


def free(*which: ColumnElement[bool]) -> Select[int]:
    """Those that nobody is about to change: to wait for one with others in hand could be for ever."""
    return select(Domain.id).where(*which).with_for_update(skip_locked=True, key_share=True)


def held(chosen: dict[int, Claim], now: datetime) -> list[Claim]:
    """Those of the chosen that nobody else has taken meanwhile."""
    taking = (
        update(Domain)
        .where(Domain.id.in_(free(Domain.id.in_(chosen), Domain.next_check_at <= now)))
        .values(next_check_at=now + CLAIMED_FOR)
        .returning(Domain.id)
    )
    with transaction() as session:
        taken = set(session.scalars(taking, execution_options={"synchronize_session": False}))
    return [claim for claim in chosen.values() if claim.domain_id in taken]
