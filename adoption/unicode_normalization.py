"""Unicode's normal forms, in linear time for texts with long runs of combining marks."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Literal

MARKS_MOST = 30
"""The maximum of combining marks in a row (Unicode Standard Annex 15, Stream-Safe Text Format)."""


JOINER = "\u034f"
"""The combining grapheme joiner, which has no meaning of its own and ends a run of marks."""


RUN_LOOKED_AT = 13
"""A run of fewer marks cannot exceed ``MARKS_MOST`` when it is decomposed. A mark is decomposed into at most
two characters, and a letter into at most four."""


MARKS_FROM, MARKS_TO = 0x300, 0x20000
"""The range of code points that contains all marks."""


@cache
def long_run() -> re.Pattern[str]:
    marks = (letter for letter in map(chr, range(MARKS_FROM, MARKS_TO)) if marks_in(decomposed(letter)))
    return re.compile(f"[{''.join(marks)}]{{{RUN_LOOKED_AT}}}")


def normal_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form. The time is proportional to the length of the text.

    Python's time for sorting the marks of a run grows with the square of the run's length, so long runs are
    divided first.
    """
    if text.isascii():
        return text
    return unicodedata.normalize(form, stream_safe(text) if long_run().search(text) else text)


def stream_safe(text: str) -> str:
    """Return the text with a joiner in each run of more than ``MARKS_MOST`` marks (UAX 15, section 13)."""
    parts: list[str] = []
    run = 0
    for letter in text:
        leading, trailing = marks_around(letter)
        if run + leading > MARKS_MOST:
            parts.append(JOINER)
            run = 0
        run = run + leading if trailing is None else trailing
        parts.append(letter)
    return "".join(parts)


@lru_cache(maxsize=2_000)
def marks_around(letter: str) -> tuple[int, int | None]:
    """Return the numbers of marks at the start and at the end of a decomposed letter.

    If the letter itself is a mark, the second number is None.
    """
    characters = decomposed(letter)
    leading = marks_in(characters)
    return leading, None if leading == len(characters) else marks_in(characters[::-1])


def decomposed(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter)


def marks_in(letters: str) -> int:
    """Return the number of combining marks at the start of a text."""
    return next((n for n, letter in enumerate(letters) if not unicodedata.combining(letter)), len(letters))
