"""Rate and concurrency limits for manual DNS checks.

A zone names its own name servers, and a silent one occupies a thread for seconds.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from adoption.accounts.quotas.throttles import MINUTE, Throttle
from adoption.errors import Conflict
from adoption.translations import gettext

OF_ONE_ACCOUNT = Throttle(
    "domain-checks",
    20,
    MINUTE,
    "Too many DNS checks in one minute. Wait a minute, then try again. We also check automatically.",
)
CONCURRENT = 2
"""Concurrent checks in one process, for all accounts: half of the minimum number of request threads."""
UNDER_WAY: set[int] = set()
"""The accounts with a check under way in this process, one check each."""
CHANGING = Lock()


class ChecksBusy(Conflict):
    """The check has to be done later, in the background."""


@contextmanager
def reserve_check(account_id: int) -> Iterator[None]:
    """Reserve a place for a check. Raises TooMany, or ChecksBusy if none is free."""
    OF_ONE_ACCOUNT.demand(str(account_id), time.time())
    with CHANGING:
        if account_id in UNDER_WAY or len(UNDER_WAY) >= CONCURRENT:
            raise ChecksBusy(gettext("Other checks are under way."))
        UNDER_WAY.add(account_id)
    try:
        yield
    finally:
        with CHANGING:
            UNDER_WAY.discard(account_id)
