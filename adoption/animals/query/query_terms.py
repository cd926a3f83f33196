"""Search terms for the words in a query."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.full_text_queries import Piece, Term, forms_of
from adoption.animals.indexed_words import KIND, NAME
from adoption.animals.query.filter_words import KIND_WORDS
from adoption.animals.query.segments import Segment, TypedQuery
from adoption.animals.query.synonyms import COLUMN_NAMES
from adoption.search_words import words_in

TERMS_MOST = 8
TYPO_SHORTEST = 5
"""Length of the shortest word that counts as a possible typo. Shorter words resemble too many words."""
Places = Callable[[Sequence[str]], Mapping[str, Sequence[int]]]
"""A function that returns, for each word, the projects with the word in their name or town."""


def positions(segments: Iterable[Segment]) -> set[int]:
    return {n for each in segments for n in range(each.first, each.end)}


def any_species(category_ids: Collection[object]) -> Term:
    """Return the term for any of several species, as in "cats and dogs"."""
    names = [words_in(CATEGORIES[id_]) for id_ in CATEGORIES if id_ in category_ids]
    return Term(tuple(tuple(Piece(word, False, KIND) for word in name) for name in names))


def named_species(typed: TypedQuery, segment: Segment) -> int | None:
    """Return the species group that the words name, such as "rabbit"; None if they name no species group."""
    if len(segment.meanings) == 1 and segment.meanings[0].field == "category_id":
        return int(segment.meanings[0].value)
    is_plain = not (segment.meanings or segment.is_literal or segment.is_excluded)
    return KIND_WORDS.get(typed.stems[segment.first : segment.end]) if is_plain else None


def either_term(typed: TypedQuery, segments: Sequence[Segment]) -> Term:
    ways: list[tuple[Piece, ...]] = []
    for each in segments:
        if each.meanings:
            ways += any_species([named_species(typed, each)]).ways
        else:
            found = synonym_term(typed, each) if each.ways else word_term(typed, each.first, [each])
            ways += found.ways
    return Term(tuple(ways))


def query_terms(
    typed: TypedQuery,
    segments: Sequence[Segment],
    either: Sequence[Segment],
    category_ids: Collection[object],
    places: Places,
) -> tuple[Term, ...]:
    """Return the terms for plain words, for alternatives of different species, and for several species."""
    terms = search_terms(typed, segments, places)
    terms += (either_term(typed, either),) if either else ()
    terms += (any_species(category_ids),) if len(category_ids) > 1 else ()
    return tuple(dict.fromkeys(terms))[:TERMS_MOST]


def search_terms(typed: TypedQuery, segments: Sequence[Segment], places: Places) -> tuple[Term, ...]:
    plain = [each for each in segments if not each.ways]
    words = [typed.words[each.first].word for each in plain if each.end == each.first + 1]
    projects = places([word for word in words[:TERMS_MOST] if len(word) > 1])
    terms: list[Term] = []
    for segment in segments:
        if segment.ways:
            terms.append(synonym_term(typed, segment))
        else:
            for position in range(segment.first, segment.end):
                word = typed.words[position].word
                term = word_term(typed, position, segments)
                terms.append(
                    term._replace(
                        projects=tuple(projects.get(word, ())), typo=typo_of(typed, position, segment)
                    )
                )
    return tuple(terms)


def typo_of(typed: TypedQuery, position: int, segment: Segment) -> str:
    """Return the word at this position if the word is possibly a typo; otherwise an empty text."""
    word = typed.words[position].word
    known = (typed.stems[position],) in KIND_WORDS or segment.is_literal
    return "" if known or len(word) < TYPO_SHORTEST else word


def synonym_term(typed: TypedQuery, segment: Segment) -> Term:
    """Return a term that finds a synonym, or the words that shelters write instead of the synonym."""
    words = [typed.words[position].word for position in range(segment.first, segment.end)]
    ways = tuple(tuple(Piece(word, True, segment.fields) for word in way) for way in segment.ways)
    if is_column(segment):
        return Term(ways)
    return Term((tuple(Piece(word, prefix=False) for word in words), *ways))


def is_column(segment: Segment) -> bool:
    """Return whether the words mean a yes-or-no column.

    Such a search uses only the column, and ignores the same words in a description.
    """
    return segment.ways in COLUMN_NAMES.values()


def word_term(typed: TypedQuery, position: int, segments: Sequence[Segment]) -> Term:
    """Return a term that finds the word, its stem, or the word joined with a neighbour."""
    word = typed.words[position].word
    if (typed.stems[position],) in KIND_WORDS:  # so that "tortoise" does not find "tortoiseshell"
        return Term(((Piece(word, False),), (Piece(typed.stems[position], False),)))
    plain = positions(each for each in segments if not each.ways)
    ways = forms_of(word)
    if position - 1 in plain:
        ways += ((Piece(typed.words[position - 1].word + word, True, NAME + KIND),),)
    if position + 1 in plain:
        ways += ((Piece(word + typed.words[position + 1].word, True, NAME + KIND),),)
    return Term(ways)
