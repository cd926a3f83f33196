"""The sentences that descriptions are made of, by kind of animal.

``{name}`` stands for the animal and ``{He}``, ``{he}``, ``{him}``, ``{his}`` for its pronouns, so every
sentence is in the third person singular.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class SpeciesPhrases:
    """What may be said of one kind of animal."""

    openers: tuple[str, ...]
    habits: tuple[str, ...]
    homes: tuple[str, ...]
    young: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    """Openers for the very young and for the old."""
    found: bool = False
    """Whether one may be a stray."""
    needs: tuple[tuple[str, str], ...] = ()
    """Special needs: what is said in the note, and what in the description."""


def split_sentences(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())
