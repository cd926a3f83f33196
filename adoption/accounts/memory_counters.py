"""Counters in memory, used while the quota store cannot be reached."""

from threading import Lock

KEPT = 20_000
"""Counters at a time. The oldest is dropped for a new one, so that no flood of names fills the memory."""


class MemoryCounters:
    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.counters: dict[str, tuple[int, float]] = {}
        self.lock = Lock()

    def change(self, key: str, amount: int, most: int, seconds: int, now: float) -> int | None:
        """Add to a counter, and return the new count; None if that would exceed ``most``."""
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
        """Return a counter and when it expires; zero and ``now`` if there is none."""
        count, ends = self.counters.get(key, (0, now))
        return (count, ends) if ends > now else (0, now)
