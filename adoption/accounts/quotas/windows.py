"""The two windows of request quotas, and the verdict about a request.

There are two fixed windows, a minute and a day. Each window begins with its first request. If both windows
have room, a request is admitted and counted in both. Otherwise the request is refused and not counted. The
store checks and counts in one step, so all threads and processes together admit exactly the quota.
"""

from typing import NamedTuple

from adoption.accounts.plans import Quota

MINUTE = 60
DAY = 86_400

CLOCKS_APART = 60
"""The maximum difference in seconds between the clocks of several machines. If a stored time is further ahead
of our clock, a wrong clock set it."""


class ShownWindow(NamedTuple):
    """The values of the ``X-RateLimit-*`` headers. ``reset`` is in Unix seconds."""

    limit: int
    remaining: int
    reset: int


class Verdict(NamedTuple):
    """The decision about a request, and both windows after the request. Ends are Unix seconds."""

    admitted: bool
    minute_used: int
    minute_ends: int
    day_used: int
    day_ends: int
    banned_until: int = 0
    """The end of the key's ban; 0 without a ban."""

    def shown(self, quota: Quota) -> ShownWindow:
        """Return the values of one window for the headers.

        For a refused request, it is the window that refused the request. For an admitted request, it is the
        window with fewer requests left, or the minute if both have the same number left. After a change to a
        smaller plan, the number of used requests can exceed the limit. Then 0 requests are left.
        """
        minute_left = max(0, quota.per_minute - self.minute_used)
        day_left = max(0, quota.per_day - self.day_used)
        if day_left < minute_left or (day_left == 0 and not self.admitted):
            return ShownWindow(quota.per_day, day_left, self.day_ends)
        return ShownWindow(quota.per_minute, minute_left, self.minute_ends)

    def retry_after(self, quota: Quota, now: float) -> int:
        """Return the seconds until the same request would be admitted: whole seconds, at least 1."""
        until = self.banned_until or self.shown(quota).reset
        return max(1, until - int(now))


class QuotaWindows(NamedTuple):
    """Both windows of a subject. Ends are Unix seconds; 0 if a window has not begun."""

    minute_used: int = 0
    minute_ends: int = 0
    day_used: int = 0
    day_ends: int = 0

    def at(self, now: float) -> "QuotaWindows":
        """Return the windows as they are at ``now``. An expired window is empty."""
        minute_ends, day_ends = (
            correct_end(now, self.minute_ends, MINUTE),
            correct_end(now, self.day_ends, DAY),
        )
        minute = (self.minute_used, minute_ends) if minute_ends > now else (0, 0)
        day = (self.day_used, day_ends) if day_ends > now else (0, 0)
        return QuotaWindows(*minute, *day)


def correct_end(now: float, ends: int, seconds: int) -> int:
    """Return the end of a window or a ban, corrected if a fast clock set the end.

    ``seconds`` is how long the window or the ban lasts. A corrected end is ``seconds`` from now. Without the
    correction, a clock that was a month ahead would lock out an account for a month.
    """
    return ends if ends <= now + seconds + CLOCKS_APART else int(now) + seconds
