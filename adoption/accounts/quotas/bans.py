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
        """Return the ban as it is at ``now``. A ban that a fast clock began can be lifted now."""
        ends = correct_end(now, self.ends, self.ends - int(self.started))
        return self if ends == self.ends else Ban(now - FIRST_BAN, ends)

    @property
    def liftable_from(self) -> int:
        """The Unix time from which staff are allowed to lift the ban."""
        return int(self.started) + FIRST_BAN


def ban_seconds(last_started: float | None, last_seconds: int, now: float) -> int:
    """Return the seconds of a key's next ban: twice those of a ban in the last day, up to an hour."""
    if last_started is None or now - last_started >= BANS_REMEMBERED:
        return FIRST_BAN
    return min(last_seconds * 2, LONGEST_BAN)
