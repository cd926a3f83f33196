"""Removal and restoration of a project's animals."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import false, func, or_, update
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.models import Animal
from adoption.batches import id_batches

Change = tuple[ColumnElement[bool], dict[str, Any]]
"""The condition for the animals to change, and the values to set."""


def removal(now: datetime) -> Change:
    still_there = or_(Animal.removed_at.is_(None), Animal.listed)
    return still_there, {
        "removed_at": now,
        "listed": False,
        "listed_before_removal": Animal.listed,
        "updated_at": now,
    }


def restoration(now: datetime) -> Change:
    listed = or_(Animal.listed, func.coalesce(Animal.listed_before_removal, false()))
    values = {"removed_at": None, "listed": listed, "listed_before_removal": None, "updated_at": now}
    return Animal.removed_at.is_not(None), values


def update_project_animals(
    session: Session, project_id: int, ids: Iterable[int], where: ColumnElement[bool], values: dict[str, Any]
) -> list[int]:
    """Set the same values on a project's animals that match ``where``. Return the ids of these animals."""
    known = sorted({id_ for id_ in ids if 0 < id_ <= ID_LARGEST})
    found: list[int] = []
    for portion in id_batches(known):
        some = Animal.id.in_(portion)
        change = update(Animal).where(Animal.project_id == project_id, some, where).values(values)
        unsynchronised = {"synchronize_session": False}
        found += session.scalars(change.returning(Animal.id), execution_options=unsynchronised)
    return sorted(found)
