"""The search index of animals: which words an animal is found by, and the expression that finds them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, cast, column, literal_column, select, table
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.sql.elements import ColumnElement

from adoption.animals.fields import CATEGORIES
from adoption.search_words import WORD_LONGEST, stem_of, words_in

PROJECT, CATEGORY = "§", "¶"
"""Signs before the words that name an animal's project and category. No word of a text contains them.

With these words in the index, a search in one project or category reads nothing of the others.
"""

NAME, KIND, LOOKS = "¡", "¢", "£"
"""Signs before the words of an animal's name, its species and breed, and its other columns.

Every word is in the index without a sign too, so that a search anywhere is one look-up.
"""

FOUND_BY = (
    "name",
    "code",
    "category_id",
    "breed_primary",
    "breed_secondary",
    "breed_mixed",
    "colours",
    "sex",
    "house_trained",
    "special_needs",
    "description",
)
"""The columns of an animal that its words are made of, besides its project."""

MIXED = ("mix", "mixed", "cross", "crossbreed")
HOUSE_TRAINED, SPECIAL_NEEDS = "housetrained", "specialneeds"
JOINED_MOST = 3


SPECIES_WORDS = {id_: words_in(name) for id_, name in CATEGORIES.items()}


def words_of(animal: Mapping[str, Any]) -> str:
    """Return everything that a search finds an animal by, each word once, separated by spaces.

    ``animal`` has ``project_id`` and what is known of ``FOUND_BY``.
    """
    known = animal.get
    found = [f"{PROJECT}{animal['project_id']}", f"{CATEGORY}{animal['category_id']}"]
    plain: list[str] = []
    for sign, words in ((NAME, name_words(known)), (KIND, kind_words(known)), (LOOKS, look_words(known))):
        found += [sign + word for word in words]
        plain += words
    if description := known("description"):
        plain += with_stems(words_in(description))
    return " ".join(dict.fromkeys(found + plain))


Known = Callable[[str], Any]
"""Returns what is known of a column, or None."""


def name_words(known: Known) -> list[str]:
    """Return the words of the animal's name and of its reference, which is public."""
    words = words_in(known("name") or "")
    words = with_stems(words) + joined(words)
    if code := known("code"):
        parts = words_in(code)
        words += parts + joined(parts)
    return words


def kind_words(known: Known) -> list[str]:
    words = [*SPECIES_WORDS[known("category_id")]]
    for breed in (known("breed_primary"), known("breed_secondary")):
        if breed:
            parts = words_in(breed)
            words += with_stems(parts) + joined(parts)
    if known("breed_mixed") or known("breed_secondary"):
        words += MIXED
    return words


def look_words(known: Known) -> list[str]:
    words = with_stems(words_in(colours)) if (colours := known("colours")) else []
    words += [sex] if (sex := known("sex")) else []
    words += [HOUSE_TRAINED] if known("house_trained") else []
    words += [SPECIAL_NEEDS] if known("special_needs") else []
    return words


def with_stems(words: Iterable[str]) -> list[str]:
    """Return each word, with its stem after it where that is another."""
    found = []
    for word in words:
        found.append(word)
        if (stem := stem_of(word)) != word:
            found.append(stem)
    return found


def joined(words: Sequence[str]) -> list[str]:
    """Return neighbouring words written as one, such as "germanshepherd"."""
    last = len(words)
    if last < 2:
        return []
    return [
        "".join(words[start:end])[:WORD_LONGEST]
        for start in range(last)
        for end in range(start + 2, min(start + JOINED_MOST, last) + 1)
    ]


class Piece(NamedTuple):
    """A folded word to find."""

    word: str
    prefix: bool = True
    """Find words that begin with it, too."""
    fields: str = ""
    """Signs of the fields in which it must be; empty for anywhere."""


class Term(NamedTuple):
    """A part of a query that an animal must match, by one of several ways."""

    ways: tuple[tuple[Piece, ...], ...]
    """Each way is pieces that must all be found."""
    projects: tuple[int, ...] = ()
    """Projects whose name or town matches, so that all their animals do."""
    typo: str = ""
    """The word as typed, where it may be a typo."""


def plain_terms(text: str, most: int) -> tuple[Term, ...]:
    """Return the words of a text as terms, each at the beginning of a word anywhere."""
    words = list(dict.fromkeys(words_in(text)))[:most]
    return tuple(Term(forms_of(word)) for word in words)


def forms_of(word: str, fields: str = "") -> tuple[tuple[Piece, ...], ...]:
    """Return the ways to find one word: as typed, at the beginning of longer ones, and by its stem."""
    ways: tuple[tuple[Piece, ...], ...] = ((Piece(word, fields=fields),),)
    return ways if (stem := stem_of(word)) == word else (*ways, (Piece(stem, False, fields),))


ANYWHERE = 4
FIELDS_BY_RANK = (NAME, NAME + KIND, NAME + KIND + LOOKS, NAME + KIND + LOOKS, "")
"""The fields that each rank looks at. Rank 3 adds the shelter's name and town, ``ANYWHERE`` the story."""
PLACE_RANK = 3
PREFIX_SHORTEST = 4
"""Letters of a word that also finds longer words in a story: "rat" must not find "rather"."""


class Syntax(NamedTuple):
    """The operators of a full-text query."""

    quote: str
    prefix: str
    either: str
    both: str
    but_not: str


SYNTAX = {
    "sqlite": Syntax('"', "*", " OR ", " AND ", " NOT "),
    "postgresql": Syntax("'", ":*", " | ", " & ", " & !"),
}

# The search index on SQLite, a table of its own whose rowid is the animal's id.
FOUND = table("animal_search", column("rowid"))
ANIMAL_ID: ColumnElement[int] = literal_column("animals.id")


HAS_WORDS = literal_column("animals.search").op("@@")(cast(bindparam("match"), TSQUERY))
HITS = select(ANIMAL_ID.label("id")).select_from(table("animals")).where(HAS_WORDS).cte("hits")
HITS = HITS.prefix_with("MATERIALIZED")
"""What PostgreSQL's index finds, before anything else is looked at."""


def matching(
    query: Select[*tuple[Any, ...]], dialect: str, index_first: bool = False
) -> Select[*tuple[Any, ...]]:
    """Return the query of those animals that have the words of the parameter ``match``.

    With ``index_first`` PostgreSQL reads all that its index finds and sorts that; else it may walk animals
    in the order of the page, which is quicker only where many of them have the words.
    """
    if dialect == "sqlite":
        # SQLite must walk what the index finds and look up each animal. Without the "+ 0" it may go through
        # animals instead and ask the whole index about each, which takes minutes.
        found = query.join(FOUND, FOUND.c.rowid + 0 == ANIMAL_ID)
        return found.where(literal_column("animal_search").op("MATCH")(bindparam("match")))
    if index_first:
        # The "+ 0" has the same reason as above: the order by hits.id is then no order by animals.id.
        return query.join(HITS, HITS.c.id + 0 == ANIMAL_ID)
    return query.where(HAS_WORDS)


def found_id(dialect: str, index_first: bool = False) -> ColumnElement[int]:
    """Return what a search orders animals by: the id in the index, along which the database walks."""
    if dialect == "sqlite":
        return FOUND.c.rowid
    return HITS.c.id if index_first else ANIMAL_ID


def match_of(terms: Sequence[Term], project_id: int | None, category_id: int | None, dialect: str) -> str:
    """Return the parameter ``match`` that finds every term anywhere.

    The words are folded, so they contain no quote and nothing else that either syntax gives a meaning.
    """
    syntax = SYNTAX[dialect]
    parts = [scope_of(project_id, category_id, syntax), terms_at(terms, ANYWHERE, syntax) or nothing(syntax)]
    return syntax.both.join(part for part in parts if part)


def matches_by_rank(
    terms: Sequence[Term], project_id: int | None, category_id: int | None, dialect: str
) -> Iterator[tuple[int, str]]:
    """Yield each rank that can have animals, best first, with the ``match`` that finds exactly those.

    An animal's rank is the first at which all terms are found: in its name; in species and breed, too; in
    its other columns; in the name and town of its shelter; in its story. Ranks by field are the same on both
    databases, and an animal's rank depends on no other animal, so pages stay stable.
    """
    syntax = SYNTAX[dialect]
    scope, before = scope_of(project_id, category_id, syntax), ""
    for rank in range(ANYWHERE + 1):
        found = terms_at(terms, rank, syntax)
        if found and found != before:
            new = f"{found}{syntax.but_not}{before}" if before else found
            yield rank, syntax.both.join(part for part in (scope, f"({new})") if part)
            before = found


def scope_of(project_id: int | None, category_id: int | None, syntax: Syntax) -> str:
    owned = ((PROJECT, project_id), (CATEGORY, category_id))
    return syntax.both.join(
        f"{syntax.quote}{sign}{id_}{syntax.quote}" for sign, id_ in owned if id_ is not None
    )


def nothing(syntax: Syntax) -> str:
    """Return what no animal matches."""
    return f"{syntax.quote}{PROJECT}{syntax.quote}"


def terms_at(terms: Sequence[Term], rank: int, syntax: Syntax) -> str:
    """Return the expression of all terms at this rank or a better one; empty where none can match."""
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
    # In scripts without spaces a single letter is a word.
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
