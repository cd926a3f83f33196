"""Parser of search queries, which separates filters from words to search for."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from adoption.animals.query.filter_words import KIND_WORDS, FilterMeaning
from adoption.animals.query.interpreted_query import (
    InterpretedQuery,
    RecognisedFilter,
    SearchedPhrase,
    UnclearAge,
)
from adoption.animals.query.query_terms import TERMS_MOST, Places, named_species, positions, query_terms
from adoption.animals.query.segments import Segment, TypedQuery, segments_of


def read_query(text: str, chosen: Mapping[str, object], places: Places) -> InterpretedQuery:
    """Return the interpretation of a query.

    ``chosen`` has the filters that are already set. These filters take priority.
    """
    typed = TypedQuery.of(text)
    segments = with_places(typed, segments_of(typed), places)
    either = [] if "category_id" in chosen else either_species(typed, segments)
    together = set(range(either[0].first, either[-1].end)) if either else set()
    segments = [each for each in segments if each.first not in together]
    named = named_filters(segments)
    used = {meaning for meaning in named if is_used(meaning, named, chosen)}
    overruled = [meaning for meaning in named if is_overruled(meaning, named, chosen)]
    excluded = [each for each in segments if each.is_excluded]
    ages = [each for each in segments if each.age_groups]
    left = [each for each in segments if is_searched_for(each)]
    if not (left or named or excluded or ages or either):
        left = segments
    species = [] if "category_id" in chosen else [each.value for each in named if each.field == "category_id"]
    return InterpretedQuery(
        query_terms(typed, left, either, species, places),
        tuple(recognised_filter(typed, each, named[each], used) for each in named if each in used),
        tuple(dict.fromkeys(typed_text(typed, each) for meaning in overruled for each in named[meaning])),
        tuple(typed_text(typed, each) for each in excluded),
        tuple(UnclearAge(*typed_and_rest(typed, each), each.age_groups) for each in ages),
        tuple(SearchedPhrase(*typed_and_rest(typed, each)) for each in left[:TERMS_MOST]),
        text_without(typed, positions(each for each in segments if is_no_text(each)) | together)
        if left or not typed.words
        else "",
        text_without(typed, positions(each for each in segments if not each.meanings)),
        kinds_in(typed, positions(excluded)),
        SearchedPhrase(text_between(typed, either[0].first, either[-1].end), text_without(typed, together))
        if either
        else None,
        is_empty=not typed.words,
    )


def with_places(typed: TypedQuery, segments: Sequence[Segment], places: Places) -> list[Segment]:
    """Return the segments, with the words of a shelter's or town's name as plain text instead of filters.

    "Little Tarrow" is a village, not a small animal. A species remains a filter, also in "Tilbrook cats".
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
    """Return whether the words are not searched for: they mean a filter, an age or an exclusion."""
    return bool(segment.meanings or segment.is_excluded or segment.age_groups)


def is_searched_for(segment: Segment) -> bool:
    return not (segment.is_noise or is_no_text(segment))


def named_filters(segments: Sequence[Segment]) -> dict[FilterMeaning, list[Segment]]:
    """Return every filter in the query, with its words."""
    named: dict[FilterMeaning, list[Segment]] = {}
    for segment in segments:
        for meaning in segment.meanings:
            named.setdefault(meaning, []).append(segment)
    return named


def has_rivals(meaning: FilterMeaning, named: Collection[FilterMeaning]) -> bool:
    """Return whether other words in the query mean another value of the same filter."""
    return any(each.field == meaning.field and each.value != meaning.value for each in named)


def is_used(meaning: FilterMeaning, named: Collection[FilterMeaning], chosen: Mapping[str, object]) -> bool:
    return meaning.field not in chosen and not has_rivals(meaning, named)


def is_overruled(
    meaning: FilterMeaning, named: Collection[FilterMeaning], chosen: Mapping[str, object]
) -> bool:
    """Return whether a choice or other words contradict a filter. "Cats and dogs" is no contradiction."""
    if meaning.field in chosen:
        return chosen[meaning.field] != meaning.value
    return meaning.field in ("age", "size") and has_rivals(meaning, named)


def recognised_filter(
    typed: TypedQuery, meaning: FilterMeaning, segments: Sequence[Segment], used: Collection[FilterMeaning]
) -> RecognisedFilter:
    removed = {n for each in segments for n in each.removes or positions([each])}
    meanings = dict.fromkeys(other for each in segments for other in each.meanings)
    others = tuple(other for other in meanings if other != meaning and other in used)
    return RecognisedFilter(meaning, typed_text(typed, segments[0]), text_without(typed, removed), others)


def typed_text(typed: TypedQuery, segment: Segment) -> str:
    return text_between(typed, *(segment.shown or (segment.first, segment.end)))


def typed_and_rest(typed: TypedQuery, segment: Segment) -> tuple[str, str]:
    """Return the words of a segment as typed, and the query without the segment."""
    return typed_text(typed, segment), text_without(typed, positions([segment]))


def text_between(typed: TypedQuery, first: int, end: int) -> str:
    return typed.text[typed.words[first].start : typed.words[end - 1].end]


EDGES = " ,;-/&+"


def text_without(typed: TypedQuery, removed: Collection[int]) -> str:
    """Return the text without these words and without the punctuation next to them."""
    text = typed.text
    for end in sorted(n for n in removed if n + 1 not in removed)[::-1]:
        first = next(n for n in range(end, -1, -1) if n - 1 not in removed)
        before, after = text[: typed.words[first].start], text[typed.words[end].end :]
        text = f"{before.rstrip(EDGES)} {after.lstrip(EDGES)}"
    return re.sub(r'["“”]\s*["“”]', "", text).strip()


def either_species(typed: TypedQuery, segments: Sequence[Segment]) -> list[Segment]:
    """Return animals of different species groups that "and", "or" or "&" joins; empty if there are none."""
    named = [each for each in segments if named_species(typed, each)]
    joined = all(is_joined(typed, one, other) for one, other in pairwise(named))
    return named if joined and len({named_species(typed, each) for each in named}) > 1 else []


def is_joined(typed: TypedQuery, one: Segment, other: Segment) -> bool:
    between = typed.text[typed.words[one.end - 1].end : typed.words[other.first].start]
    return between.strip().casefold() in {"and", "or", "&", ","}


def kinds_in(typed: TypedQuery, excluded: Collection[int]) -> tuple[int, ...]:
    """Return the species groups of the animals in the query. "Guinea pig" does not count as "pig"."""
    found, at = [], 0
    while at < len(typed.stems):
        length = next((n for n in (2, 1) if typed.stems[at : at + n] in KIND_WORDS), 0)
        if length and at not in excluded:
            found.append(KIND_WORDS[typed.stems[at : at + length]])
        at += length or 1
    return tuple(dict.fromkeys(found))
