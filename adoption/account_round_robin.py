"""Round robin of accounts: each account in turn gets one piece of its work done."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from sqlalchemy.orm import Session

from adoption.storage.database import transaction

Claimed = TypeVar("Claimed")


class AccountRoundRobin:
    """Turns of accounts in the order of their ids. No account waits for all the work of another account."""

    def __init__(self) -> None:
        self.last = 0

    def claim_next(
        self, account_ids: Iterable[int], claim: Callable[[Session, int], Claimed | None]
    ) -> Claimed | None:
        """Claim work of the next account that has work.

        The next account is the account with the next higher id after the last claim, then the lowest id
        again. ``claim`` returns None if another worker was faster. Each call of ``claim`` has its own
        transaction.
        """
        for account_id in sorted(account_ids, key=lambda each: (each <= self.last, each)):
            with transaction() as session:
                work = claim(session, account_id)
            if work is not None:
                self.last = account_id
                return work
        return None
