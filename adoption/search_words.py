"""Search words: the words of texts and of queries, in the same form on every database."""

import re
import unicodedata
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import snowballstemmer

from adoption.unicode_normalization import JOINER, normal_form

# A word consists of letters, digits and symbols. Emoji are symbols, and marks stay with their letter. All
# other characters separate words. In scripts without spaces, each letter is a word.
SPACELESS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
WORD = re.compile(
    rf"[{SPACELESS}]|[^\W_{SPACELESS}]+|[^\w\s\u0000-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f]"
)

WORD_LONGEST = 40
"""The maximum characters of a word that count. PostgreSQL stores at most 2,046 bytes of a word."""
FOLDED_LONGEST = 40_000
"""The maximum characters of a folded text. No field is as long."""


def fold_text(text: str) -> str:
    """Return text without case, accents and compatibility forms (Unicode NFKD)."""
    if text.isascii():
        return text.lower()
    # One character can become 18 characters, as U+FDFA does.
    parts = normal_form("NFKD", text.casefold())[:FOLDED_LONGEST]
    return "".join(letter for letter in parts if not unicodedata.combining(letter) and letter != JOINER)


def words_in(text: str) -> list[str]:
    """Return the folded words of a text, in the order of the text."""
    return [word[:WORD_LONGEST] for word in WORD.findall(fold_text(text))]


class TypedWord(NamedTuple):
    """A folded word of a query, with its position in the typed text."""

    word: str
    start: int
    end: int


def typed_words(text: str) -> list[TypedWord]:
    """Return the folded words of a text, with their positions in the text."""
    letters, places = [], []
    for place, letter in enumerate(text):
        for part in fold_text(letter):
            letters.append(part)
            places.append(place)
    return [
        TypedWord(found[0][:WORD_LONGEST], places[found.start()], places[found.end() - 1] + 1)
        for found in WORD.finditer("".join(letters))
    ]


_stemmer = snowballstemmer.stemmer("english")
_one_at_a_time = Lock()


@lru_cache(maxsize=100_000)
def stem_of(word: str) -> str:
    """Return the English stem of a folded word, such as "puppi" of "puppies" and "puppy".

    Words are stemmed in Python for both databases, because the stemmers of SQLite and PostgreSQL differ.
    """
    if not word.isascii() or not word.isalpha():
        return word
    with _one_at_a_time:  # the stemmer has state
        return str(_stemmer.stemWord(word))
