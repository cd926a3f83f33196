"""Everything about certificates that is done outside requests, in short rounds."""

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from adoption.certificates import edge_checks, order_queue, order_steps, renewals
from adoption.certificates.platform import orders as platform_orders
from adoption.certificates.terms import Terms
from adoption.clocks import Clock, utc_now

SECONDS = 10
"""How long a round goes on at most: whoever stops the service waits for it."""
IDLE_SECONDS = 0.5
UNDER_WAY = threading.Lock()
"""One round in a process is enough: it finds whatever is due meanwhile."""
REQUESTED = threading.Event()


def run(
    terms: Terms,
    clock: Clock = utc_now,
    seconds: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> bool:
    """Order, renew and look at the edge; whether there is more to do at once or within seconds."""
    REQUESTED.set()
    # Whoever comes while another's is about to end has that one begin again.
    while REQUESTED.is_set() and UNDER_WAY.acquire(blocking=False):
        REQUESTED.clear()
        try:
            if until_idle(Round(terms, clock, wait), seconds):
                return True
        finally:
            UNDER_WAY.release()
    return False


def until_idle(work: "Round", seconds: Callable[[], float]) -> bool:
    """Go on until nothing is due within seconds; False where that was so before the round is over."""
    ends = seconds() + SECONDS
    renewals.ask_renewal_times(work.terms.authority, work.clock(), lambda: seconds() < ends)
    while work.step():
        if seconds() >= ends:
            return True
    return False


class Round(NamedTuple):
    terms: Terms
    clock: Clock
    wait: Callable[[float], None]

    def step(self) -> bool:
        """Do one thing, or begin what is due, or wait for it; False where nothing is due soon."""
        now = self.clock()
        if order_steps.take_next_step(self.terms, now) or edge_checks.check_next(self.terms, now):
            return True
        if platform_orders.take_next_step(self.terms, now):
            return True
        if order_queue.begin_due_orders(self.terms.vault, now):
            return True
        if order_steps.is_soon(now) or edge_checks.is_soon(now) or platform_orders.is_soon(self.terms, now):
            self.wait(IDLE_SECONDS)
            return True
        return False
