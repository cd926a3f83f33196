"""Rules of request quotas, and of bans of keys.

There are two fixed windows, a minute and a day. Each begins with its first request. A request is admitted if
both have room, and counts in both; a refused one counts in neither. The store decides and counts in one step,
so that any number of threads and processes admit exactly the quota.
"""

from typing import NamedTuple

from adoption.accounts.plans import Quota

MINUTE = 60
DAY = 86_400

STRIKE_AFTER = 1
"""Seconds from a key's first refusal in a window until its refusals are strikes. The requests of a parallel
burst were sent before any 429 had arrived."""
STRIKES_ALLOWED = 10
STRIKES_WITHIN = 60
FIRST_BAN = 300
LONGEST_BAN = 3_600
BANS_REMEMBERED = DAY

CLOCKS_APART = 60
"""Seconds by which the clocks of several machines may differ. A time further in the future was written by a
clock that has been set back since."""


class ShownWindow(NamedTuple):
    """What the ``X-RateLimit-*`` headers say: a limit, requests left, and the Unix time of the reset."""

    limit: int
    remaining: int
    reset: int


class Verdict(NamedTuple):
    """What the store decided about one request, and both windows afterwards. Times are Unix seconds."""

    admitted: bool
    minute_used: int
    minute_ends: int
    day_used: int
    day_ends: int
    banned_until: int = 0
    """The end of the key's ban; 0 if it is not banned."""

    def shown(self, quota: Quota) -> ShownWindow:
        """Return the window with the fewest requests left (the minute on a tie), or the one that refused.

        After a change to a smaller plan more may be used than it allows. Then 0 are left.
        """
        minute_left = max(0, quota.per_minute - self.minute_used)
        day_left = max(0, quota.per_day - self.day_used)
        if day_left < minute_left or (day_left == 0 and not self.admitted):
            return ShownWindow(quota.per_day, day_left, self.day_ends)
        return ShownWindow(quota.per_minute, minute_left, self.minute_ends)

    def retry_after(self, quota: Quota, now: float) -> int:
        """Return the whole seconds, at least 1, until a refused request has room or its ban has ended."""
        until = self.banned_until or self.shown(quota).reset
        return max(1, until - int(now))


class QuotaWindows(NamedTuple):
    """Both windows of a subject. Times are Unix seconds, 0 for a window that has not begun."""

    minute_used: int = 0
    minute_ends: int = 0
    day_used: int = 0
    day_ends: int = 0

    def at(self, now: float) -> "QuotaWindows":
        """Return them as the next request finds them: a window that is over is empty."""
        minute_ends, day_ends = end_by(now, self.minute_ends, MINUTE), end_by(now, self.day_ends, DAY)
        minute = (self.minute_used, minute_ends) if minute_ends > now else (0, 0)
        day = (self.day_used, day_ends) if day_ends > now else (0, 0)
        return QuotaWindows(*minute, *day)


class Ban(NamedTuple):
    """A ban that a key is under. Times are Unix seconds."""

    started: float
    ends: int

    def at(self, now: float) -> "Ban":
        """Return it as the next request finds it. One begun by a clock that was ahead may be lifted now."""
        ends = end_by(now, self.ends, self.ends - int(self.started))
        return self if ends == self.ends else Ban(now - FIRST_BAN, ends)

    @property
    def liftable_from(self) -> int:
        """Return the time from which staff may lift it. Repeated bans are longer, and not lifted at once."""
        return int(self.started) + FIRST_BAN


def end_by(now: float, ends: int, seconds: int) -> int:
    """Return when a window or ban of ``seconds`` ends. If a clock that was ahead began it, it begins now.

    Otherwise a clock that was a month ahead would lock an account out for a month after it is corrected.
    """
    return ends if ends <= now + seconds + CLOCKS_APART else int(now) + seconds


def ban_seconds(last_started: float | None, last_seconds: int, now: float) -> int:
    """Return how long a key's next ban lasts: twice its last one within a day, up to an hour."""
    if last_started is None or now - last_started >= BANS_REMEMBERED:
        return FIRST_BAN
    return min(last_seconds * 2, LONGEST_BAN)
