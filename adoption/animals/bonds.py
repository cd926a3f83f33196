"""Animals that are adopted together: who they are, and how staff name them."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.orm import Session

from adoption import validation
from adoption.animals.catalogue import ID_LARGEST
from adoption.animals.models import Animal, Bond

MATES_MOST = 20
NAMING_LONGEST = 225
"""Characters of an animal as ``naming`` writes it: its name, and its number of 19 digits at most."""
SEVERAL = 5
"""Of animals with one name so many are told, for somebody to choose among."""


def mates_of(session: Session, project_id: int, animal_id: int, bond_id: int | None) -> list[tuple[int, str]]:
    """Ids and names of the others of its bond, those that were removed left out."""
    if bond_id is None:
        return []
    rows = session.execute(
        select(Animal.id, Animal.name)
        .where(Animal.project_id == project_id, Animal.bond_id == bond_id, Animal.id != animal_id)
        .where(Animal.removed_at.is_(None))
        .order_by(Animal.id)
    )
    return [(row[0], row[1]) for row in rows]


def naming(mates: Sequence[tuple[int, str]]) -> str:
    """Animals as a form shows them: "Salt (17), Pepper (18)"."""
    return ", ".join(f"{name.replace(',', ' ')} ({id_})" for id_, name in mates)


def mates_named(session: Session, project_id: int, text: str, animal_id: int | None) -> list[tuple[int, str]]:
    """The animals that a text names, parted by commas: each by its number, its code or its name.

    Raises ValueError, with a sentence, for one that is not there, that is the animal itself, or of whom
    there are several.
    """
    text = validation.bounded(MATES_MOST * NAMING_LONGEST, text, "the names")
    names = [part for part in (" ".join(each.split()) for each in text.split(",")) if part]
    if len(names) > MATES_MOST:
        raise ValueError(f"Name {MATES_MOST} animals at most")
    found = dict(mate_named(session, project_id, each) for each in names)
    if animal_id in found:
        raise ValueError("Leave out this animal itself")
    return sorted(found.items())


def mate_named(session: Session, project_id: int, text: str) -> tuple[int, str]:
    number = re.fullmatch(r"(?:.*\()?#?([0-9]{1,19})\)?", text, re.ASCII | re.DOTALL)
    named = or_(func.lower(Animal.name) == text.lower(), Animal.code == text)
    if number and 0 < int(number[1]) <= ID_LARGEST:
        named = or_(named, Animal.id == int(number[1]))
    here = (Animal.project_id == project_id, Animal.removed_at.is_(None), named)
    called = select(Animal.id, Animal.name).where(*here).order_by(Animal.id).limit(SEVERAL + 1)
    # No name holds what cannot be printed, and PostgreSQL takes no NUL even to look for it.
    rows = session.execute(called).all() if text.isprintable() else []
    if not rows:
        raise ValueError(f"None of your animals is called {text}. Check the spelling, or write the code")
    if len(rows) > 1:
        told = ", ".join(str(row[0]) for row in rows[:SEVERAL])
        raise ValueError(f"Several of your animals are called {text}. Write the number of one: {told}")
    return rows[0][0], rows[0][1]


def bind(session: Session, animal: Animal, mates: Collection[int], now: datetime) -> None:
    """Have the animal adopted together with these alone; bonds that are left with one animal end."""
    mine = (Animal.project_id == animal.project_id, Animal.removed_at.is_(None))
    before = set(
        session.scalars(
            select(Animal.bond_id).where(
                *mine, Animal.id.in_([animal.id, *mates]), Animal.bond_id.is_not(None)
            )
        )
    )
    bond_id = None
    if mates:
        bond_id = animal.bond_id or new_bond(session, animal.project_id)
    leaving = (Animal.project_id == animal.project_id, Animal.bond_id == animal.bond_id)
    if animal.bond_id is not None:
        set_bond(session, None, now, *leaving, Animal.id.not_in([animal.id, *mates]))
    set_bond(session, bond_id, now, *mine, Animal.id.in_(mates))
    animal.bond_id = bond_id
    session.flush()
    end_lonely(session, animal.project_id, before, now)


def new_bond(session: Session, project_id: int) -> int:
    bond = Bond(project_id=project_id)
    session.add(bond)
    session.flush()
    return bond.id


def set_bond(session: Session, bond_id: int | None, now: datetime, *where: ColumnElement[bool]) -> None:
    """Set the bond of animals as objects, so that the words for searching them change too."""
    other = Animal.bond_id.is_not(None) if bond_id is None else Animal.bond_id.is_distinct_from(bond_id)
    for animal in session.scalars(select(Animal).where(*where, other).order_by(Animal.id)):
        animal.bond_id, animal.updated_at = bond_id, now
    session.flush()


def end_lonely(session: Session, project_id: int, bonds: Collection[int | None], now: datetime) -> None:
    left = select(Animal.bond_id).where(Animal.bond_id.in_(bonds)).group_by(Animal.bond_id)
    together = set(session.scalars(left.having(func.count() > 1)))
    ended = [each for each in bonds if each not in together]
    if ended:
        set_bond(session, None, now, Animal.project_id == project_id, Animal.bond_id.in_(ended))
        session.execute(delete(Bond).where(Bond.project_id == project_id, Bond.id.in_(ended)))
