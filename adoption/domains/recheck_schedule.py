"""The schedule of automatic DNS checks."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
WATCHED_CLOSELY = 10 * MINUTE
PROPAGATES = 48 * HOUR
WATCHED_FOR = 7 * DAY
SETTLED_EACH = 6 * HOUR
"""The interval for a domain without problems."""
GIVEN_UP_EACH = DAY
"""The interval for a domain that was verified, and has led elsewhere for longer than ``WATCHED_FOR``."""


def recheck_pause(watched: timedelta) -> timedelta | None:
    """Return the time until the next check of a domain with problems; None if automatic checks end.

    Every minute for ten, then a tenth of that time and at most an hour up to 48 hours, then every six hours
    up to seven days.
    """
    if watched < WATCHED_CLOSELY:
        return MINUTE
    if watched < PROPAGATES:
        return min(HOUR, watched / 10)
    return 6 * HOUR if watched < WATCHED_FOR else None


def next_check_time(
    right: bool, serves: bool, since: datetime, now: datetime, chance: Callable[[], float] = random.random
) -> datetime | None:
    """Return when to check again. Long intervals vary at random, so that checks do not stay in step."""
    if right:
        return now + SETTLED_EACH * (0.9 + 0.2 * chance())
    wait = recheck_pause(now - since)
    if wait is None:
        return now + GIVEN_UP_EACH * (0.9 + 0.2 * chance()) if serves else None
    return now + (wait if wait <= MINUTE else wait * (0.9 + 0.2 * chance()))
