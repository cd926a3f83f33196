"""A small slip in a search is forgiven: a word that nothing begins with stands for those one slip away."""

from collections.abc import Iterator
from datetime import date
from string import ascii_lowercase, digits

from adoption.animals.catalogue import Wanted, counted

SHORTEST = 4
"""Letters of a word that is worth it; almost any three letters are near to something."""
LONGEST = 20
WORDS_MOST = 3
"""Words of a question that may be mistyped: each stands for some thousand others."""
LETTERS = ascii_lowercase + digits


def forgiven(wanted: Wanted, today: date) -> Wanted:
    """What is wanted, with each word that finds nothing by itself replaced by all that it may have been."""
    scope = Wanted(wanted.project_id, wanted.shelter)
    words = list(wanted.words)
    unknown = [n for n, word in enumerate(words) if not counted(scope._replace(words=(word,)), today, most=1)]
    if len(unknown) > WORDS_MOST:
        return wanted
    for n in unknown:
        words[n] = tuple(dict.fromkeys(meant(words[n][0])))
    return wanted._replace(words=tuple(words))


def meant(word: str) -> Iterator[str]:
    """The word itself, and every word that is one missing, doubled, wrong or swapped letter away."""
    yield word
    if not SHORTEST <= len(word) <= LONGEST:
        return
    parts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    for before, after in parts:
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in LETTERS:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
