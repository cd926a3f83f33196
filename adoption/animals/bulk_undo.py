"""Undo for changes of one or several animals."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from adoption.animals.animal_audit import Editor
from adoption.animals.bulk_changes import AnimalState, states_of, write_changes
from adoption.animals.models import BulkChange
from adoption.errors import Conflict, NotFound
from adoption.storage.database import transaction
from adoption.translations import gettext

UNDO_PERIOD = timedelta(days=1)
"""How long a change can be undone."""


class BulkUndoResult(NamedTuple):
    restored: int
    kept: int
    """Number of animals that are not restored, because someone changed the animals after the bulk change."""


def undo_bulk_change(by: Editor, change_id: int, now: datetime | None = None) -> BulkUndoResult:
    """Restore the values from before a bulk change, except for animals that were changed again later.

    Raises NotFound if the change is unknown, and Conflict if the change is too old or already undone.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        made = change_to_undo(session, by.project_id, change_id, now)
        made.undone_at = now
        record: dict[int, dict[str, list[Any]]] = {
            int(id_): values for id_, values in json.loads(made.before).items()
        }
        states = states_of(session, by.project_id, record)
        same = {id_: state for id_, state in states.items() if is_unchanged(state, record[id_])}
        write_changes(
            session,
            by.project_id,
            {id_: {key: old for key, (old, _) in record[id_].items()} for id_ in same},
            now,
        )
        if same:
            what = f"{made.change.replace('_', ' ')} {made.value}".strip()
            by.note(session, "animal.undone", [(id_, state.name) for id_, state in same.items()], what, now)
        return BulkUndoResult(len(same), len(record) - len(same))


def change_to_undo(session: Session, project_id: int, change_id: int, now: datetime) -> BulkChange:
    made = session.scalar(
        select(BulkChange)
        .where(BulkChange.project_id == project_id, BulkChange.id == change_id)
        .with_for_update()
    )
    if made is None:
        raise NotFound(gettext("There is no such change in this project."))
    if made.created_at <= now - UNDO_PERIOD:
        raise Conflict(gettext("That change is too old to be undone."))
    if made.undone_at is not None:
        raise Conflict(gettext("That change was undone already."))
    if any(isinstance(each, list) for each in json.loads(made.before).values()):
        # An older version of Homeward stored this change in another format.
        raise Conflict(gettext("That change was made before an update of Homeward and cannot be undone."))
    return made


def is_unchanged(state: AnimalState, record: Mapping[str, list[Any]]) -> bool:
    removed = "removed" in record or not state.values["removed"]
    return removed and all(state.values[key] == new for key, (_, new) in record.items())


def forget_bulk_changes(now: datetime | None = None) -> None:
    """Delete the records of changes that are too old to be undone."""
    with transaction() as session:
        session.execute(
            delete(BulkChange).where(BulkChange.created_at <= (now or datetime.now(UTC)) - UNDO_PERIOD)
        )
