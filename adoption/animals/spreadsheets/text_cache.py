"""Results that are kept by the text of a cell."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

Read = TypeVar("Read", bound=Callable[..., Any])

TEXT_LONGEST = 100
"""Characters of a text that is kept. What repeats in a column is shorter."""


def kept_by_text(most: int) -> Callable[[Read], Read]:
    """Keep the last ``most`` results of a function of a text, by the text without blanks around it."""

    def decorate(function: Read) -> Read:
        kept = lru_cache(maxsize=most)(function)

        @wraps(function)
        def read(text: str, *rest: Any, **named: Any) -> Any:
            text = text.strip()
            return (kept if len(text) <= TEXT_LONGEST else function)(text, *rest, **named)

        read.cache_info = kept.cache_info  # type: ignore[attr-defined]  # as functions with lru_cache have it
        return cast(Read, read)

    return decorate
