"""Interpretation of a search query: filters, and words to search for."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from adoption.animals.indexed_words import KIND, NAME
from adoption.animals.query.breed_nicknames import COLUMN_NAMES
from adoption.animals.query.filter_words import KIND_WORDS, FilterMeaning
from adoption.animals.query.segments import Segment, Typed, segments_of
from adoption.animals.search import Piece, Term, forms_of
from adoption.animals.validation import CATEGORIES
from adoption.search_words import words_in

TERMS_MOST = 8
TYPO_SHORTEST = 5
"""Shortest word that may be a typo. Shorter words resemble too many others."""

Places = Callable[[Sequence[str]], Mapping[str, Sequence[int]]]
"""Returns the projects with each of these words in their name or town."""


class Reading(NamedTuple):
    """A filter recognised in a query."""

    meaning: FilterMeaning
    typed: str
    """The words for it, as typed."""
    rest: str
    """The query without these words."""
    others: tuple[FilterMeaning, ...]
    """Filters from the same words, such as the species of "kitten" beside its age."""


class Left(NamedTuple):
    """A word or phrase of a query that is searched for."""

    typed: str
    rest: str
    """The query without it."""


class UnclearAge(NamedTuple):
    """An age that spans several age groups, such as "under 2 years". It is not searched for."""

    typed: str
    rest: str
    """The query without it."""
    groups: tuple[str, ...]
    """The age groups that it includes."""


class InterpretedQuery(NamedTuple):
    """An interpreted query."""

    terms: tuple[Term, ...] = ()
    readings: tuple[Reading, ...] = ()
    unused: tuple[str, ...] = ()
    """Words for a filter that another choice overrides, as typed."""
    excluded: tuple[str, ...] = ()
    """Words for what the visitor does not want, as typed. They are not searched for."""
    ages: tuple[UnclearAge, ...] = ()
    left: tuple[Left, ...] = ()
    left_text: str = ""
    """The query without the words for filters."""
    filters_text: str = ""
    """The query with only the words for filters."""
    category_ids: tuple[int, ...] = ()
    """Species groups of the animals named, such as reptiles for "snake"."""
    either: Left | None = None
    """Alternatives of several kinds, such as "rabbit and guinea pig"."""
    is_empty: bool = False
    """Whether the query is not blank but has no words, such as "%"."""


def read_query(text: str, chosen: Mapping[str, object], places: Places) -> InterpretedQuery:
    """Return the interpretation of a query. The filters in ``chosen`` are set already and take priority."""
    typed = Typed.of(text)
    segments = with_places(typed, segments_of(typed), places)
    either = [] if "category_id" in chosen else either_species(typed, segments)
    together = set(range(either[0].first, either[-1].end)) if either else set()
    segments = [each for each in segments if each.first not in together]
    said = named_filters(segments)
    used = {meaning for meaning in said if is_used(meaning, said, chosen)}
    overruled = [meaning for meaning in said if is_overruled(meaning, said, chosen)]
    excluded = [each for each in segments if each.is_excluded]
    ages = [each for each in segments if each.age_groups]
    left = [each for each in segments if is_searched_for(each)]
    if not (left or said or excluded or ages or either):
        left = segments
    terms = search_terms(typed, left, places)
    terms += (either_term(typed, either),) if either else ()
    species = [meaning.value for meaning in said if meaning.field == "category_id"]
    if len(species) > 1 and "category_id" not in chosen:
        terms += (any_species(species),)
    return InterpretedQuery(
        tuple(dict.fromkeys(terms))[:TERMS_MOST],
        tuple(reading_of(typed, meaning, said[meaning], used) for meaning in said if meaning in used),
        tuple(dict.fromkeys(typed_text(typed, each) for meaning in overruled for each in said[meaning])),
        tuple(typed_text(typed, each) for each in excluded),
        tuple(
            UnclearAge(typed_text(typed, each), text_without(typed, positions([each])), each.age_groups)
            for each in ages
        ),
        tuple(
            Left(typed_text(typed, each), text_without(typed, positions([each])))
            for each in left[:TERMS_MOST]
        ),
        text_without(typed, positions(each for each in segments if is_no_text(each)) | together)
        if left or not typed.words
        else "",
        text_without(typed, positions(each for each in segments if not each.meanings)),
        kinds_in(typed, positions(excluded)),
        is_empty=not typed.words,
        either=Left(text_between(typed, either[0].first, either[-1].end), text_without(typed, together))
        if either
        else None,
    )


def with_places(typed: Typed, segments: Sequence[Segment], places: Places) -> list[Segment]:
    """Return the segments, with words of a shelter's or town's name as plain text instead of filters.

    "Little Tarrow" is a village, not a small animal. A species stays a filter, also in "Tilbrook cats".
    """
    found = []
    for n, segment in enumerate(segments):
        near = segments[max(0, n - 1) : n + 2]
        beside = [each for each in near if not (each.meanings or each.ways or each.age_groups)]
        fields = {meaning.field for meaning in segment.meanings}
        if fields & {"size", "age", "sex"} and segment.end == segment.first + 1 and beside:
            own = typed.words[segment.first].word
            named = places([own, *(typed.words[each.first].word for each in beside)])
            shared = {id_ for word, ids in named.items() if word != own for id_ in ids}
            if shared.intersection(named.get(own, ())):
                segment = Segment(segment.first, segment.end)
        found.append(segment)
    return found


def is_no_text(segment: Segment) -> bool:
    """Return whether the words are about a filter and are not searched for."""
    return bool(segment.meanings or segment.is_excluded or segment.age_groups)


def is_searched_for(segment: Segment) -> bool:
    return not (segment.is_noise or is_no_text(segment))


def positions(segments: Iterable[Segment]) -> set[int]:
    return {n for each in segments for n in range(each.first, each.end)}


def named_filters(segments: Sequence[Segment]) -> dict[FilterMeaning, list[Segment]]:
    """Return every filter that is named, with its words."""
    said: dict[FilterMeaning, list[Segment]] = {}
    for segment in segments:
        for meaning in segment.meanings:
            said.setdefault(meaning, []).append(segment)
    return said


def has_rivals(meaning: FilterMeaning, said: Collection[FilterMeaning]) -> bool:
    """Return whether other words name another value of the same filter."""
    return any(each.field == meaning.field and each.value != meaning.value for each in said)


def is_used(meaning: FilterMeaning, said: Collection[FilterMeaning], chosen: Mapping[str, object]) -> bool:
    return meaning.field not in chosen and not has_rivals(meaning, said)


def is_overruled(
    meaning: FilterMeaning, said: Collection[FilterMeaning], chosen: Mapping[str, object]
) -> bool:
    """Return whether a choice or other words contradict it. "Cats and dogs" is no contradiction."""
    if meaning.field in chosen:
        return chosen[meaning.field] != meaning.value
    return meaning.field in ("age", "size") and has_rivals(meaning, said)


def reading_of(
    typed: Typed, meaning: FilterMeaning, segments: Sequence[Segment], used: Collection[FilterMeaning]
) -> Reading:
    removed = {n for each in segments for n in each.removes or positions([each])}
    said = dict.fromkeys(other for each in segments for other in each.meanings)
    others = tuple(other for other in said if other != meaning and other in used)
    return Reading(meaning, typed_text(typed, segments[0]), text_without(typed, removed), others)


def typed_text(typed: Typed, segment: Segment) -> str:
    return text_between(typed, *(segment.shown or (segment.first, segment.end)))


def text_between(typed: Typed, first: int, end: int) -> str:
    return typed.text[typed.words[first].start : typed.words[end - 1].end]


EDGES = " ,;-/&+"


def text_without(typed: Typed, removed: Collection[int]) -> str:
    """Return the text without these words and without the words and signs that joined them."""
    text = typed.text
    for end in sorted(n for n in removed if n + 1 not in removed)[::-1]:
        first = next(n for n in range(end, -1, -1) if n - 1 not in removed)
        before, after = text[: typed.words[first].start], text[typed.words[end].end :]
        text = f"{before.rstrip(EDGES)} {after.lstrip(EDGES)}"
    return re.sub(r'["“”]\s*["“”]', "", text).strip()


def any_species(category_ids: Collection[object]) -> Term:
    """Return the term for several species at once, as in "cats and dogs"."""
    names = [words_in(CATEGORIES[id_]) for id_ in CATEGORIES if id_ in category_ids]
    return Term(tuple(tuple(Piece(word, False, KIND) for word in name) for name in names))


def named_species(typed: Typed, segment: Segment) -> int | None:
    """Return the species group if the words name only that, as "rabbit" or "guinea pig" do."""
    if len(segment.meanings) == 1 and segment.meanings[0].field == "category_id":
        return int(segment.meanings[0].value)
    is_plain = not (segment.meanings or segment.is_literal or segment.is_excluded)
    return KIND_WORDS.get(typed.stems[segment.first : segment.end]) if is_plain else None


def either_species(typed: Typed, segments: Sequence[Segment]) -> list[Segment]:
    """Return the animals of different species groups joined by "and", "or" or "&"; else an empty list."""
    named = [each for each in segments if named_species(typed, each)]
    joined = all(is_joined(typed, one, other) for one, other in pairwise(named))
    return named if joined and len({named_species(typed, each) for each in named}) > 1 else []


def is_joined(typed: Typed, one: Segment, other: Segment) -> bool:
    between = typed.text[typed.words[one.end - 1].end : typed.words[other.first].start]
    return between.strip().casefold() in {"and", "or", "&", ","}


def either_term(typed: Typed, segments: Sequence[Segment]) -> Term:
    ways: list[tuple[Piece, ...]] = []
    for each in segments:
        if each.meanings:
            ways += any_species([named_species(typed, each)]).ways
        else:
            found = nickname_term(typed, each) if each.ways else word_term(typed, each.first, [each])
            ways += found.ways
    return Term(tuple(ways))


def kinds_in(typed: Typed, excluded: Collection[int]) -> tuple[int, ...]:
    """Return the species groups of the animals named. "Guinea pig" does not count as "pig"."""
    found, at = [], 0
    while at < len(typed.stems):
        length = next((n for n in (2, 1) if typed.stems[at : at + n] in KIND_WORDS), 0)
        if length and at not in excluded:
            found.append(KIND_WORDS[typed.stems[at : at + length]])
        at += length or 1
    return tuple(dict.fromkeys(found))


def search_terms(typed: Typed, segments: Sequence[Segment], places: Places) -> tuple[Term, ...]:
    plain = [each for each in segments if not each.ways]
    words = [typed.words[each.first].word for each in plain if each.end == each.first + 1]
    projects = places([word for word in words[:TERMS_MOST] if len(word) > 1])
    terms: list[Term] = []
    for segment in segments:
        if segment.ways:
            terms.append(nickname_term(typed, segment))
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


def typo_of(typed: Typed, position: int, segment: Segment) -> str:
    """Return the word at this position if it may be a typo, else an empty text."""
    word = typed.words[position].word
    known = (typed.stems[position],) in KIND_WORDS or segment.is_literal
    return "" if known or len(word) < TYPO_SHORTEST else word


def nickname_term(typed: Typed, segment: Segment) -> Term:
    """Return the term for a nickname: what shelters write for it, or the word itself."""
    words = [typed.words[position].word for position in range(segment.first, segment.end)]
    ways = tuple(tuple(Piece(word, True, segment.fields) for word in way) for way in segment.ways)
    if is_column(segment):
        return Term(ways)
    return Term((tuple(Piece(word, prefix=False) for word in words), *ways))


def is_column(segment: Segment) -> bool:
    """Return whether the words name a yes-or-no column, which words in a description cannot replace."""
    return segment.ways in COLUMN_NAMES.values()


def word_term(typed: Typed, position: int, segments: Sequence[Segment]) -> Term:
    """Return the term for a word: the word, its stem, or the word joined with a neighbour."""
    word = typed.words[position].word
    if (typed.stems[position],) in KIND_WORDS:  # "tortoise" must not find "tortoiseshell"
        return Term(((Piece(word, False),), (Piece(typed.stems[position], False),)))
    plain = positions(each for each in segments if not each.ways)
    ways = forms_of(word)
    if position - 1 in plain:
        ways += ((Piece(typed.words[position - 1].word + word, True, NAME + KIND),),)
    if position + 1 in plain:
        ways += ((Piece(word + typed.words[position + 1].word, True, NAME + KIND),),)
    return Term(ways)
