"""Changes of one or several animals from the staff list."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from adoption.animals import animal_and_photo_limits
from adoption.animals.allowed_values import ID_LARGEST, STATUSES
from adoption.animals.animal_audit import Editor
from adoption.animals.models import Animal, BulkChange, CareRecord
from adoption.animals.removals import removal, restoration, update_project_animals
from adoption.batches import id_batches
from adoption.errors import Invalid
from adoption.storage.database import transaction

AT_ONCE = 20_000
"""Limit of animals in one bulk change."""

CHANGES: Mapping[str, Sequence[str]] = {
    "status": STATUSES,
    "listed": ("yes", "no"),
    "on_hold": ("yes", "no"),
    "in_quarantine": ("yes", "no"),
    "removed": ("yes", "no"),
}
"""The properties that can be changed, with their allowed values."""
ONE_BY_ONE = {("on_hold", "no"), ("in_quarantine", "no")}
"""Changes that are allowed only for one animal at a time.

Each hold has its own reason, so staff end each hold separately.
"""
ACTIONS = {
    ("listed", "yes"): "animal.listed",
    ("listed", "no"): "animal.hidden",
    ("on_hold", "yes"): "animal.held",
    ("on_hold", "no"): "animal.unheld",
    ("in_quarantine", "yes"): "animal.quarantined",
    ("in_quarantine", "no"): "animal.unquarantined",
    ("removed", "yes"): "animal.removed",
    ("removed", "no"): "animal.restored",
}

HOLDS = ("on_hold", "in_quarantine")
DETAILS = ("good_with_children", "good_with_dogs", "good_with_cats", "house_trained", "fee_cents")
"""Additional columns that can be set for several animals at once."""
KEPT = ("status", "listed", *DETAILS)
"""Columns of ``Animal`` that a bulk change can set."""

Values = dict[str, Any]


class AnimalState(NamedTuple):
    """An animal before a change."""

    name: str
    values: Values
    """The animal's values by name.

    The names are the columns in ``KEPT``, the holds in ``HOLDS``, and ``removed``.
    """

    def holds(self) -> list[str]:
        return [each for each in HOLDS if self.values[each]]


class BulkChangeResult(NamedTuple):
    change_id: int | None
    """The id with which the change can be undone; None if nothing changed."""
    animals: list[tuple[int, str]]
    """Id and name of each changed animal."""
    kept_hidden: Sequence[tuple[str, list[str]]] = ()
    """Name and current holds of each animal that stays hidden because of a hold."""


def change_animals(
    by: Editor, ids: Collection[int], change: str, value: str, now: datetime | None = None
) -> BulkChangeResult:
    """Set one property of several animals.

    Animals that already have the value stay unchanged, and so do animals of other projects. Removed animals
    can only be restored. The change ``listed`` does not show an animal that is on hold or in quarantine.
    Raises Invalid if the change is unknown, if there are too many animals, or if the change is allowed only
    for one animal. Raises PlanLimit if the restored animals exceed the plan.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        return change_within(session, by, ids, change, value, now)


def change_within(
    session: Session, by: Editor, ids: Collection[int], change: str, value: str, now: datetime
) -> BulkChangeResult:
    """Do ``change_animals`` within the caller's transaction."""
    refuse_unknown_change(ids, change, value)
    if (change, value) == ("removed", "no"):
        animal_and_photo_limits.take_restored_animals(session, by.project_id, ids, now)
    states = states_of(session, by.project_id, ids)
    usable = {
        id_: state for id_, state in states.items() if change == "removed" or not state.values["removed"]
    }
    made = effective_changes(usable, lambda state: planned_values(state, change, value))
    hidden = (
        [(state.name, state.holds()) for id_, state in usable.items() if id_ not in made and state.holds()]
        if (change, value) == ("listed", "yes")
        else []
    )
    done = record_changes_made(session, by, usable, made, change, value, now)
    if done.animals:
        detail = f"to {value}" if change == "status" else ""
        by.note(session, ACTIONS.get((change, value), "animal.status"), done.animals, detail, now)
    return done._replace(kept_hidden=hidden)


def change_details(
    by: Editor, ids: Collection[int], values: Values, now: datetime | None = None
) -> BulkChangeResult:
    """Set some of ``DETAILS`` for several animals. Columns not in ``values`` stay unchanged."""
    now = now or datetime.now(UTC)
    refuse_too_many_animals(ids)
    unknown = values.keys() - set(DETAILS)
    if unknown:
        raise Invalid([(each, "cannot be changed for several animals at once") for each in sorted(unknown)])
    with transaction() as session:
        states = states_of(session, by.project_id, ids)
        usable = {id_: state for id_, state in states.items() if not state.values["removed"]}
        made = effective_changes(usable, lambda _: values)
        done = record_changes_made(session, by, usable, made, "details", "", now)
        if done.animals:
            detail = ", ".join(each.replace("_", " ") for each in values)
            by.note(session, "animal.edited", done.animals, detail, now)
        return done


def refuse_unknown_change(ids: Collection[int], change: str, value: str) -> None:
    if value not in CHANGES.get(change, ()):
        raise Invalid([(change, f"cannot be set to {value!r}")])
    refuse_too_many_animals(ids)
    if (change, value) in ONE_BY_ONE and len(ids) > 1:
        raise Invalid(
            [("ids", "must have only one id: a hold or quarantine is ended for one animal at a time")]
        )


def refuse_too_many_animals(ids: Collection[int]) -> None:
    if len(ids) > AT_ONCE:
        raise Invalid([("ids", f"must be {AT_ONCE:,} animals at most, not {len(ids):,}")])


def planned_values(state: AnimalState, change: str, value: str) -> Values:
    """Return the values that the change sets for an animal in this state; empty for an unchanged animal."""
    yes = value == "yes"
    if change == "status":
        return {"status": value}
    if change == "removed":
        return {"removed": yes}
    if change == "listed":
        return {} if yes and state.holds() else {"listed": yes}
    other = [each for each in state.holds() if each != change]
    # When the last hold ends, the animal becomes visible.
    return {change: yes, "listed": not yes and not other}


def effective_changes(states: Mapping[int, AnimalState], outcome: Any) -> dict[int, Values]:
    """Return the new values by animal id. Animals that already have the new values are left out."""
    made = {}
    for id_, state in states.items():
        wanted = outcome(state)
        if any(state.values[key] != value for key, value in wanted.items()):
            made[id_] = wanted
    return made


def record_changes_made(
    session: Session,
    by: Editor,
    states: Mapping[int, AnimalState],
    made: Mapping[int, Values],
    change: str,
    value: str,
    now: datetime,
) -> BulkChangeResult:
    """Save the changes, and the data with which staff can undo the changes."""
    if not made:
        return BulkChangeResult(None, [])
    write_changes(session, by.project_id, made, now)
    record = {
        id_: {key: [states[id_].values[key], new] for key, new in wanted.items()}
        for id_, wanted in made.items()
    }
    kept = BulkChange(project_id=by.project_id, change=change, value=value, created_at=now)
    kept.before = json.dumps(record)
    session.add(kept)
    session.flush()
    return BulkChangeResult(kept.id, [(id_, states[id_].name) for id_ in made])


def states_of(session: Session, project_id: int, ids: Collection[int]) -> dict[int, AnimalState]:
    """Return the project's animals by id, locked until the transaction ends."""
    found: dict[int, AnimalState] = {}
    known = sorted({id_ for id_ in ids if 0 < id_ <= ID_LARGEST})
    for some in id_batches(known):
        rows = session.execute(
            select(
                Animal.id,
                Animal.name,
                Animal.removed_at,
                *(getattr(Animal, each) for each in KEPT),
                *(getattr(CareRecord, each) for each in HOLDS),
            )
            .outerjoin(CareRecord, CareRecord.animal_id == Animal.id)
            .where(Animal.project_id == project_id, Animal.id.in_(some))
            .order_by(Animal.id)
            .with_for_update(of=Animal)
        )
        for row in rows.mappings():
            values = {each: row[each] for each in KEPT} | {each: bool(row[each]) for each in HOLDS}
            found[row["id"]] = AnimalState(row["name"], values | {"removed": row["removed_at"] is not None})
    return found


def write_changes(session: Session, project_id: int, made: Mapping[int, Values], now: datetime) -> None:
    """Save the values of each animal. One statement updates all animals with the same new values."""
    for values, ids in group_by_values(made):
        if "removed" in values:
            how = removal(now) if values["removed"] else restoration(now)
            update_project_animals(session, project_id, ids, *how)
            continue
        set_holds(session, ids, {key: value for key, value in values.items() if key in HOLDS})
        columns = {key: value for key, value in values.items() if key in KEPT}
        update_project_animals(
            session, project_id, ids, Animal.removed_at.is_(None), columns | {"updated_at": now}
        )


def group_by_values(made: Mapping[int, Values]) -> Iterator[tuple[Values, list[int]]]:
    groups: defaultdict[tuple[tuple[str, Any], ...], list[int]] = defaultdict(list)
    for id_, values in made.items():
        groups[tuple(sorted(values.items()))].append(id_)
    for items, ids in groups.items():
        yield dict(items), ids


def set_holds(session: Session, ids: Sequence[int], flags: Mapping[str, bool]) -> None:
    """Set holds in the care records of these animals."""
    if not flags:
        return
    for some in id_batches(ids):
        there = set(session.scalars(select(CareRecord.animal_id).where(CareRecord.animal_id.in_(some))))
        session.execute(update(CareRecord).where(CareRecord.animal_id.in_(some)).values(flags))
        new = [{"animal_id": id_, **flags} for id_ in some if id_ not in there]
        if new and any(flags.values()):
            session.execute(insert(CareRecord), new)
