"""Looks at DNS that somebody presses for: how many, and how many at once.

The name servers that are asked are whoever's the zone names, and a silent one keeps a thread for seconds that
other people's pages wait for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Semaphore

from adoption.accounts.counting import counter_of
from adoption.errors import TooMany

PER_MINUTE = 20
"""Of one account, within a minute of the clock."""
TOGETHER = 2
"""Under way in one process, of everybody's: half of the threads that pages have at the least."""
UNDER_WAY = Semaphore(TOGETHER)


@contextmanager
def one_more(account_id: int, now: datetime | None = None) -> Iterator[None]:
    """Make room for a look. Raises TooMany."""
    at = (now or datetime.now(UTC)).timestamp()
    presses = counter_of("domain-looks", 60)
    if presses.too_many("account", str(account_id), PER_MINUTE, at):
        raise TooMany(
            "That was many looks at DNS in one minute. Wait a minute, then press again; we look again by "
            "ourselves too.",
            presses.ends_in(at),
        )
    if not UNDER_WAY.acquire(blocking=False):
        raise TooMany("Other domains are being looked at just now. Press again in some seconds.", 3)
    try:
        yield
    finally:
        UNDER_WAY.release()
