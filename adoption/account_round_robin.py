"""Fair order of accounts that wait for one piece of work at a time."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from sqlalchemy.orm import Session

from adoption.storage.database import transaction

Claimed = TypeVar("Claimed")


class AccountRoundRobin:
    """Turns of accounts in the order of their ids, so that none waits for all the work of another."""

    def __init__(self) -> None:
        self.last = 0

    def claim_next(
        self, account_ids: Iterable[int], claim: Callable[[Session, int], Claimed | None]
    ) -> Claimed | None:
        """Claim work of the first account that has some, beginning after the one that was served last.

        ``claim`` returns None if another worker was faster. Each try is a transaction of its own.
        """
        for account_id in sorted(account_ids, key=lambda each: (each <= self.last, each)):
            with transaction() as session:
                work = claim(session, account_id)
            if work is not None:
                self.last = account_id
                return work
        return None
