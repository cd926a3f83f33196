from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield the items in batches of at most ``size``."""
    return (items[start : start + size] for start in range(0, len(items), size))


IDS_AT_ONCE = 10_000
"""The maximum of ids in one statement. SQLite allows 32,766 parameters."""


def id_batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the ids in batches of at most ``IDS_AT_ONCE``."""
    return batches(ids, IDS_AT_ONCE)
