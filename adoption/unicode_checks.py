"""Characters that names cannot have, invisible characters, and Unicode's normal forms.

Classes of a regular expression are written with escapes that Python and ECMA-262 share, so that the
specification document can use them.
"""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Literal

CONTROLS = r"\u0000-\u001f\u007f-\u009f"
BIDI_CONTROLS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""They change the direction of the text around them (Unicode Standard Annex 9)."""
EMBEDDINGS = r"\u202a-\u202e\u2066-\u2069"
"""Bidi controls that apply until they are closed: one in a name changes the words after it."""
NONCHARACTERS = r"\ufdd0-\ufdef\ufffe\uffff"
"""Noncharacters of the basic plane. The last two of each other plane are noncharacters too."""
INVISIBLE = (
    r"\s\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)
"""Blanks, format characters (category Cf), fillers and variation selectors of the basic plane."""

BIDI_CONTROL = re.compile(f"[{BIDI_CONTROLS}]")
EMBEDDING = re.compile(f"[{EMBEDDINGS}]")
VISIBLE = re.compile(
    rf"[^{CONTROLS}{INVISIBLE}\ud800-\udfff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def is_noncharacter(letter: str) -> bool:
    """Report whether Unicode reserves this code point for internal use, such as U+FFFE."""
    return 0xFDD0 <= ord(letter) <= 0xFDEF or ord(letter) & 0xFFFE == 0xFFFE


def code_point(letter: str) -> str:
    return f"U+{ord(letter):04X}"


MARKS_MOST = 30
"""Combining marks that follow one another (Unicode Standard Annex 15, Stream-Safe Text Format)."""
JOINER = "\u034f"
"""The combining grapheme joiner, which has no meaning of its own and ends a run of marks."""
RUN_LOOKED_AT = 13
"""A text without as many marks in a row has no run of more than ``MARKS_MOST``: no mark is decomposed into
more than two characters, and no letter into more than four."""
MARKS_FROM, MARKS_TO = 0x300, 0x20000
"""The range of code points that contains all marks."""


@cache
def long_run() -> re.Pattern[str]:
    marks = (letter for letter in map(chr, range(MARKS_FROM, MARKS_TO)) if marks_in(decomposed(letter)))
    return re.compile(f"[{''.join(marks)}]{{{RUN_LOOKED_AT}}}")


def normal_form(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form, in time that is proportional to its length.

    Python sorts the marks of a run in time proportional to the square of its length, so longer runs are
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
    """Return the number of marks that a decomposed letter begins and ends with; no end for a mark."""
    characters = decomposed(letter)
    leading = marks_in(characters)
    return leading, None if leading == len(characters) else marks_in(characters[::-1])


def decomposed(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter)


def marks_in(letters: str) -> int:
    """Return the number of combining marks before the first other character."""
    return next((n for n, letter in enumerate(letters) if not unicodedata.combining(letter)), len(letters))
