"""Plan limits for the number of animals and the size of photos.

Existing data over the limit is kept. New data is rejected.
"""

import threading
import time
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from flask import current_app
from sqlalchemy import BigInteger, Select, bindparam, cast, func, select
from sqlalchemy.orm import Session

from adoption.accounts.account_row_lock import lock_account
from adoption.accounts.models import Account
from adoption.accounts.plans import Caps, advice_for_more, caps_of_plan
from adoption.animals.models import Animal, Photo
from adoption.english_plurals import counted
from adoption.errors import PlanLimit
from adoption.projects.models import Project
from adoption.storage.database import UTCDateTime
from adoption.storage.prepared_statements import Prepared

REMOVED_COUNT_FOR = timedelta(days=30)
"""How long a removed animal still counts.

Otherwise the limit could be avoided by removing and adding animals.
"""
KEPT_SHARE = 16
"""Divisor of the remaining room. A process caches this part of it, so that it need not count each time."""
KEPT_SECONDS = 5
"""How long the cached room is valid. An account cannot use up the rest of its room in this time."""
KEPT_MOST = 10_000
"""Limit of accounts whose room a process caches."""
KEEPING = threading.Lock()

ANIMALS_ADVICE = "Remove animals that you no longer need (each counts for 30 more days), or {}."
PHOTOS_ADVICE = "Remove photos that you no longer need, or {}."


class Holder(NamedTuple):
    """The account that owns a project, with its plan and limits."""

    account_id: int
    plan: str
    caps: Caps


HOLDER = Prepared(
    select(
        Project.account_id, Account.plan, Account.animals_cap, Account.photo_bytes_cap, Account.imports_cap
    )
    .join(Account, Account.id == Project.account_id)
    .where(Project.id == bindparam("project_id"))
)
_animals: Select[Any] = (
    select(func.count())
    .select_from(Animal)
    .join(Project, Project.id == Animal.project_id)
    .where(Project.account_id == bindparam("account_id"))
)
_removed = _animals.where(Animal.removed_at <= bindparam("since", type_=UTCDateTime()))
# As a difference of two counts, both counts read only indexes: 20,000 animals take 0.4 ms of CPU instead of
# 13 ms.
ANIMALS = Prepared(select(_animals.scalar_subquery() - _removed.scalar_subquery()))
# The size of photos stored before sizes were recorded is estimated from their pixels.
_bytes = func.coalesce(Photo.bytes, Photo.width * Photo.height / 4)
PHOTO_BYTES = Prepared(
    select(cast(func.coalesce(func.sum(_bytes), 0), BigInteger))
    .select_from(Photo)
    .join(Animal, Animal.id == Photo.animal_id)
    .join(Project, Project.id == Animal.project_id)
    .where(Project.account_id == bindparam("account_id"))
)


def holder_of(project_id: int) -> Holder:
    row = HOLDER.first(project_id=project_id)
    assert row is not None, "a project has an account"  # noqa: S101
    account_id, plan, *own = row
    return Holder(account_id, plan, caps_of_plan(plan, Caps(*own)))


def count_account_animals(account_id: int, now: datetime | None = None) -> int:
    """Return how many of an account's animals count towards the limit."""
    since = (now or datetime.now(UTC)) - REMOVED_COUNT_FOR
    return first_number(ANIMALS, account_id=account_id, since=since)


def photo_bytes_of(account_id: int) -> int:
    """Return the total size of an account's photos in bytes."""
    return first_number(PHOTO_BYTES, account_id=account_id)


def first_number(statement: Prepared, **parameters: Any) -> int:
    row = statement.first(**parameters)
    return int(row[0]) if row else 0


def has_kept_animal(project_id: int) -> bool:
    """Take room for one animal from this process's cache. Return whether the cache had room."""
    key = animals_key(holder_of(project_id))
    return key is None or takes_kept(key, 1)


def take_animals(session: Session, project_id: int, number: int = 1) -> None:
    """Take room for more animals, in the transaction that adds them.

    Near the limit, additions to one account run one after another. So concurrent additions cannot exceed the
    limit. Raises PlanLimit if there is not enough room.
    """
    holder = holder_of(project_id)
    key = animals_key(holder)
    if key is None or takes_kept(key, number):
        return
    lock_account(session, holder.account_id)
    if not takes(key, number, key.cap - count_account_animals(holder.account_id)):
        raise PlanLimit(animals_sentence(holder))


def take_restored(session: Session, project_id: int, ids: Collection[int], now: datetime) -> None:
    """Take room for restored animals that no longer counted. Raises PlanLimit if there is not enough room."""
    gone = (Animal.project_id == project_id, Animal.removed_at <= now - REMOVED_COUNT_FOR)
    ids_of_project = set(session.scalars(select(Animal.id).where(*gone)))
    if number := len(ids_of_project.intersection(ids)):
        take_animals(session, project_id, number)


def animals_left(project_id: int, session: Session | None = None) -> tuple[int | None, str]:
    """Return how many more animals are allowed (None for no limit), and the error message for more.

    With ``session``, the account is locked until the session's transaction ends.
    """
    holder = holder_of(project_id)
    cap = holder.caps.animals
    if cap is None:
        return None, ""
    if session is not None:
        lock_account(session, holder.account_id)
    return max(0, cap - count_account_animals(holder.account_id)), animals_sentence(holder)


def take_photo_bytes(project_id: int, size: int) -> None:
    """Take room for one more photo. Raises PlanLimit if there is not enough room.

    No lock is needed, because the queue adds an account's photos one at a time.
    """
    holder = holder_of(project_id)
    cap = holder.caps.photo_bytes
    if cap is None:
        return
    key = RoomKey("photo bytes", holder.account_id, cap)
    if not takes_kept(key, size) and not takes(key, size, cap - photo_bytes_of(holder.account_id)):
        limit = f"The {holder.plan.capitalize()} plan includes {cap // 10**9:,} GB of photos."
        raise PlanLimit(f"{limit} {PHOTOS_ADVICE.format(advice_for_more(holder.plan))}")


def animals_sentence(holder: Holder) -> str:
    limit = f"The {holder.plan.capitalize()} plan includes {counted(holder.caps.animals or 0, 'animal')}."
    return f"{limit} {ANIMALS_ADVICE.format(advice_for_more(holder.plan))}"


class RoomKey(NamedTuple):
    """Key of cached room.

    The key includes the limit, so that after a change of plan animals are counted again.
    """

    what: str
    account_id: int
    cap: int


def animals_key(holder: Holder) -> RoomKey | None:
    """Return the key of an account's room for animals; None for an account without a limit."""
    cap = holder.caps.animals
    return None if cap is None else RoomKey("animals", holder.account_id, cap)


def kept_rooms() -> dict[RoomKey, tuple[int, float]]:
    """Return the cached rooms by key, each with the time when it expires."""
    rooms: dict[RoomKey, tuple[int, float]] = current_app.extensions.setdefault("homeward.rooms", {})
    return rooms


def takes_kept(key: RoomKey, wanted: int) -> bool:
    """Take cached room. Return whether the cache had enough."""
    with KEEPING:
        room, until = kept_rooms().get(key, (0, 0))
        if until < time.monotonic() or room < max(wanted, 1):
            return False
        kept_rooms()[key] = (room - wanted, until)
        return True


def takes(key: RoomKey, wanted: int, left: int) -> bool:
    """Take some of the remaining room, and cache a part of the rest. Return whether enough room remained."""
    with KEEPING:
        kept = kept_rooms()
        kept.pop(key, None)
        if left < max(wanted, 1):
            return False
        if len(kept) >= KEPT_MOST:
            kept.clear()
        if (room := left // KEPT_SHARE - wanted) > 0:
            kept[key] = (room, time.monotonic() + KEPT_SECONDS)
        return True
