"""Recognition of headers in languages other than English.

An ambiguous word counts only in the file's own language.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from itertools import chain

from adoption.animals.parsing.spreadsheet_words import LANGUAGES
from adoption.animals.parsing.text_cleanup import letters
from adoption.spreadsheets.columns.column_meanings import PHOTOS

Spoken = Mapping[int, int]
"""The number of a file's headers in each language. The key is the language's index in ``LANGUAGES``."""

STRONG: dict[str, set[int]] = defaultdict(set)
"""The languages in which each header is unambiguous, by header."""
HEADERS: dict[str, dict[int, str]] = defaultdict(dict)
"""The meaning of each header in each language, by header and language."""

for number, language in enumerate(LANGUAGES):
    weak = {letters(word) for word in language.weak.split("|")}
    for meaning, words in language.headers.items():
        for name in map(letters, words.split("|")):
            HEADERS[name][number] = meaning
            if name not in weak:
                STRONG[name].add(number)

FOREIGN_PHOTOS = frozenset(name for name, meanings in HEADERS.items() if PHOTOS in meanings.values())


def languages_in(names: Iterable[str], english: Container[str]) -> Spoken:
    """Return the languages of a file's headers. Headers that are also English do not count."""
    foreign = [name for name in names if name not in english]
    strong = set(chain.from_iterable(STRONG.get(name, ()) for name in foreign))
    return {number: sum(number in HEADERS.get(name, ()) for name in foreign) for number in strong}


def is_foreign_status(name: str) -> bool:
    """Return whether a header means a status in some language."""
    return not {"status", "outcome"}.isdisjoint(HEADERS.get(name, {}).values())


def foreign_meaning(name: str, spoken: Spoken) -> str | None:
    """Return the meaning of a header in the file's main language; None if the header has no clear meaning.

    The main language is the language of most headers. Only languages with this header are compared.
    """
    meanings = {number: meaning for number, meaning in HEADERS.get(name, {}).items() if number in spoken}
    if not meanings:
        return None
    most = max(spoken[number] for number in meanings)
    found = {meaning for number, meaning in meanings.items() if spoken[number] == most}
    meaning = found.pop() if len(found) == 1 else ""
    return meaning if meaning not in ("", PHOTOS) else None
