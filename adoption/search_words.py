"""Words for searching: texts and queries in the same form on every database."""

import re
import unicodedata
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import snowballstemmer

from adoption.unicode_normalization import JOINER, normal_form

# A word has letters, digits and symbols (emoji are symbols, and marks stay with their letter). Everything
# else separates words. Scripts without spaces have a word for each letter.
SPACELESS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
WORD = re.compile(
    rf"[{SPACELESS}]|[^\W_{SPACELESS}]+|[^\w\s\u0000-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f]"
)

WORD_LONGEST = 40
"""Letters of a word that count. PostgreSQL stores 2,046 bytes of a word at most."""
FOLDED_LONGEST = 40_000
"""Characters of a folded text at most. No field has as many."""


def fold_text(text: str) -> str:
    """Return text without case, accents and compatibility forms (Unicode NFKD)."""
    if text.isascii():
        return text.lower()
    # One character can become 18 others, as U+FDFA does.
    parts = normal_form("NFKD", text.casefold())[:FOLDED_LONGEST]
    return "".join(letter for letter in parts if not unicodedata.combining(letter) and letter != JOINER)


def words_in(text: str) -> list[str]:
    """Return the words of a text in their order, folded."""
    return [word[:WORD_LONGEST] for word in WORD.findall(fold_text(text))]


class TypedWord(NamedTuple):
    """A word of a query, folded, with its place in the text as typed."""

    word: str
    start: int
    end: int


def typed_words(text: str) -> list[TypedWord]:
    """Return the words of a text with their places in it."""
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

    Python does it for both databases, because the stemmers of SQLite and PostgreSQL differ.
    """
    if not word.isascii() or not word.isalpha():
        return word
    with _one_at_a_time:  # the stemmer has state
        return str(_stemmer.stemWord(word))
