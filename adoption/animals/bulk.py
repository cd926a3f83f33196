"""What the staff change of one animal or of several at once, and how it is taken back."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from adoption.animals.actions import changed, removal, restoration
from adoption.animals.catalogue import ID_LARGEST
from adoption.animals.editors import Editor, named_together
from adoption.animals.fields import STATUSES
from adoption.animals.models import Animal, BulkChange, CareRecord
from adoption.database import transaction
from adoption.errors import Conflict, Invalid, NotFound

KEPT = timedelta(days=1)
"""How long a change can be taken back."""
AT_ONCE = 1_000

CHANGES: Mapping[str, Sequence[str]] = {
    "status": STATUSES,
    "listed": ("yes", "no"),
    "removed": ("yes", "no"),
}
"""What can be changed, and to what. What is not listed is on hold."""
ACTIONS = {
    ("listed", "yes"): "animal.listed",
    ("listed", "no"): "animal.held",
    ("removed", "yes"): "animal.removed",
    ("removed", "no"): "animal.restored",
}


class State(NamedTuple):
    """What of an animal these changes concern."""

    name: str
    status: str
    removed: bool
    listed: bool
    on_hold: bool
    in_quarantine: bool

    def value_of(self, change: str) -> str:
        """What the change would have set, had it made the animal as it is; empty for nothing it can set."""
        if change == "status":
            return self.status
        if change == "removed":
            return "yes" if self.removed else "no"
        if self.listed:
            return "yes"
        return "no" if self.on_hold else ""

    def told(self) -> list[object]:
        """What is kept of it to be brought back."""
        return [self.status, self.listed, self.on_hold, self.in_quarantine]


class Done(NamedTuple):
    change_id: int | None
    """By which it is taken back; None where nothing was changed."""
    animals: list[tuple[int, str]]
    """Id and name of those that were changed."""


def change_animals(
    by: Editor, ids: Collection[int], change: str, value: str, now: datetime | None = None
) -> Done:
    """Set the same of several animals. Those that have it already, and strangers, are left alone.

    Removed animals can be restored, and nothing else. Raises Invalid for what cannot be set.
    """
    now = now or datetime.now(UTC)
    refuse_unknown(ids, change, value)
    with transaction() as session:
        wanted = {
            id_: state
            for id_, state in states_of(session, by.project_id, ids).items()
            if state.value_of(change) != value and (change == "removed" or not state.removed)
        }
        if not wanted:
            return Done(None, [])
        put(session, by.project_id, list(wanted), change, value, now)
        kept = BulkChange(project_id=by.project_id, change=change, value=value, created_at=now)
        kept.before = json.dumps({id_: state.told() for id_, state in wanted.items()})
        session.add(kept)
        session.flush()
        animals = [(id_, state.name) for id_, state in wanted.items()]
        note(by, session, change, value, animals, now)
        return Done(kept.id, animals)


def refuse_unknown(ids: Collection[int], change: str, value: str) -> None:
    if value not in CHANGES.get(change, ()):
        raise Invalid([(change, f"cannot be set to {value!r}")])
    if len(ids) > AT_ONCE:
        raise Invalid([("ids", f"must be {AT_ONCE:,} animals at most, not {len(ids):,}")])


def states_of(session: Session, project_id: int, ids: Collection[int]) -> dict[int, State]:
    """The animals of the project as they are, held until the transaction ends."""
    known = [id_ for id_ in ids if 0 < id_ <= ID_LARGEST]
    rows = session.execute(
        select(Animal, CareRecord)
        .outerjoin(CareRecord, CareRecord.animal_id == Animal.id)
        .where(Animal.project_id == project_id, Animal.id.in_(known))
        .order_by(Animal.id)
        .with_for_update(of=Animal)
    )
    return {
        animal.id: State(
            animal.name,
            animal.status,
            animal.removed_at is not None,
            animal.listed,
            bool(care and care.on_hold),
            bool(care and care.in_quarantine),
        )
        for animal, care in rows
    }


def put(
    session: Session, project_id: int, ids: Sequence[int], change: str, value: str, now: datetime
) -> None:
    if change == "removed":
        changed(session, project_id, ids, *(removal(now) if value == "yes" else restoration(now)))
        return
    if change == "listed":
        hold(
            session, ids, {"on_hold": False, "in_quarantine": False} if value == "yes" else {"on_hold": True}
        )
    values = {"status": value} if change == "status" else {"listed": value == "yes"}
    changed(session, project_id, ids, Animal.removed_at.is_(None), values | {"updated_at": now})


def hold(session: Session, ids: Sequence[int], flags: Mapping[str, bool]) -> None:
    """Note in the care records why these animals are not seen, or that nothing keeps them any more."""
    there = set(session.scalars(select(CareRecord.animal_id).where(CareRecord.animal_id.in_(ids))))
    session.execute(update(CareRecord).where(CareRecord.animal_id.in_(ids)).values(flags))
    new = [{"animal_id": id_, **flags} for id_ in ids if id_ not in there]
    if new and any(flags.values()):
        session.execute(insert(CareRecord), new)


def note(
    by: Editor, session: Session, change: str, value: str, animals: list[tuple[int, str]], now: datetime
) -> None:
    thing, who = named_together(animals)
    to = f"to {value}" if change == "status" else ""
    detail = ": ".join(part for part in (to, who) if part)
    by.note(session, ACTIONS.get((change, value), "animal.status"), thing, detail, now)


class Undone(NamedTuple):
    restored: int
    kept: int
    """Animals that somebody has changed since, and that stay as they are."""


def take_back(by: Editor, change_id: int, now: datetime | None = None) -> Undone:
    """Bring the animals of a change back to what they were, but those that were changed since.

    Raises NotFound for a change that there is not, Conflict for one that is too old or was taken back before.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        made = session.scalar(
            select(BulkChange)
            .where(BulkChange.project_id == by.project_id, BulkChange.id == change_id)
            .with_for_update()
        )
        if made is None:
            raise NotFound("There is no such change in this project.")
        if made.created_at <= now - KEPT:
            raise Conflict("That change is too old to be taken back.")
        if made.undone_at is not None:
            raise Conflict("That change was taken back already.")
        made.undone_at = now
        before = {int(id_): told for id_, told in json.loads(made.before).items()}
        states = states_of(session, by.project_id, before)
        same = {id_: state for id_, state in states.items() if unchanged(state, made)}
        bring_back(session, by.project_id, made, {id_: before[id_] for id_ in same}, now)
        if same:
            thing, who = named_together([(id_, state.name) for id_, state in same.items()])
            by.note(session, "animal.undone", thing, f"{made.change} {made.value} {who}".strip(), now)
        return Undone(len(same), len(before) - len(same))


def unchanged(state: State, made: BulkChange) -> bool:
    removed = made.change == "removed" or not state.removed
    return removed and state.value_of(made.change) == made.value


def bring_back(
    session: Session, project_id: int, made: BulkChange, before: Mapping[int, list[object]], now: datetime
) -> None:
    """One change for all animals that were alike."""
    if made.change == "removed":
        put(session, project_id, list(before), "removed", "no" if made.value == "yes" else "yes", now)
        return
    alike: dict[tuple[object, ...], list[int]] = {}
    for id_, (status, *seen) in before.items():
        alike.setdefault((status,) if made.change == "status" else tuple(seen), []).append(id_)
    for told, ids in alike.items():
        values: dict[str, object] = {"status": told[0]} if made.change == "status" else {"listed": told[0]}
        if made.change == "listed":
            hold(session, ids, {"on_hold": bool(told[1]), "in_quarantine": bool(told[2])})
        changed(session, project_id, ids, Animal.removed_at.is_(None), values | {"updated_at": now})


def forget(now: datetime | None = None) -> None:
    """Remove what is kept of changes that are too old to be taken back."""
    with transaction() as session:
        session.execute(delete(BulkChange).where(BulkChange.created_at <= (now or datetime.now(UTC)) - KEPT))
