from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield the items in parts of at most ``size``."""
    return (items[start : start + size] for start in range(0, len(items), size))
