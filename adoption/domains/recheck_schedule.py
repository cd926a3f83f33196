"""When a domain is looked at again without anybody pressing."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
WATCHED_CLOSELY = 10 * MINUTE
PROPAGATES = 48 * HOUR
WATCHED_FOR = 7 * DAY
SETTLED_EACH = 6 * HOUR
"""How often a domain is looked at that is as it should be."""
GIVEN_UP_EACH = DAY
"""How often one that serves the site is looked at though it has led elsewhere for long."""


def pause(watched: timedelta) -> timedelta | None:
    """How long until the next look at what has been wrong for this long; None where it is given up.

    Every minute for ten, then a tenth of that time and at most an hour up to 48 hours, then every six hours
    up to seven days.
    """
    if watched < WATCHED_CLOSELY:
        return MINUTE
    if watched < PROPAGATES:
        return min(HOUR, watched / 10)
    return 6 * HOUR if watched < WATCHED_FOR else None


def next_look(
    right: bool, serves: bool, since: datetime, now: datetime, chance: Callable[[], float] = random.random
) -> datetime | None:
    """When to look again. Rare looks are spread, so that those which began together do not stay together."""
    if right:
        return now + SETTLED_EACH * (0.9 + 0.2 * chance())
    wait = pause(now - since)
    if wait is None:
        return now + GIVEN_UP_EACH * (0.9 + 0.2 * chance()) if serves else None
    return now + (wait if wait <= MINUTE else wait * (0.9 + 0.2 * chance()))
