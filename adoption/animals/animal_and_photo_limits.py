"""Plan limits for the number of animals and the size of photos.

Existing data above a limit is kept. New data above a limit is rejected.
"""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Select, bindparam, cast, func, select
from sqlalchemy.orm import Session

from adoption.accounts.account_row_lock import lock_account
from adoption.accounts.plans import advice_for_more
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.animals.project_plan import ProjectPlan, plan_of_project
from adoption.animals.remaining_limit_cache import RoomKey, take_cached_room, take_counted_room
from adoption.english_plurals import counted
from adoption.errors import PlanLimit
from adoption.projects.models import Project
from adoption.storage.database import UTCDateTime
from adoption.storage.prepared_statements import Prepared

REMOVED_COUNT_FOR = timedelta(days=30)
"""How long a removed animal still counts.

Without this period, a shelter could avoid the limit: it could remove animals and add others.
"""

ANIMALS_ADVICE = "Remove animals that you no longer need, or {}. A removed animal still counts for 30 days."
PHOTOS_ADVICE = "Remove photos that you no longer need, or {}."
_animals: Select[Any] = (
    select(func.count())
    .select_from(Animal)
    .join(Project, Project.id == Animal.project_id)
    .where(Project.account_id == bindparam("account_id"))
)
_removed = _animals.where(Animal.removed_at <= bindparam("since", type_=UTCDateTime()))
# The statement subtracts one count from another, because each of the two counts reads only an index. For
# 20,000 animals, the two counts take 0.4 ms of CPU. A single count would take 13 ms.
ANIMALS = Prepared(select(_animals.scalar_subquery() - _removed.scalar_subquery()))
# Older photos have no recorded size. Their size is estimated from the number of pixels.
_bytes = func.coalesce(Photo.bytes, Photo.width * Photo.height / 4)
PHOTO_BYTES = Prepared(
    select(cast(func.coalesce(func.sum(_bytes), 0), BigInteger))
    .select_from(Photo)
    .join(Animal, Animal.id == Photo.animal_id)
    .join(Project, Project.id == Animal.project_id)
    .where(Project.account_id == bindparam("account_id"))
)


def count_account_animals(account_id: int, now: datetime | None = None) -> int:
    """Return how many of an account's animals count towards the limit."""
    since = (now or datetime.now(UTC)) - REMOVED_COUNT_FOR
    return first_number(ANIMALS, account_id=account_id, since=since)


def count_photo_bytes(account_id: int) -> int:
    """Return the total size of an account's photos in bytes."""
    return first_number(PHOTO_BYTES, account_id=account_id)


def first_number(statement: Prepared, **parameters: Any) -> int:
    row = statement.first(**parameters)
    return int(row[0]) if row else 0


def take_cached_animal(project_id: int) -> bool:
    """Deduct one animal from the room that this process has cached.

    Return whether the cached room was enough.
    """
    key = animals_key(plan_of_project(project_id))
    return key is None or take_cached_room(key, 1)


def take_animals(session: Session, project_id: int, number: int = 1) -> None:
    """Deduct new animals from the account's remaining room, in the transaction that adds the animals.

    Near the limit, transactions that add animals to one account run one after another. So concurrent
    transactions cannot exceed the limit. Raises PlanLimit if the remaining room is too small.
    """
    account = plan_of_project(project_id)
    key = animals_key(account)
    if key is None or take_cached_room(key, number):
        return
    lock_account(session, account.account_id)
    if not take_counted_room(key, number, key.cap - count_account_animals(account.account_id)):
        raise PlanLimit(animal_limit_sentence(account))


def take_restored_animals(session: Session, project_id: int, ids: Collection[int], now: datetime) -> None:
    """Count restored animals towards the limit again, if their removal is older than ``REMOVED_COUNT_FOR``.

    Raises PlanLimit if the plan does not allow so many animals.
    """
    gone = (Animal.project_id == project_id, Animal.removed_at <= now - REMOVED_COUNT_FOR)
    ids_of_project = set(session.scalars(select(Animal.id).where(*gone)))
    if number := len(ids_of_project.intersection(ids)):
        take_animals(session, project_id, number)


def animals_left(project_id: int, session: Session | None = None) -> tuple[int | None, str]:
    """Return how many more animals are allowed (None for no limit), and the error text for too many animals.

    With ``session``, the account is locked until the session's transaction ends.
    """
    account = plan_of_project(project_id)
    cap = account.caps.animals
    if cap is None:
        return None, ""
    if session is not None:
        lock_account(session, account.account_id)
    return max(0, cap - count_account_animals(account.account_id)), animal_limit_sentence(account)


def take_photo_bytes(project_id: int, size: int) -> None:
    """Count a photo of ``size`` bytes towards the limit. Raises PlanLimit if the photo exceeds the limit.

    No lock is needed, because the queue adds an account's photos one at a time.
    """
    account = plan_of_project(project_id)
    cap = account.caps.photo_bytes
    if cap is None:
        return
    key = RoomKey("photo bytes", account.account_id, cap)
    if not take_cached_room(key, size) and not take_counted_room(
        key, size, cap - count_photo_bytes(account.account_id)
    ):
        limit = f"The {account.plan.capitalize()} plan includes {cap // 10**9:,} GB of photos."
        raise PlanLimit(f"{limit} {PHOTOS_ADVICE.format(advice_for_more(account.plan))}")


def animal_limit_sentence(account: ProjectPlan) -> str:
    limit = f"The {account.plan.capitalize()} plan includes {counted(account.caps.animals or 0, 'animal')}."
    return f"{limit} {ANIMALS_ADVICE.format(advice_for_more(account.plan))}"


def animals_key(account: ProjectPlan) -> RoomKey | None:
    """Return the cache key for an account's remaining animals; None for an account without a limit."""
    cap = account.caps.animals
    return None if cap is None else RoomKey("animals", account.account_id, cap)
