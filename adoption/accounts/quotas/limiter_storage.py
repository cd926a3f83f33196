"""The storage of flask-limiter, with quotas, bans, and counters of attempts.

Two functions are missing in the storages of ``limits``. A plan's quota has to count two windows in one atomic
step. Undoing a successful attempt works only if counters stop at their limit.
"""

import logging
import time
from abc import abstractmethod
from collections.abc import Iterable
from threading import Lock

from limits.storage import Storage

from adoption.accounts.plans import Quota
from adoption.accounts.quotas.bans import Ban
from adoption.accounts.quotas.windows import QuotaWindows, Verdict
from adoption.errors import Unavailable

log = logging.getLogger("homeward.quotas")

NO_LIMIT = 2**31


MEMORY_COUNTERS = 20_000
"""The maximum number of counters in memory. If there are more names, each new counter replaces the oldest
counter, so that the memory does not fill up."""


class MemoryCounters:
    """Counters in memory, used while the quota store is unreachable."""

    def __init__(self, kept: int = MEMORY_COUNTERS) -> None:
        self.kept = kept
        self.counters: dict[str, tuple[int, float]] = {}
        self.lock = Lock()

    def change(self, key: str, amount: int, most: int, seconds: int, now: float) -> int | None:
        """Add to a counter. Return the new count; None, without a change, if it would exceed ``most``."""
        with self.lock:
            count, ends = self.read(key, now)
            if count + amount > most:
                return None
            if key not in self.counters and len(self.counters) >= self.kept:
                del self.counters[next(iter(self.counters))]
            changed = max(0, count + amount)
            self.counters[key] = changed, ends if ends > now else now + seconds
            return changed

    def read(self, key: str, now: float) -> tuple[int, float]:
        """Return the count and the expiry of a counter. For an unknown counter, return zero and ``now``."""
        count, ends = self.counters.get(key, (0, now))
        return (count, ends) if ends > now else (0, now)


class QuotaStorage(Storage):
    """A storage for ``limits``.

    While the store is unreachable, attempts are counted in this process's memory, and quotas raise
    Unavailable.
    """

    base_exceptions = Unavailable

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        self.fallback = MemoryCounters()
        self.counts_in_memory = False

    @abstractmethod
    def admit(self, subject: str, quota: Quota, key_id: int | None, now: float) -> Verdict:
        """Admit and count a request of ``subject``, or refuse the request. A refusal can ban the key.

        If the key is banned, the request is refused and not counted. Raises Unavailable if the store is
        unreachable.
        """

    @abstractmethod
    def give_back(self, subject: str, now: float) -> None:
        """Undo the count of an admitted request, because another limit refused the request.

        Raises Unavailable if the store is unreachable.
        """

    @abstractmethod
    def windows_of(self, subject: str, now: float) -> QuotaWindows:
        """Return a subject's windows without counting a request.

        Raises Unavailable if the store is unreachable.
        """

    @abstractmethod
    def bans_of(self, key_ids: Iterable[int], now: float) -> dict[int, Ban]:
        """Return the current bans of these keys, by key id. Raises Unavailable if the store is
        unreachable."""

    @abstractmethod
    def lift_ban(self, key_id: int, now: float) -> None:
        """End a key's ban. If the next ban begins within a day, it is still longer than this ban.

        Raises Unavailable if the store is unreachable.
        """

    @abstractmethod
    def change_counter(self, key: str, amount: int, most: int, seconds: int, now: float) -> int | None:
        """Add to a counter, and return the new count.

        If the count would exceed ``most``, change nothing, and return None.

        A counter expires ``seconds`` after its first change. Raises Unavailable if the store is unreachable.
        """

    @abstractmethod
    def read_counter(self, key: str, now: float) -> tuple[int, float]:
        """Return the count and the expiry of a counter. For an unknown counter, return zero and ``now``.

        Raises Unavailable if the store is unreachable.
        """

    @abstractmethod
    def require_available(self) -> None:
        """Raise Unavailable if the storage cannot count now."""

    @abstractmethod
    def close(self) -> None:
        """Close the connections. The next call opens new ones."""

    def count(self, key: str, amount: int, most: int, seconds: int, now: float) -> int | None:
        """Change a counter. While the storage is unavailable, change a counter in memory."""
        try:
            count = self.change_counter(key, amount, most, seconds, now)
        except Unavailable as error:
            if not self.counts_in_memory:
                self.counts_in_memory = True
                log.warning(
                    "The quota store cannot be reached: %s. Meanwhile, each process counts sign-in "
                    "attempts and similar requests in its own memory.",
                    error.__cause__ or error,
                )
            return self.fallback.change(key, amount, most, seconds, now)
        self.counts_in_memory = False
        return count

    # The interface of ``limits``

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a counter that has no limit."""
        return self.count(key, amount, NO_LIMIT, expiry, time.time()) or 0

    def get(self, key: str) -> int:
        return self.read_or_fall_back(key)[0]

    def get_expiry(self, key: str) -> float:
        return self.read_or_fall_back(key)[1]

    def read_or_fall_back(self, key: str) -> tuple[int, float]:
        now = time.time()
        try:
            return self.read_counter(key, now)
        except Unavailable:
            return self.fallback.read(key, now)

    def check(self) -> bool:
        try:
            self.require_available()
        except Unavailable:
            return False
        return True

    def reset(self) -> int | None:
        raise NotImplementedError

    def clear(self, key: str) -> None:
        self.count(key, -NO_LIMIT, NO_LIMIT, 1, time.time())
