"""The interpretation of a search query."""

from typing import NamedTuple

from adoption.animals.full_text_queries import Term
from adoption.animals.query.filter_words import FilterMeaning


class RecognisedFilter(NamedTuple):
    """A filter recognised in a query."""

    meaning: FilterMeaning
    typed: str
    """The words that mean the filter, as typed."""
    rest: str
    """The query without the words that mean the filter."""
    others: tuple[FilterMeaning, ...]
    """Other filters that the same words mean. "Kitten" means a species and also an age."""


class SearchedPhrase(NamedTuple):
    """A word or phrase that is searched for."""

    typed: str
    rest: str
    """The query without this word or phrase."""


class UnclearAge(NamedTuple):
    """An age that spans several age groups, such as "under 2 years". The words are not searched for."""

    typed: str
    rest: str
    """The query without the age."""
    groups: tuple[str, ...]
    """The age groups that the age includes."""


class InterpretedQuery(NamedTuple):
    terms: tuple[Term, ...] = ()
    readings: tuple[RecognisedFilter, ...] = ()
    unused: tuple[str, ...] = ()
    """Words for a filter that another choice overrides, as typed."""
    excluded: tuple[str, ...] = ()
    """Words for what the visitor does not want, as typed. The words are not searched for."""
    ages: tuple[UnclearAge, ...] = ()
    left: tuple[SearchedPhrase, ...] = ()
    left_text: str = ""
    """The query without the words that mean filters."""
    filters_text: str = ""
    """Only the words of the query that mean filters."""
    category_ids: tuple[int, ...] = ()
    """Species groups of the animals in the query, such as reptiles for "snake"."""
    either: SearchedPhrase | None = None
    """Alternatives from several species groups, such as "rabbit and guinea pig"."""
    is_empty: bool = False
    """Whether the query has text but no words, such as "%"."""
