"""Fair order of accounts that wait for one piece of work at a time."""

from collections.abc import Iterable


class AccountTurns:
    """Accounts take turns in the order of their ids, so that none waits for all that another has brought."""

    def __init__(self) -> None:
        self.last = 0

    def order(self, account_ids: Iterable[int]) -> list[int]:
        """Return the accounts, beginning with the first after the one that was served last."""
        return sorted(account_ids, key=lambda account_id: (account_id <= self.last, account_id))
