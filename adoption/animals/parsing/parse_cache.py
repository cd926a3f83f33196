"""Cache of parsed cells."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

Read = TypeVar("Read", bound=Callable[..., Any])

TEXT_LONGEST = 100
"""Longest text that is cached. Values that repeat in a column are shorter."""


def kept_by_text(most: int) -> Callable[[Read], Read]:
    """Cache the last ``most`` results of a parser. The key is the text without surrounding blanks."""

    def decorate(function: Read) -> Read:
        kept = lru_cache(maxsize=most)(function)

        @wraps(function)
        def read(text: str, *rest: Any, **named: Any) -> Any:
            text = text.strip()
            return (kept if len(text) <= TEXT_LONGEST else function)(text, *rest, **named)

        read.cache_info = kept.cache_info  # type: ignore[attr-defined]  # the same attribute as of lru_cache
        return cast(Read, read)

    return decorate
