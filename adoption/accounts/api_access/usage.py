"""API usage of accounts by day, for the owners' statistics. Quotas are counted separately.

To make counting nearly free, each process counts in memory. It stores the counts every two seconds and when
it ends. A killed process loses the counts that it has not stored.
"""

import atexit
import logging
import threading
from collections import deque
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from flask import Flask
from sqlalchemy import BigInteger, Date, SelectBase, bindparam, delete, exists, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from adoption.accounts.models import Account, UsageDay
from adoption.errors import Unavailable
from adoption.storage.database import cause_of, transaction

log = logging.getLogger("homeward.usage")

STORE_AFTER, RETRY_AFTER = 2.0, 10.0
"""The seconds until counts are stored, and the seconds until the next attempt if that fails."""
KEPT = timedelta(days=366)
SHOWN_DAYS = 30


class DayUsage(NamedTuple):
    """An account's API requests on one day (UTC)."""

    day: date
    requests: int
    """The number of requests with a valid key."""
    refusals: int
    """The number of requests with a valid key that were answered with 429."""
    errors: int
    """The number of requests with a valid key that were answered with a status of 400 or more, except 429."""


class UsageTally:
    """Counts of requests that this process has answered but not yet stored."""

    def __init__(self, app: Flask, every: float = STORE_AFTER) -> None:
        self.app = app
        self.every = every
        self.responses: deque[tuple[int, int, float]] = deque()
        """The account's id, the status and the time of each response. Appending is atomic, so no lock is
        needed."""
        self.lock = threading.Lock()
        self.sums: dict[tuple[int, date], list[int]] = {}
        """The numbers of requests, refusals and errors, by account and day."""
        self.timer: threading.Timer | None = None
        self.ended = False
        atexit.register(self.end)

    def count(self, account_id: int, status: int, now: float) -> None:
        self.responses.append((account_id, status, now))
        if self.timer is None:
            self.write_after(self.every)

    def write_after(self, seconds: float) -> None:
        with self.lock:
            if self.timer is None and not self.ended:
                self.timer = threading.Timer(seconds, self.write)
                self.timer.daemon = True
                self.timer.start()

    def end(self) -> None:
        """Store the remaining counts, and start no new timer."""
        self.ended = True
        self.write()

    def write(self) -> None:
        """Store the counts. After a failure, retry later, unless the process is ending."""
        with self.lock:
            # Reset first, so that a request that is counted after ``add_up`` starts a new timer.
            self.timer = None
            self.add_up()
            sums, self.sums = self.sums, {}
        if not sums:
            return
        try:
            with self.app.app_context():
                add_usage(sums)
        except (SQLAlchemyError, Unavailable) as error:
            requests = sum(counts[0] for counts in sums.values())
            result = " and is lost" if self.ended else ". Trying again"
            log.warning("Usage of %d requests could not be saved%s: %s", requests, result, cause_of(error))
            if not self.ended:
                self.add_again(sums)

    def add_up(self) -> None:
        while self.responses:
            account_id, status, now = self.responses.popleft()
            day = datetime.fromtimestamp(now, UTC).date()
            counts = self.sums.setdefault((account_id, day), [0, 0, 0])
            counts[0] += 1
            if status >= 400:
                counts[1 if status == 429 else 2] += 1

    def add_again(self, sums: Mapping[tuple[int, date], list[int]]) -> None:
        with self.lock:
            for key, counts in sums.items():
                newer = self.sums.get(key, [0, 0, 0])
                self.sums[key] = [one + other for one, other in zip(counts, newer, strict=True)]
        self.write_after(RETRY_AFTER)


COUNTS = ("requests", "refusals", "errors")


def add_usage(sums: Mapping[tuple[int, date], list[int]]) -> None:
    """Add the counts to the row of each account and day. Skip accounts that no longer exist."""
    # Sorted, so that two processes cannot deadlock.
    rows = [
        {"account": account_id, "on": day, **dict(zip(COUNTS, counts, strict=True))}
        for (account_id, day), counts in sorted(sums.items())
    ]
    with transaction() as session:
        kind = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
        adding = kind.insert(UsageDay).from_select(["account_id", "day", *COUNTS], parameter_row())
        more = {name: getattr(UsageDay, name) + getattr(adding.excluded, name) for name in COUNTS}
        session.connection().execute(
            adding.on_conflict_do_update(index_elements=["account_id", "day"], set_=more), rows
        )


def parameter_row() -> SelectBase:
    """Return a query for one row that contains the parameters; no row if the account does not exist."""
    account = bindparam("account", type_=BigInteger)
    counts = [bindparam(name, type_=BigInteger) for name in COUNTS]
    return select(account, bindparam("on", type_=Date), *counts).where(exists().where(Account.id == account))


def usage_by_day(session: Session, account_id: int, today: date) -> list[DayUsage]:
    """Return the usage for each of the last ``SHOWN_DAYS`` days, including today, oldest first."""
    first = today - timedelta(days=SHOWN_DAYS - 1)
    rows = session.scalars(
        select(UsageDay).where(UsageDay.account_id == account_id, UsageDay.day.between(first, today))
    )
    stored = {row.day: DayUsage(row.day, row.requests, row.refusals, row.errors) for row in rows}
    days = [first + timedelta(days=number) for number in range(SHOWN_DAYS)]
    return [stored.get(day, DayUsage(day, 0, 0, 0)) for day in days]


def delete_old_usage(now: datetime | None = None) -> int:
    """Delete usage older than a year. Return the number of deleted rows."""
    last = (now or datetime.now(UTC)).date() - KEPT
    with transaction() as session:
        deleted = session.execute(delete(UsageDay).where(UsageDay.day < last).returning(UsageDay.day)).all()
    return len(deleted)
