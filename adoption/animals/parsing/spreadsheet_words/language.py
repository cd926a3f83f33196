"""The type of a language's tables."""

from collections.abc import Mapping
from dataclasses import dataclass

Words = Mapping[str, str]
"""The words or phrases for each meaning, separated by ``|``. Case, accents and punctuation do not matter."""


@dataclass(frozen=True)
class Language:
    """The words of one language for headers and values."""

    headers: Words
    """The headers for each meaning of a column. The headers under ``""`` have no meaning in this language."""
    weak: str
    """Headers that have another meaning in another language.

    Such a header counts only if the file has another header of this language.
    """
    hiding: Words
    """Parts of the headers that mark a column as hiding animals, by meaning."""
    species: Words
    """The words for each category name."""
    sexes: Words
    altered: Words
    """The words for altered (``yes``) and not altered (``no``)."""
    statuses: Words
    """The words for each status, and for ``hidden``, ``on_hold`` and ``in_quarantine``."""
    sizes: Words
    coats: Words
    yes: str
    no: str
    unknown: str
    not_yet: str
    """Words that reverse the meaning of a status that they follow."""
