"""How often somebody has come within some time, counted in the quota store under names that tell nobody."""

import hashlib
import hmac

from flask import current_app

from adoption.accounts.plans import Quota
from adoption.accounts.quota_stores import the_quotas
from adoption.accounts.quotas import QuotaStore
from adoption.errors import Unavailable

HOUR = 3_600
ANY = Quota(2**31, 2**31)


class Counter:
    """Counts within periods of the clock, under hashes that cannot be told from one period to the next.

    Where nothing can be counted, nothing is too many: nobody is turned away for our store's sake.
    """

    def __init__(self, store: QuotaStore, secret: str, what: str, seconds: int = HOUR) -> None:
        self.store, self.secret, self.what, self.seconds = store, secret, what, seconds

    def too_many(self, kind: str, who: str, most: int, now: float) -> bool:
        """Count one more, of ``most`` in a period."""
        try:
            return not self.store.admit(self.subject(kind, who, now), Quota(most, most), None, now).admitted
        except Unavailable:
            return False

    def count(self, kind: str, who: str, now: float) -> None:
        """Count one more, however many there are."""
        self.too_many(kind, who, ANY.per_day, now)

    def counted(self, kind: str, who: str, now: float) -> int:
        """How many there are in this period."""
        try:
            return self.store.standing(self.subject(kind, who, now), now).day_used
        except Unavailable:
            return 0

    def ends_in(self, now: float) -> int:
        """Seconds until the period is over."""
        return self.seconds - int(now % self.seconds)

    def subject(self, kind: str, who: str, now: float) -> str:
        told = f"{kind} {int(now // self.seconds)} {who.lower()}"
        return f"{self.what}:{hmac.new(self.secret.encode(), told.encode(), hashlib.sha256).hexdigest()}"


def counter_of(what: str, seconds: int = HOUR) -> Counter:
    """A counter of the running service."""
    return Counter(the_quotas(), current_app.config["SECRET_KEY"], what, seconds)
