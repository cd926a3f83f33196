"""The type of a language's words for spreadsheets."""

from collections.abc import Mapping
from dataclasses import dataclass

Words = Mapping[str, str]
"""Words or phrases by their meaning, separated by ``|``. Case, accents and punctuation do not matter."""


@dataclass(frozen=True)
class Language:
    """The words of one language for headers and for values."""

    headers: Words
    """By the meaning of the column. Those of ``""`` have no meaning here, even if they have one elsewhere."""
    weak: str
    """Headers that mean something else in another language: they count beside another header of this one."""
    hiding: Words
    """Parts of headers of columns that can keep an animal hidden."""
    species: Words
    """By the name of the category."""
    sexes: Words
    altered: Words
    """By ``yes`` and ``no``."""
    statuses: Words
    """By status, or ``hidden``, ``on_hold`` and ``in_quarantine``."""
    sizes: Words
    coats: Words
    yes: str
    no: str
    unknown: str
    not_yet: str
    """Words that cancel the beginning of a status."""
