"""Everything about certificates that is done outside requests, in short rounds."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from adoption.certificates import (
    edge_checks,
    notices,
    order_claims,
    order_queue,
    order_steps,
    outages,
    renewals,
)
from adoption.certificates.config import CertificateConfig
from adoption.certificates.dns_challenges import records as dns_records
from adoption.certificates.order_claims import Turns
from adoption.certificates.platform import orders as platform_orders
from adoption.clocks import Clock, utc_now

SECONDS = 10
"""How long a round goes on at most: whoever stops the service waits for it."""
IDLE_SECONDS = 0.5
BEGUN_EACH = timedelta(seconds=1)
"""How often a busy round looks for orders to begin."""
UNDER_WAY = threading.Lock()
"""One round in a process is enough: it finds whatever is due meanwhile."""
REQUESTED = threading.Event()


def run_rounds(
    terms: CertificateConfig,
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
    if not outages.is_down():
        renewals.ask_renewal_times(work.terms.authority, work.clock(), lambda: seconds() < ends)
    while work.step():
        if seconds() >= ends:
            return True
    return False


@dataclass
class Round:
    terms: CertificateConfig
    clock: Clock
    wait: Callable[[float], None]
    turns: Turns = field(default_factory=Turns)
    began_at: datetime | None = None
    """When it last looked for orders to begin."""

    def step(self) -> bool:
        """Do one thing of each kind, or wait for what is due soon. Return False where nothing is."""
        now = self.clock()
        # One of each kind, so that many of one hold up no other.
        did = [
            self.may_begin(now) and (self.begin(now) or notices.send_next(now)),
            order_steps.take_next_step(self.terms, self.turns, now),
            edge_checks.check_next(self.terms, now),
            platform_orders.take_platform_step(self.terms, now),
            self.terms.dns is not None and dns_records.remove_one(self.terms.dns, now),
        ]
        if any(did) or (self.began_at != now and self.begin(now)):
            return True
        if notices.send_next(now):
            return True
        if (
            order_claims.is_step_soon(now)
            or edge_checks.is_check_soon(now)
            or platform_orders.is_platform_step_soon(self.terms, now)
        ):
            self.wait(IDLE_SECONDS)
            return True
        return False

    def may_begin(self, now: datetime) -> bool:
        """Return whether it is time to look for new orders while there are others to go on with."""
        return self.began_at is None or now - self.began_at >= BEGUN_EACH

    def begin(self, now: datetime) -> bool:
        self.began_at = now
        return order_queue.begin_due_orders(self.terms.vault, now)
