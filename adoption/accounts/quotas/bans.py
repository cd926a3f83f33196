"""Bans of API keys that send many requests after a refusal."""

from typing import NamedTuple

from adoption.accounts.quotas.windows import DAY, correct_end

STRIKE_AFTER = 1
"""The seconds from a key's first refusal in a window until further refusals are strikes. Earlier refusals are
not strikes, because parallel requests were sent before any 429 arrived."""
STRIKES_ALLOWED = 10
STRIKES_WITHIN = 60
FIRST_BAN = 300
LONGEST_BAN = 3_600
BANS_REMEMBERED = DAY


class Ban(NamedTuple):
    """The current ban of a key, with its start and end in Unix seconds."""

    started: float
    ends: int

    def at(self, now: float) -> "Ban":
        """Return the ban as it is at ``now``.

        If a clock that was ahead began the ban, staff can lift the ban immediately.
        """
        ends = correct_end(now, self.ends, self.ends - int(self.started))
        return self if ends == self.ends else Ban(now - FIRST_BAN, ends)

    @property
    def liftable_from(self) -> int:
        """The Unix time from which staff are allowed to lift the ban."""
        return int(self.started) + FIRST_BAN


def ban_seconds(last_started: float | None, last_seconds: int, now: float) -> int:
    """Return the duration of a key's next ban in seconds.

    It is twice the duration of the key's last ban, if that ban began within a day. The longest ban is an
    hour.
    """
    if last_started is None or now - last_started >= BANS_REMEMBERED:
        return FIRST_BAN
    return min(last_seconds * 2, LONGEST_BAN)
