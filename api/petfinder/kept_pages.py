"""The positions of pages that were served, so that page numbers need no offset in the database."""

import threading
from collections import OrderedDict
from typing import Any, NamedTuple

KEPT_FOR = 300
"""The seconds for which a page's end is kept."""
PAGES_MOST = 20_000


class Start(NamedTuple):
    """The nearest page whose start is known."""

    page: int
    position: Any


class KeptPages:
    """The position at the start of each page, by query and page number, in this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.starts: OrderedDict[tuple[Any, int], tuple[Any, float]] = OrderedDict()

    def keep(self, query: Any, page: int, position: Any, now: float) -> None:
        with self.lock:
            self.starts[query, page] = position, now + KEPT_FOR
            self.starts.move_to_end((query, page))
            while len(self.starts) > PAGES_MOST:
                self.starts.popitem(last=False)

    def find(self, query: Any, page: int, now: float) -> Start:
        """Return the nearest start at or before this page; the first page has none."""
        with self.lock:
            for number in range(page, 1, -1):
                position, until = self.starts.get((query, number), (None, 0.0))
                if until > now:
                    return Start(number, position)
        return Start(1, None)
