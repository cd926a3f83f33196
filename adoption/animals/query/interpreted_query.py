"""The interpretation of a search query."""

from typing import NamedTuple

from adoption.animals.query.filter_words import FilterMeaning
from adoption.animals.search import Term


class RecognisedFilter(NamedTuple):
    """A filter recognised in a query."""

    meaning: FilterMeaning
    typed: str
    """The words for it, as typed."""
    rest: str
    """The query without these words."""
    others: tuple[FilterMeaning, ...]
    """Filters from the same words, such as the species of "kitten" beside its age."""


class SearchedPhrase(NamedTuple):
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
    terms: tuple[Term, ...] = ()
    readings: tuple[RecognisedFilter, ...] = ()
    unused: tuple[str, ...] = ()
    """Words for a filter that another choice overrides, as typed."""
    excluded: tuple[str, ...] = ()
    """Words for what the visitor does not want, as typed. They are not searched for."""
    ages: tuple[UnclearAge, ...] = ()
    left: tuple[SearchedPhrase, ...] = ()
    left_text: str = ""
    """The query without the words for filters."""
    filters_text: str = ""
    """The query with only the words for filters."""
    category_ids: tuple[int, ...] = ()
    """Species groups of the animals named, such as reptiles for "snake"."""
    either: SearchedPhrase | None = None
    """Alternatives of several kinds, such as "rabbit and guinea pig"."""
    is_empty: bool = False
    """Whether the query is not blank but has no words, such as "%"."""
