"""Full-text queries on the search index of animals, for SQLite and PostgreSQL."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, cast, column, literal_column, select, table
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.sql.elements import ColumnElement

from adoption.animals.indexed_words import CATEGORY, KIND, LOOKS, NAME, PROJECT
from adoption.search_words import stem_of, words_in


class Piece(NamedTuple):
    """A normalised word to search for."""

    word: str
    prefix: bool = True
    """Whether longer words with this beginning match too."""
    fields: str = ""
    """Prefixes of the fields in which the word is searched for; empty for all fields."""


class Term(NamedTuple):
    """A part of a query. An animal must match one of the term's alternatives."""

    ways: tuple[tuple[Piece, ...], ...]
    """The alternatives. An animal matches an alternative if it has all pieces."""
    projects: tuple[int, ...] = ()
    """Projects whose name or town matches. All animals of these projects match the term."""
    typo: str = ""
    """The typed word, if the word is possibly a typo."""


def plain_terms(text: str, most: int) -> tuple[Term, ...]:
    """Return the words of a text as terms. Each term matches words with this beginning in any field."""
    words = list(dict.fromkeys(words_in(text)))[:most]
    return tuple(Term(forms_of(word)) for word in words)


def forms_of(word: str) -> tuple[tuple[Piece, ...], ...]:
    """Return the ways to find a word: as typed, as the beginning of a longer word, and by its stem."""
    ways: tuple[tuple[Piece, ...], ...] = ((Piece(word),),)
    return ways if (stem := stem_of(word)) == word else (*ways, (Piece(stem, False),))


ANYWHERE = 4
FIELDS_BY_RANK = (NAME, NAME + KIND, NAME + KIND + LOOKS, NAME + KIND + LOOKS, "")
"""The prefixes of the fields that are searched at each rank; empty for all fields.

Rank 3 also searches the shelter's name and town. Rank ``ANYWHERE`` also searches the description.
"""
PLACE_RANK = 3
PREFIX_SHORTEST = 4
"""Shortest word that matches longer words in a description. "Rat" must not find "rather"."""


class Syntax(NamedTuple):
    """Operators of the database's full-text query language."""

    quote: str
    prefix: str
    either: str
    both: str
    but_not: str


SYNTAX = {
    "sqlite": Syntax('"', "*", " OR ", " AND ", " NOT "),
    "postgresql": Syntax("'", ":*", " | ", " & ", " & !"),
}

# SQLite's search index is a separate table. Its rowid is the animal's id.
FOUND = table("animal_search", column("rowid"))
ANIMAL_ID: ColumnElement[int] = literal_column("animals.id")

HAS_WORDS = literal_column("animals.search").op("@@")(cast(bindparam("match"), TSQUERY))
HITS = select(ANIMAL_ID.label("id")).select_from(table("animals")).where(HAS_WORDS).cte("hits")
HITS = HITS.prefix_with("MATERIALIZED")
"""The matches in PostgreSQL's index, before other conditions are checked."""


def with_words(
    query: Select[*tuple[Any, ...]], dialect: str, index_first: bool = False
) -> Select[*tuple[Any, ...]]:
    """Return the query with the condition that animals match the parameter ``match``.

    With ``index_first``, PostgreSQL reads and sorts all matches in its index. Otherwise, PostgreSQL can
    read animals in the order of the page, which is faster only if many animals match.
    """
    if dialect == "sqlite":
        # SQLite must read the index's matches and look up each animal. Without the "+ 0", SQLite may read
        # animals and query the whole index for each animal, which takes minutes.
        found = query.join(FOUND, FOUND.c.rowid + 0 == ANIMAL_ID)
        return found.where(literal_column("animal_search").op("MATCH")(bindparam("match")))
    if index_first:
        # The "+ 0" stops PostgreSQL from replacing the order by hits.id with the order by animals.id.
        return query.join(HITS, HITS.c.id + 0 == ANIMAL_ID)
    return query.where(HAS_WORDS)


def found_id(dialect: str, index_first: bool = False) -> ColumnElement[int]:
    """Return the column by which search results are sorted.

    The column is the index's own id, so that the index is read in order.
    """
    if dialect == "sqlite":
        return FOUND.c.rowid
    return HITS.c.id if index_first else ANIMAL_ID


def match_of(terms: Sequence[Term], project_id: int | None, category_id: int | None, dialect: str) -> str:
    """Return the parameter ``match`` that finds every term in any field.

    The words are normalised, so they contain no quotes or other query syntax.
    """
    syntax = SYNTAX[dialect]
    parts = [
        scope_expression(project_id, category_id, syntax),
        terms_at(terms, ANYWHERE, syntax) or nothing(syntax),
    ]
    return syntax.both.join(part for part in parts if part)


def matches_by_rank(
    terms: Sequence[Term], project_id: int | None, category_id: int | None, dialect: str
) -> Iterator[tuple[int, str]]:
    """Yield each rank that can have matches, best first, with the ``match`` for exactly this rank.

    An animal's rank is the first rank at which all terms are found. Rank 0 searches the name. The next ranks
    add, in this order, species and breed, the other columns, the shelter's name and town, and the
    description. These ranks are the same on both databases and do not depend on other animals, so pages are
    stable.
    """
    syntax = SYNTAX[dialect]
    scope, before = scope_expression(project_id, category_id, syntax), ""
    for rank in range(ANYWHERE + 1):
        found = terms_at(terms, rank, syntax)
        if found and found != before:
            new = f"{found}{syntax.but_not}{before}" if before else found
            yield rank, syntax.both.join(part for part in (scope, f"({new})") if part)
            before = found


def scope_expression(project_id: int | None, category_id: int | None, syntax: Syntax) -> str:
    owned = ((PROJECT, project_id), (CATEGORY, category_id))
    return syntax.both.join(
        f"{syntax.quote}{sign}{id_}{syntax.quote}" for sign, id_ in owned if id_ is not None
    )


def nothing(syntax: Syntax) -> str:
    """Return an expression that matches no animal."""
    return f"{syntax.quote}{PROJECT}{syntax.quote}"


def terms_at(terms: Sequence[Term], rank: int, syntax: Syntax) -> str:
    """Return the expression that finds all terms at this rank or a better rank; empty if none can match."""
    parts = [term_at(term, rank, syntax) for term in terms]
    return f"({syntax.both.join(parts)})" if parts and all(parts) else ""


def term_at(term: Term, rank: int, syntax: Syntax) -> str:
    ways = []
    for way in term.ways:
        pieces = [piece_at(piece, rank, syntax) for piece in way]
        if all(pieces):
            ways.append(f"({syntax.both.join(pieces)})" if len(pieces) > 1 else pieces[0])
    if rank >= PLACE_RANK:
        ways += [f"{syntax.quote}{PROJECT}{id_}{syntax.quote}" for id_ in term.projects]
    return f"({syntax.either.join(dict.fromkeys(ways))})" if ways else ""


def piece_at(piece: Piece, rank: int, syntax: Syntax) -> str:
    fields = FIELDS_BY_RANK[rank]
    if piece.fields:
        fields = "".join(sign for sign in fields or NAME + KIND + LOOKS if sign in piece.fields)
        if not fields:
            return ""
    # In scripts without spaces, one character is a word.
    prefix = syntax.prefix if piece.prefix and len(piece.word) > 1 else ""
    signed = [f"{syntax.quote}{sign}{piece.word}{syntax.quote}{prefix}" for sign in fields]
    if not fields:
        if prefix and len(piece.word) < PREFIX_SHORTEST:
            signed = [f"{syntax.quote}{piece.word}{syntax.quote}"] + [
                f"{syntax.quote}{sign}{piece.word}{syntax.quote}{prefix}" for sign in NAME + KIND + LOOKS
            ]
        else:
            signed = [f"{syntax.quote}{piece.word}{syntax.quote}{prefix}"]
    return f"({syntax.either.join(signed)})" if len(signed) > 1 else signed[0]
