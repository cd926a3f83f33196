"""Sentences for descriptions, by species.

``{name}`` is the animal's name. ``{He}``, ``{he}``, ``{him}`` and ``{his}`` are the animal's pronouns, so
every sentence is in the third person singular.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class SpeciesPhrases:
    """Sentences about one species."""

    openers: tuple[str, ...]
    habits: tuple[str, ...]
    homes: tuple[str, ...]
    young: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    """The openers for old animals. ``young`` has the openers for very young animals."""
    found: bool = False
    """Whether an animal of this species can be a stray."""
    needs: tuple[tuple[str, str], ...] = ()
    """The special needs: each is a note, and a sentence for the description."""


def split_sentences(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())
