"""Sentences for descriptions, by species.

``{name}`` stands for the animal and ``{He}``, ``{he}``, ``{him}``, ``{his}`` for its pronouns, so every
sentence is in the third person singular.
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
    """Openers for very young and for old animals."""
    found: bool = False
    """Whether an animal may be a stray."""
    needs: tuple[tuple[str, str], ...] = ()
    """Special needs: the note, and a sentence for the description."""


def split_sentences(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())
