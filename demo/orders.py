"""Orders for an animal that fit its status."""

from datetime import datetime
from random import Random
from typing import Any

DECIDED = {"sold": "completed", "pending": "approved"}
"""For each status of an animal, the status of the order that led to it."""
OTHERS = {
    "sold": ("declined", "declined", "withdrawn"),
    "pending": ("placed", "placed", "declined", "withdrawn"),
    "available": ("placed", "placed", "placed", "declined", "withdrawn"),
}
"""For each status of an animal, the statuses that other orders can have.

No order for an adopted animal is open.
"""


def generate_orders(rng: Random, status: str, since: datetime, until: datetime) -> list[dict[str, Any]]:
    """Return orders without ids, sorted by time. All times are between ``since`` and ``until``."""
    how_many = int(rng.random() ** 3 * 4)
    statuses = [rng.choice(OTHERS[status]) for _ in range(how_many)]
    if status in DECIDED:
        statuses.insert(int(rng.random() * (how_many + 1)), DECIDED[status])
    placed = sorted(since + rng.random() * (until - since) for _ in statuses)
    return [
        {
            "status": each,
            "created_at": when,
            "updated_at": when if each == "placed" else when + rng.random() * (until - when),
        }
        for each, when in zip(statuses, placed, strict=True)
    ]
