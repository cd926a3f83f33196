"""The words in the search index of animals."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from adoption.animals.allowed_values import CATEGORIES
from adoption.search_words import WORD_LONGEST, stem_of, words_in

PROJECT, CATEGORY = "§", "¶"
"""Prefixes of the indexed words for an animal's project and category. No other word contains these signs.

With these words, a search in one project or category skips all other animals.
"""

NAME, KIND, LOOKS = "¡", "¢", "£"
"""Prefixes of the indexed words of an animal's name, of its species and breed, and of other columns.

Every word is also indexed without a prefix, so that a search in all fields is one lookup.
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
    "bond_id",
    "description",
)
"""Columns whose words are indexed. The project is indexed too."""

MIXED = ("mix", "mixed", "cross", "crossbreed")

HOUSE_TRAINED, SPECIAL_NEEDS, BONDED = "housetrained", "specialneeds", "bonded"

JOINED_MOST = 3

SPECIES_WORDS = {id_: words_in(name) for id_, name in CATEGORIES.items()}


def words_to_index(animal: Mapping[str, Any]) -> str:
    """Return the distinct words to index for an animal, separated by spaces.

    ``animal`` has ``project_id`` and the known columns of ``FOUND_BY``.
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
"""A function that returns the value of a column, or None."""


def name_words(known: Known) -> list[str]:
    """Return the words of the animal's name and public code."""
    words = words_in(known("name") or "")
    words = with_stems(words) + joined_neighbours(words)
    if code := known("code"):
        parts = words_in(code)
        words += parts + joined_neighbours(parts)
    return words


def kind_words(known: Known) -> list[str]:
    words = [*SPECIES_WORDS[known("category_id")]]
    for breed in (known("breed_primary"), known("breed_secondary")):
        if breed:
            parts = words_in(breed)
            words += with_stems(parts) + joined_neighbours(parts)
    if known("breed_mixed") or known("breed_secondary"):
        words += MIXED
    return words


def look_words(known: Known) -> list[str]:
    words = with_stems(words_in(colours)) if (colours := known("colours")) else []
    words += [sex] if (sex := known("sex")) else []
    words += [HOUSE_TRAINED] if known("house_trained") else []
    words += [SPECIAL_NEEDS] if known("special_needs") else []
    words += [BONDED] if known("bond_id") else []
    return words


def with_stems(words: Iterable[str]) -> list[str]:
    """Return the words, each followed by its stem if the stem differs."""
    found = []
    for word in words:
        found.append(word)
        if (stem := stem_of(word)) != word:
            found.append(stem)
    return found


def joined_neighbours(words: Sequence[str]) -> list[str]:
    """Return each pair of neighbouring words as one word, such as "germanshepherd"."""
    last = len(words)
    if last < 2:
        return []
    return [
        "".join(words[start:end])[:WORD_LONGEST]
        for start in range(last)
        for end in range(start + 2, min(start + JOINED_MOST, last) + 1)
    ]
