"""Everything about certificates that is done outside requests, in rounds of less than a minute."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from adoption import jobs
from adoption.certificates import ordering, renewing, seeing
from adoption.certificates.terms import Terms

SECONDS = 50
"""A round ends before the next begins."""
IDLE_SECONDS = 0.5
UNDER_WAY = threading.Lock()
"""One round in a process is enough: it finds whatever is due meanwhile."""

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def run(
    terms: Terms,
    clock: Clock = utc_now,
    seconds: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Order, renew and look at the edge until nothing is due within seconds."""
    if not UNDER_WAY.acquire(blocking=False):
        return
    try:
        renewing.ask(terms.authority, clock())
        until_idle(Round(terms, clock, wait), seconds)
    finally:
        UNDER_WAY.release()
    jobs.start("send_letters")


class Round(NamedTuple):
    terms: Terms
    clock: Clock
    wait: Callable[[float], None]

    def step(self) -> bool:
        """Do one thing, or begin what is due, or wait for it; False where nothing is due soon."""
        if ordering.go_on(self.terms, self.clock()) or seeing.look(self.terms, self.clock()):
            return True
        begun = ordering.begin_due(self.terms.vault, self.clock())
        if not begun and (ordering.is_soon(self.clock()) or seeing.is_soon(self.clock())):
            self.wait(IDLE_SECONDS)
            return True
        return begun


def until_idle(work: Round, seconds: Callable[[], float]) -> None:
    ends = seconds() + SECONDS
    while seconds() < ends and work.step():
        pass
