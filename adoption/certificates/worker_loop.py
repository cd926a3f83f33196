"""The loop of the background work on certificates, in rounds of a few seconds."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from adoption.certificates import (
    authority_outages,
    edge_checks,
    email_digests,
    order_claims,
    order_queue,
    order_steps,
    renewal_times,
)
from adoption.certificates.authority_and_edge_setup import CertificateConfig
from adoption.certificates.dns_challenges import txt_records
from adoption.certificates.order_claims import AccountRotation
from adoption.certificates.platform import orders as platform_orders
from adoption.clocks import Clock, utc_now

SECONDS = 10
"""The maximum duration of a round in seconds. Stopping the service waits for the end of the round."""
IDLE_SECONDS = 0.5
BEGUN_EACH = timedelta(seconds=1)
"""The interval at which a busy round looks for new orders."""
UNDER_WAY = threading.Lock()
"""The lock that allows one round at a time in a process. One round is enough, because it does all work that
becomes due."""
REQUESTED = threading.Event()


def run_rounds(
    config: CertificateConfig,
    clock: Clock = utc_now,
    seconds: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> bool:
    """Process orders, renewals and checks. Return whether more work is due now or within seconds."""
    REQUESTED.set()
    # If another thread's round is under way, the round may be about to end. The event makes that thread begin
    # one more round.
    while REQUESTED.is_set() and UNDER_WAY.acquire(blocking=False):
        REQUESTED.clear()
        try:
            if until_idle(Round(config, clock, wait), seconds):
                return True
        finally:
            UNDER_WAY.release()
    return False


def until_idle(work: "Round", seconds: Callable[[], float]) -> bool:
    """Work until no work is due soon. Return whether time ran out while work was still due."""
    ends = seconds() + SECONDS
    if not authority_outages.is_down():
        renewal_times.ask_renewal_times(work.config.authority, work.clock(), lambda: seconds() < ends)
    while work.step():
        if seconds() >= ends:
            return True
    return False


@dataclass
class Round:
    config: CertificateConfig
    clock: Clock
    wait: Callable[[float], None]
    turns: AccountRotation = field(default_factory=AccountRotation)
    began_at: datetime | None = None
    """The time when the round last looked for new orders."""

    def step(self) -> bool:
        """Do one step of each kind, or wait if a step is due soon. Return False if there is no work."""
        now = self.clock()
        # One step of each kind, so that no kind of work delays the other kinds.
        did = [
            self.may_begin(now) and (self.begin(now) or email_digests.send_next_news(now)),
            order_steps.take_next_step(self.config, self.turns, now),
            edge_checks.check_next_certificate(self.config, now),
            platform_orders.take_platform_step(self.config, now),
            self.config.dns is not None and txt_records.remove_next_record(self.config.dns, now),
        ]
        if any(did) or (self.began_at != now and self.begin(now)):
            return True
        if email_digests.send_next_news(now):
            return True
        if (
            order_claims.is_step_soon(now)
            or edge_checks.is_check_soon(now)
            or platform_orders.is_platform_step_soon(self.config, now)
        ):
            self.wait(IDLE_SECONDS)
            return True
        return False

    def may_begin(self, now: datetime) -> bool:
        """Return whether enough time has passed to look for new orders again."""
        return self.began_at is None or now - self.began_at >= BEGUN_EACH

    def begin(self, now: datetime) -> bool:
        self.began_at = now
        return order_queue.begin_due_orders(self.config.vault, now)
