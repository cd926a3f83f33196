"""How many animals and how many bytes of photos the plan of an account includes.

What exists stays, whatever the plan. Adding is refused once the plan's limit is reached.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from flask import current_app
from sqlalchemy import BigInteger, bindparam, cast, func, or_, select

from adoption.accounts.models import Account
from adoption.accounts.plans import PLANS, Caps, next_plan
from adoption.animals.models import Animal, Photo
from adoption.database import UTCDateTime
from adoption.errors import PlanLimit
from adoption.prepared import Prepared
from adoption.projects.models import Project

REMOVED_COUNT_FOR = timedelta(days=30)
"""How long a removed animal counts, so that nobody adds and removes animals without end."""
KEPT_SHARE = 16
"""A process remembers this part of the room that is left, so that it need not count each time. As many
processes together then never exceed it."""
KEPT_SECONDS = 60
KEPT_MOST = 10_000
"""Accounts whose room a process remembers."""

ANIMALS_ADVICE = (
    "Remove animals that you no longer need (each counts for 30 more days), or ask for {} on Usage & plan."
)
PHOTOS_ADVICE = "Remove photos that you no longer need, or ask for {} on Usage & plan."


class Holder(NamedTuple):
    """The account of a project, and its plan."""

    account_id: int
    plan: str

    @property
    def caps(self) -> Caps:
        return PLANS[self.plan].caps


HOLDER = Prepared(
    select(Project.account_id, Account.plan)
    .join(Account, Account.id == Project.account_id)
    .where(Project.id == bindparam("project_id"))
)
ANIMALS = Prepared(
    select(func.count())
    .select_from(Animal)
    .join(Project, Project.id == Animal.project_id)
    .where(
        Project.account_id == bindparam("account_id"),
        or_(Animal.removed_at.is_(None), Animal.removed_at > bindparam("since", type_=UTCDateTime())),
    )
)
# Photos that were stored before their bytes were counted are estimated by their size.
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
    return Holder(*row)


def animals_of(account_id: int, now: datetime | None = None) -> int:
    """Return how many animals of an account count."""
    since = (now or datetime.now(UTC)) - REMOVED_COUNT_FOR
    return first_number(ANIMALS, account_id=account_id, since=since)


def photo_bytes_of(account_id: int) -> int:
    """Return how many bytes the photos of an account have."""
    return first_number(PHOTO_BYTES, account_id=account_id)


def first_number(statement: Prepared, **parameters: Any) -> int:
    row = statement.first(**parameters)
    return int(row[0]) if row else 0


def take_animal(project_id: int) -> None:
    """Count one more animal. Raises PlanLimit."""
    holder = holder_of(project_id)
    cap = holder.caps.animals
    if cap is not None and not has_room(("animals", holder.account_id, cap), 1):
        raise PlanLimit(animals_sentence(holder))


def animals_left(project_id: int) -> tuple[int | None, str]:
    """Return how many animals may be added, None for any number, and the sentence for one too many."""
    holder = holder_of(project_id)
    cap = holder.caps.animals
    if cap is None:
        return None, ""
    return max(0, cap - animals_of(holder.account_id)), animals_sentence(holder)


def take_photo_bytes(project_id: int, size: int) -> None:
    """Count the bytes of one more photo. Raises PlanLimit."""
    holder = holder_of(project_id)
    cap = holder.caps.photo_bytes
    if cap is not None and not has_room(("photo bytes", holder.account_id, cap), size):
        limit = f"The {holder.plan.capitalize()} plan includes {cap // 10**9:,} GB of photos."
        raise PlanLimit(f"{limit} {PHOTOS_ADVICE.format(next_plan(holder.plan).capitalize())}")


def animals_sentence(holder: Holder) -> str:
    limit = f"The {holder.plan.capitalize()} plan includes {holder.caps.animals:,} animals."
    return f"{limit} {ANIMALS_ADVICE.format(next_plan(holder.plan).capitalize())}"


def has_room(key: tuple[str, int, int], wanted: int) -> bool:
    """Report whether an account has room below a cap, and take it.

    ``key`` is what is counted, the account and the cap, so that a change of plan counts again.
    """
    kept: dict[tuple[str, int, int], list[float]] = current_app.extensions.setdefault("homeward.rooms", {})
    now = time.monotonic()
    room, until = kept.get(key, (0, 0))
    if until < now or room < max(wanted, 1):
        what, account_id, cap = key
        left = cap - (animals_of(account_id) if what == "animals" else photo_bytes_of(account_id))
        if left < max(wanted, 1):
            kept.pop(key, None)
            return False
        if len(kept) >= KEPT_MOST:
            kept.clear()
        room, until = max(wanted, left // KEPT_SHARE), now + KEPT_SECONDS
    kept[key] = [room - wanted, until]
    return True
