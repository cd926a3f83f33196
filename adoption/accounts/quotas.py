"""How many requests an account may still make, and when a key is banned.

Two fixed windows, a minute and a day, each opened by its first request. A request is admitted when both have
room and then counts in both; a refused one uses up nothing. One step of the store decides and counts, so that
any number of threads and processes admit the quota and not one more.
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
"""Seconds by which the clocks of several machines may differ. What lies further ahead than that was written
by a clock that has been set back since."""


class Shown(NamedTuple):
    """What the ``X-RateLimit-*`` headers say: a limit, requests left, and the Unix time of the reset."""

    limit: int
    remaining: int
    reset: int


class Verdict(NamedTuple):
    """What the store decided about one request, and how both windows then stand. Times are Unix seconds."""

    admitted: bool
    minute_used: int
    minute_ends: int
    day_used: int
    day_ends: int
    banned_until: int = 0
    """The end of the key's ban; 0 where it is not banned."""

    def shown(self, quota: Quota) -> Shown:
        """The window with the fewest requests left, the minute on a tie; on a refusal the one that refused.

        Both windows hold whatever a plan was before, so a smaller plan leaves 0 and never less.
        """
        minute_left = max(0, quota.per_minute - self.minute_used)
        day_left = max(0, quota.per_day - self.day_used)
        if day_left < minute_left or (day_left == 0 and not self.admitted):
            return Shown(quota.per_day, day_left, self.day_ends)
        return Shown(quota.per_minute, minute_left, self.minute_ends)

    def retry_after(self, quota: Quota, now: float) -> int:
        """Whole seconds, 1 at least, until a refused request would find room or an end of its ban."""
        until = self.banned_until or self.shown(quota).reset
        return max(1, until - int(now))


class Standing(NamedTuple):
    """How both windows stand, with nobody asking. Times are Unix seconds, 0 for a window not yet opened."""

    minute_used: int = 0
    minute_ends: int = 0
    day_used: int = 0
    day_ends: int = 0

    def at(self, now: float) -> "Standing":
        """As the next request would find them, with nothing left of what is over by now."""
        minute_ends, day_ends = end_by(now, self.minute_ends, MINUTE), end_by(now, self.day_ends, DAY)
        minute = (self.minute_used, minute_ends) if minute_ends > now else (0, 0)
        day = (self.day_used, day_ends) if day_ends > now else (0, 0)
        return Standing(*minute, *day)


class Ban(NamedTuple):
    """A ban that a key is under. Times are Unix seconds."""

    started: float
    ends: int

    def at(self, now: float) -> "Ban":
        """As the key's next request would find it. One that a clock ahead has begun may be lifted now."""
        ends = end_by(now, self.ends, self.ends - int(self.started))
        return self if ends == self.ends else Ban(now - FIRST_BAN, ends)

    @property
    def liftable_from(self) -> int:
        """From when on staff may lift it: a longer one has been told off twice, and is not waived at once."""
        return int(self.started) + FIRST_BAN


def end_by(now: float, ends: int, seconds: int) -> int:
    """When something of ``seconds`` ends. What was begun by a clock that was ahead ends as if it began now.

    Otherwise a clock that was a month ahead would shut an account out for a month once it is set right.
    """
    return ends if ends <= now + seconds + CLOCKS_APART else int(now) + seconds


def ban_seconds(last_started: float | None, last_seconds: int, now: float) -> int:
    """How long the next ban of a key lasts: twice the last one of within a day, up to an hour."""
    if last_started is None or now - last_started >= BANS_REMEMBERED:
        return FIRST_BAN
    return min(last_seconds * 2, LONGEST_BAN)
