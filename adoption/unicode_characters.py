"""Classes of Unicode characters: controls, bidi controls, noncharacters and invisible characters.

Character classes of regular expressions are written with escapes that Python and ECMA-262 share, so that the
specification document can use them.
"""

import re

CONTROLS = r"\u0000-\u001f\u007f-\u009f"
BIDI_CONTROLS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that change the direction of the text around them (Unicode Standard Annex 9)."""
EMBEDDINGS = r"\u202a-\u202e\u2066-\u2069"
"""Bidi controls that apply until they are closed. In a name, such a control would change the words after the
name."""
NONCHARACTERS = r"\ufdd0-\ufdef\ufffe\uffff"
"""Noncharacters of the basic plane. In each other plane, the last two code points are noncharacters too."""
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
    """Return whether Unicode reserves this code point for internal use, such as U+FFFE."""
    return 0xFDD0 <= ord(letter) <= 0xFDEF or ord(letter) & 0xFFFE == 0xFFFE


def code_point(letter: str) -> str:
    return f"U+{ord(letter):04X}"
