"""The schedule of automatic DNS checks."""

import random
from datetime import datetime, timedelta

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
WATCHED_CLOSELY = 10 * MINUTE
PROPAGATES = 48 * HOUR
WATCHED_FOR = 7 * DAY
SETTLED_EACH = 6 * HOUR
"""The interval of checks for a domain without problems."""
GIVEN_UP_EACH = DAY
"""The interval of checks for a domain that was once verified but has had problems for longer than
``WATCHED_FOR``."""


def recheck_pause(watched: timedelta) -> timedelta | None:
    """Return the time until the next check of a domain with problems; None if automatic checks end.

    ``watched`` is the time since the last change. The result is a minute in the first ten minutes. After
    that, it is a tenth of ``watched``, at most an hour. After 48 hours, it is six hours. After seven days,
    checks end.
    """
    if watched < WATCHED_CLOSELY:
        return MINUTE
    if watched < PROPAGATES:
        return min(HOUR, watched / 10)
    return 6 * HOUR if watched < WATCHED_FOR else None


def next_check_time(right: bool, serves: bool, since: datetime, now: datetime) -> datetime | None:
    """Return the time of the next check. Long intervals vary at random, to spread the checks."""
    pause = SETTLED_EACH if right else recheck_pause(now - since)
    if pause is None:
        if not serves:
            return None
        pause = GIVEN_UP_EACH
    return now + (pause if pause <= MINUTE else pause * random.uniform(0.9, 1.1))  # noqa: S311 - no secret
