"""Bonds of animals that are adopted together, and the form field for the animals of a bond."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.orm import Session

from adoption import validation
from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.models import Animal, Bond
from adoption.translations import gettext

MATES_MOST = 20
NAMING_LONGEST = 225
"""Limit of characters that ``format_mates`` writes for one animal: a name and an id of up to 19 digits."""
SEVERAL = 5
"""Limit of animals with the same name that an error message lists."""


def mates_of(session: Session, project_id: int, animal_id: int, bond_id: int | None) -> list[tuple[int, str]]:
    """Return ids and names of the other animals in a bond, except removed animals."""
    if bond_id is None:
        return []
    rows = session.execute(
        select(Animal.id, Animal.name)
        .where(Animal.project_id == project_id, Animal.bond_id == bond_id, Animal.id != animal_id)
        .where(Animal.removed_at.is_(None))
        .order_by(Animal.id)
    )
    return [(row[0], row[1]) for row in rows]


def format_mates(mates: Sequence[tuple[int, str]]) -> str:
    """Return the text of the form field for these animals, such as "Salt (17), Pepper (18)"."""
    return ", ".join(f"{name.replace(',', ' ')} ({id_})" for id_, name in mates)


def parse_mates(session: Session, project_id: int, text: str, animal_id: int | None) -> list[tuple[int, str]]:
    """Return the animals named in a text. Commas separate the animals, each given by id, code or name.

    Raises ValueError for an unknown or ambiguous name, and for the animal itself.
    """
    text = validation.strip_bounded(MATES_MOST * NAMING_LONGEST, text, gettext("the names"))
    names = [part for part in (" ".join(each.split()) for each in text.split(",")) if part]
    if len(names) > MATES_MOST:
        raise ValueError(gettext("Name %(limit)s animals at most", limit=MATES_MOST))
    found = dict(parse_mate(session, project_id, each) for each in names)
    if animal_id in found:
        raise ValueError(gettext("An animal cannot be bonded with itself. Name only other animals"))
    return sorted(found.items())


def parse_mate(session: Session, project_id: int, text: str) -> tuple[int, str]:
    number = re.fullmatch(r"(?:.*\()?#?([0-9]{1,19})\)?", text, re.ASCII | re.DOTALL)
    named = or_(func.lower(Animal.name) == text.lower(), Animal.code == text)
    if number and 0 < int(number[1]) <= ID_LARGEST:
        named = or_(named, Animal.id == int(number[1]))
    here = (Animal.project_id == project_id, Animal.removed_at.is_(None), named)
    called = select(Animal.id, Animal.name).where(*here).order_by(Animal.id).limit(SEVERAL + 1)
    # No name contains unprintable characters, and PostgreSQL rejects NUL in parameters.
    rows = session.execute(called).all() if text.isprintable() else []
    if not rows:
        raise ValueError(
            gettext(
                "No animal of yours is called %(name)s. Check the spelling, or write the code of the animal",
                name=text,
            )
        )
    if len(rows) > 1:
        numbers = ", ".join(str(row[0]) for row in rows[:SEVERAL])
        raise ValueError(
            gettext(
                "Several of your animals are called %(name)s. Write the number of the right animal "
                "instead: %(numbers)s",
                name=text,
                numbers=numbers,
            )
        )
    return rows[0][0], rows[0][1]


def set_mates(session: Session, animal: Animal, mates: Collection[int], now: datetime) -> None:
    """Bond the animal with exactly these animals. Delete each bond that has only one animal afterwards."""
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
    end_bonds_of_one(session, animal.project_id, before, now)


def new_bond(session: Session, project_id: int) -> int:
    bond = Bond(project_id=project_id)
    session.add(bond)
    session.flush()
    return bond.id


def set_bond(session: Session, bond_id: int | None, now: datetime, *where: ColumnElement[bool]) -> None:
    """Set the bond through the ORM, which also updates the search words."""
    other = Animal.bond_id.is_not(None) if bond_id is None else Animal.bond_id.is_distinct_from(bond_id)
    for animal in session.scalars(select(Animal).where(*where, other).order_by(Animal.id)):
        animal.bond_id, animal.updated_at = bond_id, now
    session.flush()


def end_bonds_of_one(session: Session, project_id: int, bonds: Collection[int | None], now: datetime) -> None:
    left = select(Animal.bond_id).where(Animal.bond_id.in_(bonds)).group_by(Animal.bond_id)
    together = set(session.scalars(left.having(func.count() > 1)))
    ended = [each for each in bonds if each not in together]
    if ended:
        set_bond(session, None, now, Animal.project_id == project_id, Animal.bond_id.in_(ended))
        session.execute(delete(Bond).where(Bond.project_id == project_id, Bond.id.in_(ended)))
