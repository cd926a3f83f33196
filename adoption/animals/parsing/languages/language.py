"""The type of a language's tables."""

from collections.abc import Mapping
from dataclasses import dataclass

Words = Mapping[str, str]
"""Words or phrases by meaning, separated by ``|``. Case, accents and punctuation do not matter."""


@dataclass(frozen=True)
class Language:
    """The words of one language for headers and values."""

    headers: Words
    """By the meaning of the column. Those of ``""`` have no meaning in this language."""
    weak: str
    """Headers with another meaning in another language. They count only beside another header of this one."""
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
    """Words that reverse the start of a status."""
