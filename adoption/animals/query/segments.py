"""The parts of a query: each word or phrase with its meaning."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from adoption.animals.ages import AGE_GROUPS
from adoption.animals.indexed_words import KIND, LOOKS
from adoption.animals.query.breed_nicknames import BREED_NAMES, COLUMN_NAMES, LOOK_NAMES, Words
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
    Meaning,
)
from adoption.search_words import TypedWord, stem_of, typed_words

WORDS_MOST = 50
"""Words of a query that are read. One character can stand for many words, as "㍿" does."""
QUOTED = re.compile(r'["“”„«][^"“”„«»]+["“”»]')
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS.split())}
AGE = re.compile(r"(\d{1,3})([a-z]*)")
MONTHS_BY_UNIT = {
    **dict.fromkeys(("year", "years", "yr", "yrs", "y", "yo", "ano", "anos"), 12.0),
    **dict.fromkeys(("month", "months", "mo", "mos", "m", "mes", "meses"), 1.0),
    **dict.fromkeys(("week", "weeks", "wk", "wks", "semanas"), 0.23),
    **dict.fromkeys(("day", "days"), 0.03),
}
AGE_LEADS = {"under": -0.01, "over": 0.0, "about": 0.0, "around": 0.0}
AGE_ENDS = {"old", "of", "age"}


class Segment(NamedTuple):
    """Neighbouring words of a query that belong together, by their positions."""

    first: int
    end: int
    """The position after the last one."""
    meanings: tuple[Meaning, ...] = ()
    """Filters that the words stand for."""
    ways: Words = ()
    """What shelters write instead."""
    fields: str = ""
    """Where they write it."""
    is_noise: bool = False
    is_excluded: bool = False
    """From a word such as "not" on: what the visitor does not want."""
    is_literal: bool = False
    """Quoted, or a breed's full name: only words."""
    removes: tuple[int, ...] = ()
    """Positions that go with the filter when it is removed; empty for those of the segment."""
    shown: tuple[int, int] | None = None
    """Positions of the words that name the filter; None for those of the segment."""


class Typed(NamedTuple):
    """A query as its words and their stems."""

    text: str
    words: list[TypedWord]
    stems: tuple[str, ...]
    quoted: frozenset[int]
    """Positions of words in quotation marks."""

    @classmethod
    def of(cls, text: str) -> "Typed":
        words = typed_words(text)[:WORDS_MOST]
        spans = [found.span() for found in QUOTED.finditer(text)]
        quoted = frozenset(
            n for n, word in enumerate(words) if any(start < word.start < end for start, end in spans)
        )
        return cls(text, words, tuple(stem_of(word.word) for word in words), quoted)


def segments_of(typed: Typed) -> list[Segment]:
    """Return the query in parts that cover each word once, in order."""
    found: list[Segment] = []
    at = 0
    while at < len(typed.words):
        parts = list(companions_at(typed, at)) or [part_at(typed, at)]
        found += parts
        at = parts[-1].end
    return found


def part_at(typed: Typed, at: int) -> Segment:
    return (
        literal_at(typed, at)
        or negation_at(typed, at)
        or age_at(typed, at)
        or phrase_at(typed, at)
        or word_at(typed, at)
    )


def negation_at(typed: Typed, at: int) -> Segment | None:
    """Return the words from a negation on, such as "not from riverside"; None where it denies nothing."""
    if typed.words[at].word not in NEGATIONS:
        return None
    end = at + 1
    while end < len(typed.words) and not is_negation_ended(typed, end):
        end += 1
    says_nothing = all(word.word in NOISE_WORDS for word in typed.words[at + 1 : end])
    return None if says_nothing else Segment(at, end, is_excluded=True)


def is_negation_ended(typed: Typed, at: int) -> bool:
    between = typed.text[typed.words[at - 1].end : typed.words[at].start]
    return typed.words[at].word in NEGATION_ENDS or any(sign in between for sign in ENDING_SIGNS)


def literal_at(typed: Typed, at: int) -> Segment | None:
    return Segment(at, at + 1, is_literal=True) if at in typed.quoted else None


def word_at(typed: Typed, at: int) -> Segment:
    return Segment(at, at + 1, is_noise=typed.words[at].word in NOISE_WORDS)


def phrase_at(typed: Typed, at: int) -> Segment | None:
    """Return the longest phrase of the tables that begins here."""
    for length in range(LONGEST, 0, -1):
        key, end = typed.stems[at : at + length], at + length
        if end > len(typed.words) or typed.quoted.intersection(range(at, end)):
            continue
        if key in COLUMN_NAMES:
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


def companions_at(typed: Typed, at: int) -> Iterator[Segment]:
    """Yield a segment for each companion of "good with kids and cats" or "cat and dog friendly"."""
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
        meaning = Meaning(COMPANION_WORDS[typed.stems[position]], "yes")
        first, last = (at if n == 0 else who[n - 1] + 1), (end if position == who[-1] else position + 1)
        removed = tuple(range(at, end)) if len(who) == 1 else separable(who, n)
        shown = (position, position + 1) if len(who) > 1 else None
        yield Segment(first, last, (meaning,), removes=removed, shown=shown)


def separable(who: list[int], n: int) -> tuple[int, ...]:
    """Return the positions that go with one of several companions: its own, and the "and" beside it."""
    return tuple(range(who[0], who[1])) if n == 0 else tuple(range(who[n - 1] + 1, who[n] + 1))


def companions_from(typed: Typed, at: int) -> list[int]:
    found = []
    for position in range(at, len(typed.words)):
        if typed.stems[position] in COMPANION_WORDS:
            found.append(position)
        elif typed.words[position].word not in BETWEEN_COMPANIONS:
            break
    return found


def age_at(typed: Typed, at: int) -> Segment | None:
    """Return an age such as "2 year old", "6mo" or "under 1 year"."""
    words = [typed.words[position].word for position in range(at, min(at + 6, len(typed.words)))]
    led = words[0] in AGE_LEADS
    rest = words[1:] if led else words
    found = AGE.fullmatch(str(NUMBERS.get(rest[0], rest[0]))) if rest else None
    if not found:
        return None
    used = 1 if found[2] else 2
    unit = found[2] or (rest[1] if len(rest) > 1 else "")
    if unit not in MONTHS_BY_UNIT:
        return None
    while used < len(rest) and rest[used] in AGE_ENDS:
        used += 1
    months = int(found[1]) * MONTHS_BY_UNIT[unit] + (AGE_LEADS[words[0]] if led else 0)
    end = at + used + led
    return None if typed.quoted.intersection(range(at, end)) else Segment(at, end, (group_of(months),))


def group_of(months: float) -> Meaning:
    return Meaning("age", [group for group, years in AGE_GROUPS.items() if years * 12 <= max(months, 0)][-1])
