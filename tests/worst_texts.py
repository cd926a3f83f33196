"""Texts that are slow to process without limits, and measurements of the cost."""

import time
from collections.abc import Callable, Mapping

# Each run of marks has a lower combining class than the one before, so that sorting moves every mark.
FALLING_MARKS = "\u0345\u0315\u0301\u031b\u0323\u0327\u0652\u064b\u05b0\u0334"


def falling(length: int) -> str:
    return "a" + "".join(mark * (length // len(FALLING_MARKS)) for mark in FALLING_MARKS)


def repeated(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    return lambda length: head + unit * (length // len(unit)) + tail


TEXTS: Mapping[str, Callable[[int], str]] = {
    "combining marks": falling,
    "marks inside of letters": repeated("\u0f73", "a"),
    "marks of half width": repeated("\u0301\uff9e", "a"),
    "digits": repeated("9", tail="x"),
    "blanks": repeated(" ", "1", "x"),
    "a date and blanks": repeated(" ", "2020-01-01", "x"),
    "brackets": repeated("("),
    "pictures": repeated("![a"),
    "entities": repeated("a&"),
    "a ligature": repeated("\ufdfa"),
    "joined emoji": repeated("\U0001f469\u200d"),
    "fractions": repeated("1/"),
    "dots": repeated(".", "a", "b"),
    "commas": repeated(",", "a", "b"),
    "hyphens": repeated("-", "1", "x"),
    "line breaks": repeated("\n", "a", "b"),
    "blank lines": repeated(" \n", "a", "b"),
    "tags": repeated("<a "),
    "at signs": repeated("a@"),
    "words": repeated("a "),
    "noes": repeated("no "),
    "fees": repeated("Adoption Fee:"),
    "places": repeated("Current Location:"),
    "apostrophes": repeated("'", "'", "x"),
    "surrogates": repeated("\u00e9\ufffd"),
    "fullwidth": repeated("\uff41\u3000"),
}

TIMES = 4
"""The ratio of the lengths of the two texts."""
ROOM = 2.5
"""The largest allowed ratio of the cost's growth to the text's growth.

For quadratic cost, the ratio is ``TIMES``.
"""


def seconds_for(work: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    work(text)
    return time.process_time() - begun


def is_bounded(
    work: Callable[[str], object], make: Callable[[int], str], size: int, harmless: float | None = None
) -> bool:
    """Return whether the cost grows no faster than the text of ``size`` characters.

    A text is also fine if it costs about as much as a harmless text of the same length, which took
    ``harmless`` seconds.
    """
    # Other processes may disturb a single try.
    return any(is_like_others(work, make, size, harmless, tries) for tries in (1, 3))


def is_like_others(
    work: Callable[[str], object], make: Callable[[int], str], size: int, harmless: float | None, tries: int
) -> bool:
    def least(text: str) -> float:
        return min(seconds_for(work, text) for _ in range(tries))

    large = least(make(size))
    most = ROOM * TIMES * (least("a" * size) if harmless is None else harmless)
    return large <= most or large <= ROOM * TIMES * least(make(size // TIMES))
