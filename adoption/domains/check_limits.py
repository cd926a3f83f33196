"""Rate and concurrency limits for DNS checks that somebody waits for.

A zone names its own name servers, and a silent one occupies a thread for seconds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Lock

from adoption.accounts.throttles import MINUTE, Throttle
from adoption.errors import Conflict

OF_ONE_ACCOUNT = Throttle(
    "domain-checks",
    20,
    MINUTE,
    "Too many DNS checks in one minute. Wait a minute, then try again. We also check automatically.",
)
TOGETHER = 2
"""Under way in one process, of all accounts: half of the threads that pages have at the least."""
UNDER_WAY: set[int] = set()
"""The accounts that a check is under way for in this process: one for each at most."""
CHANGING = Lock()


class Busy(Conflict):
    """The check has to be done later, in the background."""


@contextmanager
def reserve_check(account_id: int, now: datetime | None = None) -> Iterator[None]:
    """Reserve a place for a check. Raises TooMany, or Busy where the account or all others have theirs."""
    OF_ONE_ACCOUNT.demand(str(account_id), (now or datetime.now(UTC)).timestamp())
    with CHANGING:
        if account_id in UNDER_WAY or len(UNDER_WAY) >= TOGETHER:
            raise Busy("Other checks are under way.")
        UNDER_WAY.add(account_id)
    try:
        yield
    finally:
        with CHANGING:
            UNDER_WAY.discard(account_id)
