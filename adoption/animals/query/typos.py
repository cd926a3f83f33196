"""Typo tolerance: a word that finds nothing is replaced by the names and breeds that are spelt nearly so."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from string import ascii_lowercase, digits
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.elements import ColumnElement

from adoption.accounts.throttles import MINUTE, Throttle
from adoption.animals.catalogue import (
    CatalogueFilters,
    Shape,
    apply_filters,
    count_up_to,
    query_values,
    shape_of,
)
from adoption.animals.indexed_words import KIND, NAME, joined_neighbours
from adoption.animals.models import SHOWN, Animal
from adoption.animals.search import Piece, Term, found_id
from adoption.search_words import words_in
from adoption.storage.prepared_statements import Prepared

LONGEST = 12
"""Letters of a word that is corrected."""
TWO_TYPOS_FROM = 7
"""Letters of a word in which two typos are tolerated; one in a shorter word."""
BEGINNINGS = (4, 3, 2)
"""Letters at the beginning of a word that are taken as right, while some word begins with them."""
LOOKED_AT = 1_000
"""Animals whose names and breeds are compared, the newest first."""
CORRECTIONS = Throttle("typos", 20, MINUTE)
"""Queries of one network address that are corrected. Nobody types as many."""

Columns = tuple[ColumnElement[Any] | InstrumentedAttribute[Any], ...]
NAMES_AND_BREEDS: Columns = (Animal.name, Animal.breed_primary, Animal.breed_secondary)
INDEXED_FIRST: Columns = (func.substr(Animal.words, 1, 4_000),)
"""The beginning of an animal's words: its name and breeds come first."""

Places = Callable[[str], Mapping[str, Sequence[int]]]
"""Returns the words of shelters and towns that begin so, with the projects of each."""


def may_be_corrected(wanted: CatalogueFilters, address: str, now: float) -> bool:
    """Count a query that finds nothing, and return whether its words may be looked up as typos.

    No other search costs as much, so a network address may not send many.
    """
    has_typo = any(0 < len(term.typo) <= LONGEST for term in wanted.words)
    return has_typo and CORRECTIONS.take(address, now)


def corrected(wanted: CatalogueFilters, today: date, places: Places) -> CatalogueFilters:
    """Return what is wanted, with the one word that finds nothing replaced by the names and breeds near it.

    A query with several such words is returned unchanged, since each would cost several searches.
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
    """Yield the place of each word that may be a typo and finds nothing."""
    for n, term in enumerate(words):
        if term.typo and not count_up_to(scope._replace(words=(term,)), today, most=1):
            yield n


def near_projects(typed: str, places: Places) -> tuple[int, ...]:
    """Return the projects with the nearest word in their name or town."""
    most = 2 if len(typed) >= TWO_TYPOS_FROM else 1
    known = places(typed[: BEGINNINGS[-1]]) if len(typed) <= LONGEST else {}
    distances = {word: distance_between(typed, word, most) for word in known}
    nearest = min(distances.values(), default=most + 1)
    if nearest > most:
        return ()
    return tuple(sorted({id_ for word, far in distances.items() if far == nearest for id_ in known[word]}))


def near_words(typed: str, scope: CatalogueFilters, today: date) -> list[str]:
    """Return the nearest words of names and breeds; without any, what the first letters may be a typo of."""
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
    # Words with the same first two letters have been compared, unless there were too many.
    letters = BEGINNINGS[-1] if known.are_all else BEGINNINGS[-1] + 1
    return indexed_among(set(typos_at_beginning(typed, letters)), scope, today)


class Known(NamedTuple):
    """Words of names and breeds."""

    words: set[str]
    are_all: bool
    """Whether no animal was left out."""


def known_words(beginning: str, scope: CatalogueFilters, today: date) -> Known:
    """Return the words of names and breeds that begin so, among animals that the public sees."""
    rows = newest_with((Piece(beginning, True, NAME + KIND),), NAMES_AND_BREEDS, scope, today)
    words = {word for text in {text for row in rows for text in row if text} for word in words_of_text(text)}
    return Known({word for word in words if word.startswith(beginning)}, len(rows) < LOOKED_AT)


@lru_cache(maxsize=5_000)
def words_of_text(text: str) -> tuple[str, ...]:
    """Return the words of a name or breed, with neighbours written as one too."""
    words = words_in(text)
    return (*words, *joined_neighbours(words))


def indexed_among(candidates: set[str], scope: CatalogueFilters, today: date) -> list[str]:
    """Return those of these words that are in the search index of names and breeds.

    All are looked up in one statement, so that a search needs the index again only for words that it has.
    """
    pieces = tuple(Piece(word, False, NAME + KIND) for word in sorted(candidates))
    rows = newest_with(pieces, INDEXED_FIRST, scope, today)
    signed = {sign + word for word in candidates for sign in NAME + KIND}
    return sorted({word[1:] for (words,) in rows for word in signed.intersection(words.split())})


def newest_with(
    pieces: Sequence[Piece], columns: Columns, scope: CatalogueFilters, today: date
) -> list[tuple[Any, ...]]:
    """Return columns of the newest animals that have one of these pieces."""
    wanted = scope._replace(words=(Term(tuple((piece,) for piece in pieces)),))
    shape = shape_of(wanted)._replace(index_first=True)
    return columns_statement(shape, columns).rows(**query_values(wanted, today), limit=LOOKED_AT)


@lru_cache(maxsize=20)
def columns_statement(shape: Shape, columns: Columns) -> Prepared:
    query: Any = select(*columns).where(SHOWN)
    newest = found_id(shape.dialect, shape.index_first).desc()
    return Prepared(apply_filters(query, shape).order_by(newest).limit(bindparam("limit")))


def distance_between(one: str, other: str, most: int) -> int:
    """Return how many letters are missing, doubled, wrong or swapped; ``most`` + 1 for all above ``most``.

    This is the optimal string alignment distance.
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
        if min(row) > most and min(before) > most:  # what follows comes from these two rows
            return most + 1
    return min(row[-1], most + 1)


def typos_at_beginning(word: str, letters: int) -> Iterator[str]:
    """Yield every word that differs by one letter missing, doubled, wrong or swapped among the first."""
    alphabet = ascii_lowercase if word.isalpha() else ascii_lowercase + digits
    for n in range(letters):
        before, after = word[:n], word[n:]
        yield before + after[1:]
        yield before + after[1] + after[0] + after[2:]
        for letter in alphabet:
            yield before + letter + after
            yield before + letter + after[1:]
