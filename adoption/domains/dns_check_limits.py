"""Rate and concurrency limits for manual DNS checks.

The owner of a domain chooses its name servers. A name server that does not answer occupies a thread for
seconds.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from adoption.accounts.quotas.throttles import MINUTE, Throttle
from adoption.errors import Conflict
from adoption.translations import gettext

ACCOUNT_THROTTLE = Throttle(
    "domain-checks",
    20,
    MINUTE,
    "Too many DNS checks in one minute. Wait a minute, then try again. We also check automatically.",
)
CONCURRENT_MOST = 2
"""The maximum of concurrent checks in one process. A process has at least twice as many threads for
requests."""
UNDER_WAY: set[int] = set()
"""The accounts with a check under way in this process. An account can have only one check at a time."""
UNDER_WAY_LOCK = Lock()


class ChecksBusy(Conflict):
    """All places for checks are taken. The check runs later in the background."""


@contextmanager
def reserve_check(account_id: int) -> Iterator[None]:
    """Reserve a place for a check.

    Raises TooMany above the rate limit, and ChecksBusy if no place is free.
    """
    ACCOUNT_THROTTLE.demand(str(account_id), time.time())
    with UNDER_WAY_LOCK:
        if account_id in UNDER_WAY or len(UNDER_WAY) >= CONCURRENT_MOST:
            raise ChecksBusy(gettext("Other checks are under way."))
        UNDER_WAY.add(account_id)
    try:
        yield
    finally:
        with UNDER_WAY_LOCK:
            UNDER_WAY.discard(account_id)
