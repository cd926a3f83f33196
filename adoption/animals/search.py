"""Search words: how an animal's texts and a visitor's question come to the same form, on every database."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from adoption.animals.fields import CATEGORIES

PROJECT = "§"
"""Leads the word that names an animal's project. No text can hold it: it is no letter, digit or symbol."""

# Letters, digits and symbols make words (emoji are symbols, and marks stay with their letter); all else
# parts them. Scripts without spaces have a word for each letter.
SPACELESS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
WORD = re.compile(rf"[{SPACELESS}]|[^\W_{SPACELESS}]+|[^\w\s\u0000-\u00bf\u2000-\u206f\u3000-\u303f]")


def folded(text: str) -> str:
    """Text without case, accents and compatibility forms, as Unicode's NFKD has them."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def words_in(text: str) -> list[str]:
    """The words of a text in their order, folded."""
    return WORD.findall(folded(text))


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
    return " ".join([f"{PROJECT}{animal['project_id']}", *words])
