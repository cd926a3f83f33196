"""Audit entries about changes of animals, and the user who makes the changes."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import insert
from sqlalchemy.orm import Session

from adoption.animals.models import AnimalEntry
from adoption.audit import trail
from adoption.audit.actors import Actor

NAMES_MOST = 5


class Editor(NamedTuple):
    """A user who works on the animals of one project."""

    actor: Actor
    account_id: int
    project_id: int

    def note(
        self, session: Session, action: str, animals: Sequence[tuple[int, str]], detail: str, now: datetime
    ) -> None:
        """Add an audit entry about animals, given as id and name, in the caller's transaction.

        The entry appears in the history of each animal. The entry's text names at most ``NAMES_MOST``
        animals.
        """
        thing, names = names_with_ids(animals)
        words = ": ".join(part for part in (detail, names) if part)
        entry = trail.record(session, self.actor, action, self.account_id, self.project_id, thing, words, now)
        session.flush()
        session.execute(insert(AnimalEntry), [{"animal_id": id_, "entry_id": entry.id} for id_, _ in animals])


def name_with_id(animal_id: int, name: str) -> str:
    """Return the name with the id, because names are not unique."""
    return f"{name} ({animal_id})"


def names_with_ids(animals: Sequence[tuple[int, str]]) -> tuple[str, str]:
    """Return the subject of an audit entry, and a list of animals for the entry's text.

    The subject is either one animal, or the number of animals. The list names at most ``NAMES_MOST`` animals,
    and is empty if the subject is one animal.
    """
    if len(animals) == 1:
        return name_with_id(*animals[0]), ""
    names = [name_with_id(*each) for each in animals[:NAMES_MOST]]
    rest = len(animals) - len(names)
    return f"{len(animals):,} animals", ", ".join(names) + (f" and {rest:,} more" if rest else "")
