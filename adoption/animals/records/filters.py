"""Filters of a list of records."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from sqlalchemy import Boolean, ColumnElement, and_, bindparam, or_

from adoption.animals.age_groups import birth_dates
from adoption.animals.full_text_queries import Piece, Term, plain_terms
from adoption.animals.indexed_words import KIND, LOOKS, NAME
from adoption.animals.models import Animal
from adoption.search_words import words_in
from adoption.storage.database import UTCDateTime
from adoption.storage.json_arrays import is_in_json_array, json_array

UNKNOWN = "unknown"
"""The value of a filter for animals without a value in the filter's column."""
SEARCH_WORDS_MOST = 8

RecordFilters = Mapping[str, Any]
"""The values of filters, by name. An animal must match at least one value of every filter.

Filters of ``COLUMNS``, ``ANSWERS``, ``WORDS`` and ``age`` have a tuple of values. Filters of
``INSTANTS`` have a time, and ``q`` has a text.
"""

COLUMNS = {
    "status": Animal.status,
    "species": Animal.category_id,
    "sex": Animal.sex,
    "size": Animal.size,
    "coat": Animal.coat,
    "code": Animal.code,
    "shelter": Animal.project_id,
}
ANSWERS = {
    name: getattr(Animal, name)
    for name in (
        *("good_with_children", "good_with_dogs", "good_with_cats"),
        *("house_trained", "special_needs", "altered", "declawed"),
    )
}
WITHOUT_UNKNOWN = {"code", "shelter"}
"""Filters of ``COLUMNS`` in which ``UNKNOWN`` is a value like any other."""
INSTANTS = {
    "shown_since": Animal.shown_at >= bindparam("shown_since", type_=UTCDateTime()),
    "shown_before": Animal.shown_at < bindparam("shown_before", type_=UTCDateTime()),
    "updated_since": Animal.updated_at >= bindparam("updated_since", type_=UTCDateTime()),
}
WORDS = {"breed": KIND, "colour": LOOKS, "name": NAME}
"""The field of the search index in which a filter's words are searched for."""
BEGINNINGS = {"name"}
"""Filters whose words also match longer words with this beginning."""

ANSWER_CONDITIONS: dict[str, Callable[[ColumnElement[Boolean]], ColumnElement[bool]]] = {
    "yes": lambda column: column.is_(True),
    "no": lambda column: column.is_(False),
    UNKNOWN: lambda column: column.is_(None),
}

Shape = tuple[tuple[str, Any], ...]
"""The name and the form of each filter in a statement. Statements for different values can have one shape."""


def shape_of(filters: RecordFilters) -> Shape:
    return tuple(
        (name, form_of(name, filters[name])) for name in sorted(filters) if name not in ("q", *WORDS)
    )


def form_of(name: str, values: Any) -> Any:
    """Return the form of a filter. Filters with the same name and form have the same SQL."""
    if name in COLUMNS:
        known = known_values(name, values)
        return min(len(known), 2), len(known) < len(set(values))
    return None if name in INSTANTS else tuple(sorted(set(values)))


def known_values(name: str, values: Any) -> set[Any]:
    return set(values) if name in WITHOUT_UNKNOWN else set(values) - {UNKNOWN}


def condition_of(name: str, form: Any) -> ColumnElement[bool]:
    if name in INSTANTS:
        return INSTANTS[name]
    if name == "age":
        return or_(*map(age_condition, form))
    if name in ANSWERS:
        return or_(*(ANSWER_CONDITIONS[answer](ANSWERS[name]) for answer in form))
    known, has_unknown = form
    column, either = COLUMNS[name], []
    if known == 1:
        either.append(column == bindparam(name))
    elif known:
        either.append(is_in_json_array(column, name))
    if has_unknown:
        either.append(column.is_(None))
    return or_(*either)


def age_condition(group: str) -> ColumnElement[bool]:
    if group == UNKNOWN:
        return and_(Animal.birth_date.is_(None), Animal.age_group.is_(None))
    earliest, latest = (bindparam(f"{group}_{end}", type_=Animal.birth_date.type) for end in ("from", "to"))
    return or_(Animal.birth_date.between(earliest, latest), Animal.age_group == bindparam(f"{group}_group"))


def parameters_of(filters: RecordFilters, today: date) -> dict[str, Any]:
    """Return the parameters of the conditions in SQL. Ages are counted on the date ``today``."""
    found: dict[str, Any] = {}
    for name, values in filters.items():
        if name in INSTANTS:
            found[name] = values
        elif name == "age":
            for group in set(values) - {UNKNOWN}:
                earliest, latest = birth_dates(group, today)
                found |= {f"{group}_from": earliest.isoformat(), f"{group}_to": latest.isoformat()}
                found[f"{group}_group"] = group
        elif name in COLUMNS and (known := sorted(known_values(name, values))):
            found[name] = known[0] if len(known) == 1 else json_array(known)
    return found


def search_terms(filters: RecordFilters) -> tuple[Term, ...] | None:
    """Return the terms that an animal's indexed words must match, or None if no filter is for words.

    A filter that contains only punctuation matches no animal.
    """
    if not filters.keys() & {"q", *WORDS}:
        return None
    terms = plain_terms(filters["q"], SEARCH_WORDS_MOST) or (Term(()),) if "q" in filters else ()
    return terms + tuple(field_term(name, filters[name]) for name in WORDS if name in filters)


def field_term(name: str, values: tuple[str, ...]) -> Term:
    """Return a term. An animal matches the term if its field contains all words of at least one value."""
    is_beginning, field = name in BEGINNINGS, WORDS[name]
    ways = (tuple(Piece(word, is_beginning, field) for word in words_in(value)) for value in values)
    return Term(tuple(filter(None, ways)))
