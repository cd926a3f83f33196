"""Search words: how an animal's texts and a visitor's question come to the same form, on every database."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select, bindparam, cast, column, literal_column, table
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.sql.elements import ColumnElement

from adoption.animals.fields import CATEGORIES

PROJECT, CATEGORY = "§", "¶"
"""Lead the words that name an animal's project and category. No text's word can hold them.

With these in the index a search in one of them need not look at what is found in the others.
"""

# Letters, digits and symbols make words (emoji are symbols, and marks stay with their letter); all else
# parts them. Scripts without spaces have a word for each letter.
SPACELESS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
WORD = re.compile(rf"[{SPACELESS}]|[^\W_{SPACELESS}]+|[^\w\s\u0000-\u00bf\u2000-\u206f\u3000-\u303f]")


def folded(text: str) -> str:
    """Text without case, accents and compatibility forms, as Unicode's NFKD has them."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


WORD_LONGEST = 40
"""Letters of a word that count: nobody types more, and PostgreSQL keeps 2,046 bytes of one."""


def words_in(text: str) -> list[str]:
    """The words of a text in their order, folded."""
    return [word[:WORD_LONGEST] for word in WORD.findall(folded(text))]


FOUND_BY = ("name", "category_id", "breed_primary", "breed_secondary", "description")
"""The columns of an animal that its words are made of, beside its project."""


def words_of(animal: Mapping[str, Any]) -> str:
    """Everything that a search finds an animal by, each word once, with spaces between.

    ``animal`` holds ``project_id`` and what is known of ``FOUND_BY``.
    """
    texts = (
        CATEGORIES[animal[column]] if column == "category_id" else animal.get(column) for column in FOUND_BY
    )
    words = dict.fromkeys(word for text in texts for word in words_in(text or ""))
    owner, category = f"{PROJECT}{animal['project_id']}", f"{CATEGORY}{animal['category_id']}"
    return " ".join([owner, category, *words])


# The search index on SQLite, a table of its own whose rowid is the animal's id.
FOUND = table("animal_search", column("rowid"))
ANIMAL_ID: ColumnElement[int] = literal_column("animals.id")


def matching(query: Select[*tuple[Any, ...]], dialect: str) -> Select[*tuple[Any, ...]]:
    """The animals of a query that have the words of the parameter ``match``."""
    if dialect == "sqlite":
        # SQLite is to walk what the index finds and look up each animal. Without the "+ 0" it may go through
        # animals instead and ask the whole index about each, which takes minutes.
        found = query.join(FOUND, FOUND.c.rowid + 0 == ANIMAL_ID)
        return found.where(literal_column("animal_search").op("MATCH")(bindparam("match")))
    return query.where(literal_column("animals.search").op("@@")(cast(bindparam("match"), TSQUERY)))


def found_id(dialect: str) -> ColumnElement[int]:
    """What a search orders animals by: on SQLite the index's own rowid, along which it walks."""
    return FOUND.c.rowid if dialect == "sqlite" else ANIMAL_ID


def match_of(
    words: Sequence[Sequence[str]], project_id: int | None, category_id: int | None, dialect: str
) -> str:
    """The parameter ``match``: every word at the beginning of one; of several alternatives, one whole.

    A single letter is a whole word as well: in scripts without spaces it is one.

    The words are folded, so they hold no quote and nothing else that either syntax gives a meaning.
    """
    quote, mark, either, both = (
        ('"', "*", " OR ", " AND ") if dialect == "sqlite" else ("'", ":*", " | ", " & ")
    )
    owned = ((PROJECT, project_id), (CATEGORY, category_id))
    parts = [f"{quote}{sign}{id_}{quote}" for sign, id_ in owned if id_ is not None]
    for alternatives in words:
        ending = mark if len(alternatives) == 1 and len(alternatives[0]) > 1 else ""
        terms = either.join(f"{quote}{word}{quote}{ending}" for word in alternatives)
        parts.append(f"({terms})")
    return both.join(parts)
