"""Headers in languages other than English. Words that are alike in two languages count in the file's own."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from itertools import chain

from adoption.animals.spreadsheets.column_meanings import PHOTOS
from adoption.animals.spreadsheets.languages import LANGUAGES
from adoption.animals.spreadsheets.text_cleanup import letters

Spoken = Mapping[int, int]
"""How many headers of a file are of each language, by its place in ``LANGUAGES``."""

STRONG: dict[str, set[int]] = defaultdict(set)
"""The languages in which a header cannot mean anything else."""
HEADERS: dict[str, dict[int, str]] = defaultdict(dict)
"""The meaning of a header in each language."""

for number, language in enumerate(LANGUAGES):
    weak = {letters(word) for word in language.weak.split("|")}
    for meaning, words in language.headers.items():
        for name in map(letters, words.split("|")):
            HEADERS[name][number] = meaning
            if name not in weak:
                STRONG[name].add(number)

FOREIGN_PHOTOS = frozenset(name for name, meanings in HEADERS.items() if PHOTOS in meanings.values())


def languages_in(names: Iterable[str], english: Container[str]) -> Spoken:
    """Return the languages of a file's headers. Only words that are not English count."""
    foreign = [name for name in names if name not in english]
    strong = set(chain.from_iterable(STRONG.get(name, ()) for name in foreign))
    return {number: sum(number in HEADERS.get(name, ()) for name in foreign) for number in strong}


def is_foreign_status(name: str) -> bool:
    """Return whether a header means a status in some language, whatever language the file is in."""
    return not {"status", "outcome"}.isdisjoint(HEADERS.get(name, {}).values())


def foreign_meaning(name: str, spoken: Spoken) -> str | None:
    """Return the meaning of a header in the language that most headers of the file are of."""
    meanings = {number: meaning for number, meaning in HEADERS.get(name, {}).items() if number in spoken}
    if not meanings:
        return None
    most = max(spoken[number] for number in meanings)
    found = {meaning for number, meaning in meanings.items() if spoken[number] == most}
    meaning = found.pop() if len(found) == 1 else ""
    return meaning if meaning not in ("", PHOTOS) else None
