"""Applications for an animal that could have led to its status."""

from datetime import datetime
from random import Random
from typing import Any

DECIDED = {"sold": "completed", "pending": "approved"}
"""The one application that made the animal what it is, by the animal's status."""
OTHERS = {
    "sold": ("declined", "declined", "withdrawn"),
    "pending": ("placed", "placed", "declined", "withdrawn"),
    "available": ("placed", "placed", "placed", "declined", "withdrawn"),
}
"""What the rest may be: once an animal is adopted nobody is left waiting for it."""


def generate_orders(rng: Random, status: str, since: datetime, until: datetime) -> list[dict[str, Any]]:
    """Orders without their ids, by the time they were placed, all between ``since`` and ``until``."""
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
