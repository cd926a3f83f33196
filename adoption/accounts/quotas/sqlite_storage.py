"""Quotas in one SQLite file: durable, and shared by all processes of a machine."""

import sqlite3
import threading
from collections.abc import Iterable
from typing import NamedTuple

from adoption.accounts.plans import Quota
from adoption.accounts.quotas.bans import BANS_REMEMBERED, STRIKES_WITHIN, Ban
from adoption.accounts.quotas.limiter_storage import QuotaStorage
from adoption.accounts.quotas.sqlite_bans import record_refusal
from adoption.accounts.quotas.windows import CLOCKS_APART, DAY, MINUTE, QuotaWindows, Verdict, correct_end
from adoption.errors import Unavailable
from adoption.storage.sqlite_writes import is_read_only

TABLES = """
CREATE TABLE IF NOT EXISTS windows (
    subject TEXT PRIMARY KEY,
    minute_used INTEGER NOT NULL,
    minute_ends INTEGER NOT NULL,
    day_used INTEGER NOT NULL,
    day_ends INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ix_windows_day_ends ON windows (day_ends);
CREATE TABLE IF NOT EXISTS refusals (
    key_id INTEGER PRIMARY KEY,
    window_ends INTEGER NOT NULL,
    first REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS strikes (key_id INTEGER NOT NULL, at REAL NOT NULL);
CREATE INDEX IF NOT EXISTS ix_strikes_key_id_at ON strikes (key_id, at);
CREATE TABLE IF NOT EXISTS bans (
    key_id INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    seconds INTEGER NOT NULL,
    ends INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS counters (
    key TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    ends REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ix_counters_ends ON counters (ends);
"""


class QuotaRequest(NamedTuple):
    """The parameters ?1 to ?5 of ``COUNT``."""

    subject: str
    per_minute: int
    per_day: int
    key_id: int | None
    now: float


# Each statement is atomic, and returns no row if a window is full or the key is banned. Nearly all requests
# need only COUNT, because both windows are open. COUNT does not change the index.
COUNT = f"""
UPDATE windows SET minute_used = minute_used + 1, day_used = day_used + 1
WHERE subject = ?1 AND minute_ends > ?5 AND day_ends > ?5 AND minute_used < ?2 AND day_used < ?3
    AND minute_ends <= ?5 + {MINUTE + CLOCKS_APART} AND day_ends <= ?5 + {DAY + CLOCKS_APART}
    AND NOT EXISTS (SELECT 1 FROM bans WHERE key_id = ?4 AND ends > ?5)
RETURNING minute_used, minute_ends, day_used, day_ends
"""  # noqa: S608 - the numbers are our own
ADMIT = f"""
INSERT INTO windows SELECT ?1, 1, ?6, 1, ?7
WHERE NOT EXISTS (SELECT 1 FROM bans WHERE key_id = ?4 AND ends > ?5)
ON CONFLICT (subject) DO UPDATE SET
    minute_used = CASE WHEN minute_ends > ?5 THEN minute_used + 1 ELSE 1 END,
    minute_ends = CASE WHEN minute_ends > ?5 AND minute_ends <= ?5 + {MINUTE + CLOCKS_APART}
        THEN minute_ends ELSE ?6 END,
    day_used = CASE WHEN day_ends > ?5 THEN day_used + 1 ELSE 1 END,
    day_ends = CASE WHEN day_ends > ?5 AND day_ends <= ?5 + {DAY + CLOCKS_APART}
        THEN day_ends ELSE ?7 END
WHERE (minute_used < ?2 OR minute_ends <= ?5) AND (day_used < ?3 OR day_ends <= ?5)
RETURNING minute_used, minute_ends, day_used, day_ends
"""  # noqa: S608 - the numbers are our own

GIVE_BACK = """
UPDATE windows SET minute_used = minute_used - (minute_ends > ?2), day_used = day_used - (day_ends > ?2)
WHERE subject = ?1 AND minute_used > 0 AND day_used > 0
"""
CORRECT_ENDS = "UPDATE windows SET minute_ends = ?, day_ends = ? WHERE subject = ?"

WINDOWS = "SELECT minute_used, minute_ends, day_used, day_ends FROM windows WHERE subject = ?"

BAN = "SELECT started, ends FROM bans WHERE key_id = ? AND ends > ?"
LIFT = "UPDATE bans SET ends = ?2 WHERE key_id = ?1 AND ends > ?2"

# ?1 to ?5: key, amount, limit, now, lifetime of a new counter. The first statement does not change the index.
CHANGE_COUNTER = """
UPDATE counters SET count = max(0, count + ?2) WHERE key = ?1 AND ends > ?4 AND count + ?2 <= ?3
RETURNING count
"""
OPEN_COUNTER = """
INSERT INTO counters SELECT ?1, max(0, ?2), ?4 + ?5 WHERE ?2 <= ?3
ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ends > ?4 THEN max(0, count + ?2) ELSE max(0, ?2) END,
    ends = CASE WHEN ends > ?4 THEN ends ELSE ?4 + ?5 END
WHERE ends <= ?4 OR count + ?2 <= ?3
RETURNING count
"""
COUNTER = "SELECT count, ends FROM counters WHERE key = ? AND ends > ?"

PURGE_EVERY = 1_000
"""The number of requests after which expired rows are deleted. Most expired rows belong to network addresses
that never come again."""


class SqliteQuotas(QuotaStorage):
    STORAGE_SCHEME = ["homeward+sqlite"]  # noqa: RUF012 - as in ``limits``

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        self.path = uri.partition(":///")[2]
        self.connection: sqlite3.Connection | None = None
        self.lock = threading.Lock()
        self.admitted = 0

    def admit(self, subject: str, quota: Quota, key_id: int | None, now: float) -> Verdict:
        request = QuotaRequest(subject, *quota, key_id, now)
        with self as connection:
            row = connection.execute(COUNT, request).fetchone()
            verdict = open_or_refuse(connection, request) if row is None else Verdict(True, *row)
            if verdict.admitted:
                self.purge_sometimes(connection, now)
            return verdict

    def give_back(self, subject: str, now: float) -> None:
        with self as connection:
            connection.execute(GIVE_BACK, (subject, now))

    def change_counter(self, key: str, amount: int, most: int, seconds: int, now: float) -> int | None:
        with self as connection:
            change = (key, amount, most, now)
            row = connection.execute(CHANGE_COUNTER, change).fetchone()
            if row is None:
                row = connection.execute(OPEN_COUNTER, (*change, seconds)).fetchone()
            self.purge_sometimes(connection, now)
        return None if row is None else int(row[0])

    def read_counter(self, key: str, now: float) -> tuple[int, float]:
        with self as connection:
            count, ends = connection.execute(COUNTER, (key, now)).fetchone() or (0, now)
        return count, ends

    def purge_sometimes(self, connection: sqlite3.Connection, now: float) -> None:
        self.admitted += 1
        if self.admitted % PURGE_EVERY:
            return
        connection.execute("DELETE FROM windows WHERE day_ends <= ?", (now,))
        connection.execute("DELETE FROM refusals WHERE window_ends <= ?", (now,))
        connection.execute("DELETE FROM strikes WHERE at <= ?", (now - STRIKES_WITHIN,))
        connection.execute("DELETE FROM counters WHERE ends <= ?", (now,))
        connection.execute("DELETE FROM bans WHERE started <= ? AND ends <= ?", (now - BANS_REMEMBERED, now))

    def windows_of(self, subject: str, now: float) -> QuotaWindows:
        with self as connection:
            row = connection.execute(WINDOWS, (subject,)).fetchone()
        return QuotaWindows(*row).at(now) if row else QuotaWindows()

    def bans_of(self, key_ids: Iterable[int], now: float) -> dict[int, Ban]:
        with self as connection:
            rows = ((key_id, connection.execute(BAN, (key_id, now)).fetchone()) for key_id in key_ids)
            return {key_id: Ban(*row).at(now) for key_id, row in rows if row}

    def lift_ban(self, key_id: int, now: float) -> None:
        with self as connection:
            connection.execute(LIFT, (key_id, int(now)))

    def require_available(self) -> None:
        with self as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")

    def close(self) -> None:
        with self.lock:
            self.drop()

    def drop(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def __enter__(self) -> sqlite3.Connection:
        """Return the process's connection, locked for this caller.

        Raises Unavailable if the file cannot be used.
        """
        self.lock.acquire()
        try:
            if self.connection is None:
                self.connection = open_connection(self.path)
            return self.connection
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        """Release the lock. If SQLite raised an error in the block, raise Unavailable instead."""
        try:
            if error is not None and self.connection is not None and self.connection.in_transaction:
                self.connection.rollback()  # otherwise no other process could count requests
            if isinstance(error, sqlite3.Error):
                if is_read_only(error):
                    self.drop()  # the connection would stay read-only even after the file becomes writable
                raise Unavailable("Requests cannot be counted at the moment.") from error
        finally:
            self.lock.release()


def open_connection(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=2, isolation_level=None, check_same_thread=False)
    # A request changes one small row, but the log stores whole pages: small pages halve the time.
    connection.execute("PRAGMA page_size = 512")
    connection.execute("PRAGMA journal_mode = WAL")
    # A killed process loses nothing. A power failure can lose the last few counts, which is harmless.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript(TABLES)
    return connection


def open_or_refuse(connection: sqlite3.Connection, request: QuotaRequest) -> Verdict:
    """Open a window and admit the request, or refuse the request. A refusal can count towards a ban.

    All changes are in one transaction.
    """
    now = request.now
    minute_end, day_end = int(now) + MINUTE, int(now) + DAY
    connection.execute("BEGIN IMMEDIATE")
    row = connection.execute(ADMIT, (*request, minute_end, day_end)).fetchone()
    if row is not None:
        connection.execute("COMMIT")
        return Verdict(True, *row)
    row = connection.execute(WINDOWS, (request.subject,)).fetchone() or (0, 0, 0, 0)
    minute_used, minute_ends, day_used, day_ends = row
    minute_ends, day_ends = correct_end(now, minute_ends, MINUTE), correct_end(now, day_ends, DAY)
    if row != (minute_used, minute_ends, day_used, day_ends):
        connection.execute(CORRECT_ENDS, (minute_ends, day_ends, request.subject))
    # An expired window is empty. The next admitted request opens it again.
    if minute_ends <= now:
        minute_used, minute_ends = 0, minute_end
    if day_ends <= now:
        day_used, day_ends = 0, day_end
    full = day_ends if day_used >= request.per_day else minute_ends
    banned_until = 0 if request.key_id is None else record_refusal(connection, request.key_id, now, full)
    connection.execute("COMMIT")
    return Verdict(False, minute_used, minute_ends, day_used, day_ends, banned_until)
