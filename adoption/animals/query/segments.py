"""The parts of a query: words and phrases with their meaning."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from adoption.animals.indexed_words import KIND, LOOKS
from adoption.animals.query.age_phrases import WORDS_MOST as AGE_WORDS_MOST
from adoption.animals.query.age_phrases import age_at_start
from adoption.animals.query.filter_words import (
    BETWEEN_COMPANIONS,
    BREED_PHRASES,
    COMPANION_WORDS,
    ENDING_SIGNS,
    FRIENDLY,
    GETS_ON_PHRASES,
    LONGEST,
    MEANINGS,
    NEGATION_ENDS,
    NEGATIONS,
    NOISE_WORDS,
    FilterMeaning,
)
from adoption.animals.query.synonyms import (
    BREED_NAMES,
    COLUMN_NAMES,
    LOOK_NAMES,
    NO_COLUMNS,
    Words,
)
from adoption.search_words import TypedWord, stem_of, typed_words

SIGNS = {"<": ["under"], ">": ["over"]}
WORDS_MOST = 50
"""Limit of words that are read from a query. One character can expand to several words, as "㍿" does."""
QUOTED = re.compile(r'["“”„«][^"“”„«»]+["“”»]')


class Segment(NamedTuple):
    """Neighbouring words of a query that belong together. The words are given by their positions."""

    first: int
    end: int
    """The position after the last word."""
    meanings: tuple[FilterMeaning, ...] = ()
    """Filters that the words mean."""
    ways: Words = ()
    """The words that shelters write instead of a synonym."""
    fields: str = ""
    """The fields in which shelters write these words."""
    is_noise: bool = False
    is_excluded: bool = False
    """Whether the words say what the visitor does not want. Such words start with "not" or a similar word."""
    age_groups: tuple[str, ...] = ()
    """The age groups that an age such as "under 2 years" includes, if it includes several."""
    is_literal: bool = False
    """Whether the words are quoted or a breed's full name. Such words are searched for but mean no filter."""
    removes: tuple[int, ...] = ()
    """Positions of the words to remove together with the filter.

    If empty, the segment's words are removed.
    """
    shown: tuple[int, int] | None = None
    """Positions of the words to show for the filter. None means the segment's words."""


class TypedQuery(NamedTuple):
    """A query as words and word stems."""

    text: str
    words: list[TypedWord]
    stems: tuple[str, ...]
    quoted: frozenset[int]
    """Positions of words in quotation marks."""

    @classmethod
    def of(cls, text: str) -> "TypedQuery":
        words = typed_words(text)[:WORDS_MOST]
        spans = [found.span() for found in QUOTED.finditer(text)]
        quoted = frozenset(
            n for n, word in enumerate(words) if any(start < word.start < end for start, end in spans)
        )
        return cls(text, words, tuple(stem_of(word.word) for word in words), quoted)


def segments_of(typed: TypedQuery) -> list[Segment]:
    """Return the segments of the query in order. Each word is in exactly one segment."""
    found: list[Segment] = []
    at = 0
    while at < len(typed.words):
        parts = list(companions_at(typed, at)) or [part_at(typed, at)]
        found += parts
        at = parts[-1].end
    return found


def part_at(typed: TypedQuery, at: int) -> Segment:
    return (
        literal_at(typed, at)
        or negation_at(typed, at)
        or age_at(typed, at)
        or phrase_at(typed, at)
        or word_at(typed, at)
    )


def negation_at(typed: TypedQuery, at: int) -> Segment | None:
    """Return the words from a negation on, such as "not from riverside"; None if no words are negated.

    "Non" negates only the next word, as in "non shedding dog".
    """
    negation = typed.words[at].word
    if negation not in NEGATIONS:
        return None
    last = at + 2 if negation == "non" else len(typed.words)
    end = at + 1
    while end < min(last, len(typed.words)) and not is_negation_ended(typed, end):
        end += 1
    says_nothing = all(word.word in NOISE_WORDS for word in typed.words[at + 1 : end])
    return None if says_nothing else Segment(at, end, is_excluded=True)


def is_negation_ended(typed: TypedQuery, at: int) -> bool:
    between = typed.text[typed.words[at - 1].end : typed.words[at].start]
    return typed.words[at].word in NEGATION_ENDS or any(sign in between for sign in ENDING_SIGNS)


def literal_at(typed: TypedQuery, at: int) -> Segment | None:
    return Segment(at, at + 1, is_literal=True) if at in typed.quoted else None


def word_at(typed: TypedQuery, at: int) -> Segment:
    return Segment(at, at + 1, is_noise=typed.words[at].word in NOISE_WORDS)


def phrase_at(typed: TypedQuery, at: int) -> Segment | None:
    """Return the longest phrase from the tables that starts at this position."""
    for length in range(LONGEST, 0, -1):
        key, end = typed.stems[at : at + length], at + length
        if end > len(typed.words) or typed.quoted.intersection(range(at, end)):
            continue
        if key in COLUMN_NAMES and typed.words[at].word not in NO_COLUMNS:
            return Segment(at, end, ways=COLUMN_NAMES[key], fields=LOOKS)
        if key in BREED_NAMES:
            return Segment(at, end, ways=BREED_NAMES[key], fields=KIND)
        if key in BREED_PHRASES:
            return Segment(at, end, is_literal=True)
        if key in MEANINGS:
            return Segment(at, end, meanings=MEANINGS[key])
        if key in LOOK_NAMES:
            return Segment(at, end, ways=LOOK_NAMES[key], fields=LOOKS)
    return None


def companions_at(typed: TypedQuery, at: int) -> Iterator[Segment]:
    """Yield a segment for each companion, as in "good with kids and cats" or "cat and dog friendly"."""
    lead = next((len(each) for each in GETS_ON_PHRASES if typed.stems[at : at + len(each)] == each), 0)
    who = companions_from(typed, at + lead)
    if not who or typed.quoted.intersection(range(at, who[-1] + 1)):
        return
    end = who[-1] + 1
    if not lead:
        if end >= len(typed.words) or typed.words[end].word not in FRIENDLY:
            return
        end += 1
    for n, position in enumerate(who):
        meaning = FilterMeaning(COMPANION_WORDS[typed.stems[position]], "yes")
        first, last = (at if n == 0 else who[n - 1] + 1), (end if position == who[-1] else position + 1)
        removed = tuple(range(at, end)) if len(who) == 1 else separable(who, n)
        shown = (position, position + 1) if len(who) > 1 else None
        yield Segment(first, last, (meaning,), removes=removed, shown=shown)


def separable(who: list[int], n: int) -> tuple[int, ...]:
    """Return the positions of the words to remove with companion ``n``.

    The words are the companion's own words, and the "and" beside the companion.
    """
    return tuple(range(who[0], who[1])) if n == 0 else tuple(range(who[n - 1] + 1, who[n] + 1))


def companions_from(typed: TypedQuery, at: int) -> list[int]:
    found = []
    for position in range(at, len(typed.words)):
        if typed.stems[position] in COMPANION_WORDS:
            found.append(position)
        elif typed.words[position].word not in BETWEEN_COMPANIONS:
            break
    return found


def age_at(typed: TypedQuery, at: int) -> Segment | None:
    """Return an age such as "2 year old". An age within one age group is a filter."""
    lead = sign_in_words(typed, at)
    found = age_at_start([*lead, *(word.word for word in typed.words[at : at + AGE_WORDS_MOST])])
    if found is None:
        return None
    end, groups = at + found[0] - len(lead), found[1]
    if typed.quoted.intersection(range(at, end)):
        return None
    if len(groups) == 1:
        return Segment(at, end, (FilterMeaning("age", groups[0]),))
    return Segment(at, end, age_groups=groups)


def sign_in_words(typed: TypedQuery, at: int) -> list[str]:
    """Return the words for the sign next to a number, as in "3+ years", "<2 years" and ">8 years"."""
    word = typed.words[at]
    before, after = typed.text[: word.start].rstrip()[-1:], typed.text[word.end : word.end + 1]
    return SIGNS.get(before) or (["at", "least"] if after == "+" else [])
