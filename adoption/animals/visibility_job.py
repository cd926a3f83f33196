"""Publishing and hiding of a project's animals, in portions.

The catalogue indexes contain the animals whose ``published`` is set. For projects of up to 1,000 animals,
triggers of migration 0036 update ``published`` together with the project's ``live_deploy``. A larger project
gets a ``VisibilityChange`` row, which hides the project's animals until all are updated. So a site that goes
offline is hidden from the next request on, whatever the site's size. Accounts take turns after each portion,
so that no account waits long for another.
"""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from adoption.accounts.quotas.throttles import MINUTE, Throttle
from adoption.animals.models import Animal
from adoption.projects.models import Project, VisibilityChange
from adoption.storage import queue
from adoption.storage.database import reading, transaction

PORTION = 1_000
"""Number of animals updated in one transaction."""
OF_ONE_ACCOUNT = Throttle(
    "publishing",
    20,
    15 * MINUTE,
    "You have published or taken sites offline 20 times within 15 minutes. Your site stays as it is now, and "
    "your draft is saved. Try again in a few minutes.",
)
"""Limit of changes by one account.

Each change stores a version of the site's texts, and can update a portion of the animals at once.
"""


def take_change(account_id: int, now: datetime | None = None) -> None:
    """Count one change by an account's staff. Raises TooMany if the account has reached its limit."""
    OF_ONE_ACCOUNT.demand(str(account_id), (now or datetime.now(UTC)).timestamp())


def apply_all(
    pause: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
) -> None:
    """Finish the changes of all projects. Two processes can run this function at the same time.

    After each portion, the function pauses for as long as the portion took, so that other writers
    need not wait. Then the function continues with the next account.
    """
    while not queue.STOPPING.is_set() and (project_ids := next_projects()):
        for project_id in project_ids:
            began = clock()
            if apply_portion(project_id):
                pause(clock() - began)
            if queue.STOPPING.is_set():
                return


def next_projects() -> Sequence[int]:
    """Return one project of each account that has unfinished changes."""
    first = func.min(VisibilityChange.project_id)
    waiting = select(first).join(Project, Project.id == VisibilityChange.project_id)
    with reading() as session:
        return session.scalars(waiting.group_by(Project.account_id).order_by(first)).all()


def apply_portion(project_id: int) -> bool:
    """Update the next animals of a project. Return False if no animals were left."""
    with transaction() as session:
        # Publishing also resets this row, but has to wait for the lock until this transaction ends.
        change = session.get(VisibilityChange, project_id, with_for_update=True)
        if change is None:
            return False
        last = last_of_portion(session, change)
        if last is None:
            session.delete(change)
            return False
        is_live = session.scalar(select(Project.live_deploy.is_not(None)).where(Project.id == project_id))
        portion = (Animal.project_id == project_id, Animal.id > change.after_id, Animal.id <= last)
        session.execute(
            update(Animal).where(*portion, Animal.published != is_live).values(published=is_live),
            execution_options={"synchronize_session": False},
        )
        change.after_id = last
        return True


def last_of_portion(session: Session, change: VisibilityChange) -> int | None:
    """Return the last id of the next portion; None if no animals remain."""
    animals = (Animal.project_id == change.project_id, Animal.id > change.after_id)
    portion = select(Animal.id).where(*animals).order_by(Animal.id).limit(PORTION).subquery()
    last: int | None = session.scalar(select(func.max(portion.c.id)))
    return last
