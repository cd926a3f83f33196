"""Cache of how much of a plan limit remains, in each process."""

import threading
import time
from typing import NamedTuple

from flask import current_app

CACHED_SHARE = 16
"""Divisor of the remaining room. A process caches this part of it, so that it need not count each time."""
CACHED_SECONDS = 5
"""How long the cached room is valid. An account cannot use up the rest of its room in this time."""
CACHED_ACCOUNTS_MOST = 10_000
"""Limit of accounts whose room a process caches."""
CACHE_LOCK = threading.Lock()


class RoomKey(NamedTuple):
    """Key of cached room.

    The key includes the limit, so that after a change of plan animals are counted again.
    """

    what: str
    account_id: int
    cap: int


def cached_rooms() -> dict[RoomKey, tuple[int, float]]:
    """Return the cached rooms by key, each with the time when it expires."""
    rooms: dict[RoomKey, tuple[int, float]] = current_app.extensions.setdefault("homeward.rooms", {})
    return rooms


def take_cached_room(key: RoomKey, wanted: int) -> bool:
    """Take cached room. Return whether the cache had enough."""
    with CACHE_LOCK:
        room, until = cached_rooms().get(key, (0, 0))
        if until < time.monotonic() or room < max(wanted, 1):
            return False
        cached_rooms()[key] = (room - wanted, until)
        return True


def take_counted_room(key: RoomKey, wanted: int, left: int) -> bool:
    """Take some of the remaining room, and cache a part of the rest. Return whether enough room remained."""
    with CACHE_LOCK:
        kept = cached_rooms()
        kept.pop(key, None)
        if left < max(wanted, 1):
            return False
        if len(kept) >= CACHED_ACCOUNTS_MOST:
            kept.clear()
        if (room := left // CACHED_SHARE - wanted) > 0:
            kept[key] = (room, time.monotonic() + CACHED_SECONDS)
        return True
