"""Cache of the room that remains below a plan limit, in each process.

Room is the number of animals or of bytes that an account can still add.
"""

import threading
import time
from typing import NamedTuple

from flask import current_app

CACHED_SHARE = 16
"""A process caches the remaining room divided by this number.

With cached room, the process counts less often.
"""
CACHED_SECONDS = 5
"""Seconds for which cached room is valid. An account cannot use up the rest of its room so quickly."""
CACHED_ACCOUNTS_MOST = 10_000
"""Largest number of accounts whose room a process caches."""
CACHE_LOCK = threading.Lock()


class RoomKey(NamedTuple):
    """Key of an account's cached room.

    The key includes the limit. So a change of plan makes the cached room invalid.
    """

    what: str
    account_id: int
    cap: int


def cached_rooms() -> dict[RoomKey, tuple[int, float]]:
    """Return the cached room by key, with the monotonic time at which it expires."""
    rooms: dict[RoomKey, tuple[int, float]] = current_app.extensions.setdefault("homeward.rooms", {})
    return rooms


def take_cached_room(key: RoomKey, wanted: int) -> bool:
    """Take some of the cached room. Return whether the cache had enough room."""
    with CACHE_LOCK:
        room, until = cached_rooms().get(key, (0, 0))
        if until < time.monotonic() or room < max(wanted, 1):
            return False
        cached_rooms()[key] = (room - wanted, until)
        return True


def take_counted_room(key: RoomKey, wanted: int, left: int) -> bool:
    """Take some of the room ``left``, and cache a part of the rest. Return whether enough room was left."""
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
