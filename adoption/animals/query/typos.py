"""Typo tolerance. A word without matches is replaced by names and breeds with a similar spelling."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from string import ascii_lowercase, digits
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.elements import ColumnElement

from adoption.accounts.quotas.throttles import MINUTE, Throttle
from adoption.animals.catalogue import (
    CatalogueFilters,
    Shape,
    apply_filters,
    count_up_to,
    query_values,
    shape_of,
)
from adoption.animals.full_text_queries import Piece, Term, found_id
from adoption.animals.indexed_words import KIND, NAME, joined_neighbours
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.search_words import words_in
from adoption.storage.prepared_statements import Prepared

LONGEST = 12
"""Length of the longest word that is corrected."""
TWO_TYPOS_FROM = 7
"""Length of the shortest word in which two typos are corrected. In shorter words, one typo is corrected."""
BEGINNINGS = (4, 3, 2)
"""Numbers of letters at the start of a word that are assumed to be correct.

The numbers are tried in order, until a known word with the same first letters is similar enough.
"""
LOOKED_AT = 1_000
"""Limit of animals, newest first, whose names and breeds are compared."""
CORRECTIONS = Throttle("typos", 20, MINUTE)
"""Limit of corrected queries per network address. No person types as many queries."""

Columns = tuple[ColumnElement[Any] | InstrumentedAttribute[Any], ...]
NAMES_AND_BREEDS: Columns = (Animal.name, Animal.breed_primary, Animal.breed_secondary)
INDEXED_FIRST: Columns = (func.substr(Animal.words, 1, 4_000),)
"""The start of an animal's indexed words, which includes its name and breeds."""

Places = Callable[[str], Mapping[str, Sequence[int]]]
"""A function that returns words with a given beginning from the names and towns of shelters.

Each word has the ids of its projects.
"""


def may_be_corrected(wanted: CatalogueFilters, address: str, now: float) -> bool:
    """Count a query without results. Return whether its typos are corrected.

    Correction is the most expensive search, so each network address has a limit.
    """
    has_typo = any(0 < len(term.typo) <= LONGEST for term in wanted.words)
    return has_typo and CORRECTIONS.take(address, now)


def corrected(wanted: CatalogueFilters, today: date, places: Places) -> CatalogueFilters:
    """Return the filters after replacing the only unmatched word with similar names and breeds.

    If several words are unmatched, the filters are returned unchanged, because each word would need several
    searches.
    """
    scope = CatalogueFilters(wanted.project_id, wanted.shelter)
    words = list(wanted.words)
    unknown = unknown_words(words, scope, today)
    first = next(unknown, None)
    if first is None or next(unknown, None) is not None:
        return wanted
    near = near_words(words[first].typo, scope, today)
    projects = near_projects(words[first].typo, places)
    if near or projects:
        words[first] = Term(tuple((Piece(word, False, NAME + KIND),) for word in near), projects)
    return wanted._replace(words=tuple(words))


def unknown_words(words: Sequence[Term], scope: CatalogueFilters, today: date) -> Iterator[int]:
    """Yield the index of each term that has no matches and is possibly a typo."""
    for n, term in enumerate(words):
        if term.typo and not count_up_to(scope._replace(words=(term,)), today, most=1):
            yield n


def near_projects(typed: str, places: Places) -> tuple[int, ...]:
    """Return the projects whose name or town has the word most similar to ``typed``."""
    most = 2 if len(typed) >= TWO_TYPOS_FROM else 1
    known = places(typed[: BEGINNINGS[-1]]) if len(typed) <= LONGEST else {}
    distances = {word: distance_between(typed, word, most) for word in known}
    nearest = min(distances.values(), default=most + 1)
    if nearest > most:
        return ()
    return tuple(sorted({id_ for word, far in distances.items() if far == nearest for id_ in known[word]}))


def near_words(typed: str, scope: CatalogueFilters, today: date) -> list[str]:
    """Return the most similar words in names and breeds.

    If no word is similar, return the words that differ only in one of the first letters.
    """
    if len(typed) > LONGEST:
        return []
    most = 2 if len(typed) >= TWO_TYPOS_FROM else 1
    compared: set[str] = set()
    for length in BEGINNINGS:
        known = known_words(typed[:length], scope, today)
        by_distance: dict[int, list[str]] = {}
        for word in known.words - compared:
            if (distance := distance_between(typed, word, most)) <= most:
                by_distance.setdefault(distance, []).append(word)
        if by_distance:
            return sorted(by_distance[min(by_distance)])
        compared |= known.words
    # The loop has compared all words with the same first two letters, unless too many animals have such
    # words.
    letters = BEGINNINGS[-1] if known.are_all else BEGINNINGS[-1] + 1
    return indexed_among(set(typos_at_beginning(typed, letters)), scope, today)


class Known(NamedTuple):
    """Words of names and breeds."""

    words: set[str]
    are_all: bool
    """Whether the words of all animals are included."""


def known_words(beginning: str, scope: CatalogueFilters, today: date) -> Known:
    """Return the words with this beginning from public animals' names and breeds."""
    rows = newest_with((Piece(beginning, True, NAME + KIND),), NAMES_AND_BREEDS, scope, today)
    words = {word for text in {text for row in rows for text in row if text} for word in words_of_text(text)}
    return Known({word for word in words if word.startswith(beginning)}, len(rows) < LOOKED_AT)


@lru_cache(maxsize=5_000)
def words_of_text(text: str) -> tuple[str, ...]:
    """Return the words of a name or breed, and also each pair of neighbouring words as one word."""
    words = words_in(text)
    return (*words, *joined_neighbours(words))


def indexed_among(candidates: set[str], scope: CatalogueFilters, today: date) -> list[str]:
    """Return the candidates that are indexed as part of a name or breed.

    One statement looks up all candidates.
    """
    pieces = tuple(Piece(word, False, NAME + KIND) for word in sorted(candidates))
    rows = newest_with(pieces, INDEXED_FIRST, scope, today)
    signed = {sign + word for word in candidates for sign in NAME + KIND}
    return sorted({word[1:] for (words,) in rows for word in signed.intersection(words.split())})


def newest_with(
    pieces: Sequence[Piece], columns: Columns, scope: CatalogueFilters, today: date
) -> list[tuple[Any, ...]]:
    """Return columns of the newest animals that match one of these pieces."""
    wanted = scope._replace(words=(Term(tuple((piece,) for piece in pieces)),))
    shape = shape_of(wanted)._replace(index_first=True)
    return columns_statement(shape, columns).rows(**query_values(wanted, today), limit=LOOKED_AT)


@lru_cache(maxsize=20)
def columns_statement(shape: Shape, columns: Columns) -> Prepared:
    query: Any = select(*columns).where(SHOWN_CLAUSE)
    newest = found_id(shape.dialect, shape.index_first).desc()
    return Prepared(apply_filters(query, shape).order_by(newest).limit(bindparam("limit")))


def distance_between(one: str, other: str, most: int) -> int:
    """Return the number of missing, extra, wrong or swapped letters. Counting stops at ``most`` + 1.

    The number is the optimal string alignment distance.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, against in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against)))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                row[j] = min(row[j], earlier[j - 2] + 1)
        if min(row) > most and min(before) > most:  # later rows depend only on these two rows
            return most + 1
    return min(row[-1], most + 1)


def typos_at_beginning(word: str, letters: int) -> Iterator[str]:
    """Yield every text that differs from the word by one missing, extra, wrong or swapped letter.

    The differing letter is one of the first ``letters``.
    """
    alphabet = ascii_lowercase if word.isalpha() else ascii_lowercase + digits
    for n in range(letters):
        before, after = word[:n], word[n:]
        yield before + after[1:]
        yield before + after[1] + after[0] + after[2:]
        for letter in alphabet:
            yield before + letter + after
            yield before + letter + after[1:]
