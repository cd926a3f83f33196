"""Throttles: limits on attempts in a fixed period.

An attempt is counted before it is made, so parallel attempts cannot exceed the limit. If the attempt
succeeds, the count is undone. A name, such as an email address, is hashed together with the period, so hashes
of different periods cannot be compared. While the quota store is unavailable, each process counts in its own
memory.
"""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from flask import current_app

from adoption.accounts.quotas.configured_storage import the_quota_storage
from adoption.accounts.quotas.limiter_storage import NO_LIMIT
from adoption.errors import TooMany
from adoption.translations import gettext, ngettext

MINUTE, HOUR, DAY = 60, 3_600, 86_400
KEPT_AFTER = HOUR
"""The seconds for which a count is stored after its period, so that a late success can still undo the
count."""


@dataclass(frozen=True)
class Throttle:
    """A limit on the attempts of one name: at most ``most`` attempts in each period of ``seconds``."""

    name: str
    most: int
    seconds: int
    refusal: str = ""
    """The message of TooMany, in which ``{wait}`` is replaced with the time to wait."""

    def take(self, who: str, now: float) -> bool:
        """Count an attempt, and return True. If the limit is reached, count nothing, and return False."""
        return self.change(who, 1, now)

    def give_back(self, who: str, now: float) -> None:
        """Undo the count of an attempt that was counted at ``now``."""
        self.change(who, -1, now)

    def demand(self, who: str, now: float) -> None:
        """Count an attempt. Raises TooMany if the limit is reached."""
        if not self.take(who, now):
            raise self.too_many(now)

    def too_many(self, now: float) -> TooMany:
        seconds = self.ends_in(now)
        return TooMany(gettext(self.refusal).replace("{wait}", wait_in_words(seconds)), seconds)

    def ends_in(self, now: float) -> int:
        """Return the seconds until the end of the period, at least 1."""
        return self.seconds - int(now % self.seconds)

    def change(self, who: str, amount: int, now: float) -> bool:
        kept = self.seconds + KEPT_AFTER
        return the_quota_storage().count(self.key(who, now), amount, self.most, kept, now) is not None

    def key(self, who: str, now: float) -> str:
        secret = current_app.config["SECRET_KEY"].encode()
        named = f"{int(now // self.seconds)} {who.lower()}"
        return f"{self.name}:{hmac.new(secret, named.encode(), hashlib.sha256).hexdigest()[:32]}"

    def without_limit(self) -> "Throttle":
        """Return a throttle that has the same counters but never refuses."""
        return replace(self, most=NO_LIMIT)


class Reservation(NamedTuple):
    """An attempt that several throttles have counted. Each throttle has its own name for the attempt."""

    taken: list[tuple[Throttle, str]]
    now: float

    def give_back(self) -> None:
        for throttle, who in self.taken:
            throttle.give_back(who, self.now)


def reserve(throttles: Iterable[tuple[Throttle, str]], now: float) -> Reservation:
    """Count an attempt in all of these throttles, or in none.

    Raises TooMany if a throttle is at its limit.
    """
    reservation = Reservation([], now)
    for throttle, who in throttles:
        if not throttle.take(who, now):
            reservation.give_back()
            raise throttle.too_many(now)
        reservation.taken.append((throttle, who))
    return reservation


def wait_in_words(seconds: int) -> str:
    """Return the time to wait, in whole minutes."""
    minutes = -(-seconds // MINUTE)
    return ngettext("a minute", "%(num)s minutes", minutes)
