"""Quotas and bans in SQLite and Redis, compared with a model."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from limits import RateLimitItemPerMinute
from limits.strategies import FixedWindowRateLimiter

from adoption.accounts.plans import Quota
from adoption.accounts.quotas.configured_storage import open_quota_storage
from adoption.accounts.quotas.limiter_storage import MemoryCounters, QuotaStorage
from adoption.accounts.quotas.sqlite_storage import PURGE_EVERY, SqliteQuotas
from adoption.accounts.quotas.windows import Verdict
from adoption.errors import Unavailable
from tests import servers
from tests.conftest import forget_quotas

START = 1_795_867_200


class Request(NamedTuple):
    after: float
    """Seconds since the previous request."""
    account: int
    key: int | None
    quota: Quota
    times: int


class Model:
    """The contract's quotas and bans in simple code."""

    def __init__(self) -> None:
        self.windows: dict[str, list[int]] = {}
        self.refusals: dict[int, tuple[int, float]] = {}
        """For each key: when the last window that rejected a request ends, and when it first rejected one."""
        self.strikes: dict[int, list[float]] = {}
        self.bans: dict[int, tuple[float, int, int]] = {}

    def admit(self, subject: str, quota: Quota, key_id: int | None, now: float) -> Verdict:
        minute_used, minute_ends, day_used, day_ends = self.windows.get(subject, [0, 0, 0, 0])
        # A clock that was ahead has been set back. Counts stay, and no window keeps the end that the wrong
        # clock set.
        if minute_ends > now + 60 + 60:
            minute_ends = int(now) + 60
        if day_ends > now + 86_400 + 60:
            day_ends = int(now) + 86_400
        self.windows[subject] = [minute_used, minute_ends, day_used, day_ends]
        if minute_ends <= now:
            minute_used, minute_ends = 0, int(now) + 60
        if day_ends <= now:
            day_used, day_ends = 0, int(now) + 86_400
        banned_until = 0
        if key_id is not None and key_id in self.bans and self.bans[key_id][2] > now:
            seconds, banned_until = self.bans[key_id][1:]
            if banned_until > now + seconds + 60:
                banned_until = int(now) + seconds
                self.bans[key_id] = (now, seconds, banned_until)
        elif minute_used < quota.per_minute and day_used < quota.per_day:
            self.windows[subject] = [minute_used + 1, minute_ends, day_used + 1, day_ends]
            return Verdict(True, minute_used + 1, minute_ends, day_used + 1, day_ends)
        elif key_id is not None:
            full = day_ends if day_used >= quota.per_day else minute_ends
            window_ends, first = self.refusals.get(key_id, (0, now))
            if window_ends != full or first > now + 60:
                self.refusals[key_id] = (full, now)
            elif now - first >= 1:
                banned_until = self.strike(key_id, now)
        return Verdict(False, minute_used, minute_ends, day_used, day_ends, banned_until)

    def strike(self, key_id: int, now: float) -> int:
        strikes = [each for each in self.strikes.get(key_id, ()) if now - 60 < each <= now + 60]
        self.strikes[key_id] = [*strikes, now]
        if len(strikes) < 10:
            return 0
        self.strikes[key_id] = []
        started, seconds, _ = self.bans.get(key_id, (None, 0, 0))
        recent = started is not None and now - started < 86_400
        seconds = min(seconds * 2, 3_600) if recent else 300
        self.bans[key_id] = (now, seconds, int(now) + seconds)
        return int(now) + seconds


@pytest.fixture(scope="module", params=["sqlite", "redis"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ExitStack() as running:
        if request.param == "redis":
            yield running.enter_context(servers.redis())
        else:
            yield f"sqlite:///{tmp_path_factory.mktemp('quotas') / 'quotas.sqlite3'}"


@pytest.fixture(scope="module")
def kept(address: str) -> QuotaStorage:
    return open_quota_storage(address)


@pytest.fixture
def store(kept: QuotaStorage) -> QuotaStorage:
    empty(kept)
    return kept


def empty(store: QuotaStorage) -> None:
    forget_quotas(store)
    if isinstance(store, SqliteQuotas):
        store.admitted = 0  # no sweep, because the model has none


QUOTAS = st.builds(Quota, st.integers(1, 12), st.integers(1, 30))
PAUSES = st.one_of(
    st.sampled_from([0.0, 0.0, 0.0, 0.5, 1.0, 5.999, 6.0, 59.999, 60.0, 61.0, 299.0, 300.0, 301.0, 600.0]),
    st.sampled_from([3_599.0, 3_600.0, 86_399.0, 86_400.0, 86_401.0, 90_000.0]),
    # The clocks of machines differ. A clock that was ahead is set back.
    st.sampled_from([-0.5, -1.0, -30.0, -60.0, -61.0, -600.0, -7_200.0, -2_592_000.0]),
    st.floats(0, 100, allow_nan=False),
)
ASKS = st.builds(
    Request,
    after=PAUSES,
    account=st.integers(1, 2),
    key=st.one_of(st.none(), st.integers(1, 3)),
    quota=QUOTAS,
    times=st.sampled_from([1, 1, 2, 5, 11, 12, 25]),
)


@given(asks=st.lists(ASKS, min_size=1, max_size=25), start=st.floats(START, START + 1_000))
@settings(
    max_examples=120,
    deadline=None,
    # Each example empties the store.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_quota_store_decides_like_the_model(kept: QuotaStorage, asks: list[Request], start: float) -> None:
    empty(kept)
    model, now = Model(), start
    for ask in asks:
        now += ask.after
        for _ in range(ask.times):
            asked = (f"account:{ask.account}", ask.quota, ask.key, now)
            assert kept.admit(*asked) == model.admit(*asked)


@given(asks=st.lists(ASKS, min_size=1, max_size=15), start=st.floats(START, START + 1_000))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_limit_remaining_reset_and_retry_after_are_consistent(
    kept: QuotaStorage, asks: list[Request], start: float
) -> None:
    empty(kept)
    now = start
    for ask in asks:
        now += ask.after
        for _ in range(ask.times):
            verdict = kept.admit(f"account:{ask.account}", ask.quota, ask.key, now)
            limit, remaining, reset = verdict.shown(ask.quota)
            minute = max(0, ask.quota.per_minute - verdict.minute_used)
            day = max(0, ask.quota.per_day - verdict.day_used)
            assert 0 <= remaining == min(minute, day) <= limit
            assert now < reset <= now + 86_400 + 60
            if minute < day or (minute == day and verdict.admitted):
                assert (limit, reset) == (ask.quota.per_minute, verdict.minute_ends)
            if not verdict.admitted and day == 0:
                assert (limit, reset) == (ask.quota.per_day, verdict.day_ends)
            wait = verdict.retry_after(ask.quota, now)
            assert 1 <= wait <= 86_400 + 61
            assert verdict.admitted or now + wait >= (verdict.banned_until or reset)


def test_counts_outlive_the_process(address: str, store: QuotaStorage) -> None:
    quota = Quota(5, 5)
    for _ in range(5):
        store.admit("account:1", quota, 1, START)
    again = open_quota_storage(address)
    assert again.admit("account:1", quota, 1, START + 1).admitted is False
    assert again.admit("account:1", quota, 1, START + 3_600).day_used == 5


def test_bans_and_strikes_outlive_the_process(address: str, store: QuotaStorage) -> None:
    quota = Quota(1, 1)
    # One request is admitted, one is rejected, and nine are strikes.
    for now in (START, START, *[START + 1] * 9):
        store.admit("account:1", quota, 1, now)
    again = open_quota_storage(address)
    assert again.admit("account:1", quota, 1, START + 1).banned_until == 0
    assert again.admit("account:1", quota, 1, START + 2).banned_until == START + 302
    assert store.admit("account:1", quota, 1, START + 3).banned_until == START + 302


def test_a_clock_set_back_locks_no_one_out_and_resets_no_quota(store: QuotaStorage) -> None:
    quota, right = Quota(3, 5), START - 30 * 86_400
    for now in (*[START - 1] * 4, *[START] * 11):
        store.admit("account:1", quota, 1, now)
    ban = store.admit("account:1", quota, 1, right)
    assert ban.banned_until == right + 300
    assert store.admit("account:1", quota, 1, right + 300).admitted
    refused = [store.admit("account:2", quota, None, now) for now in (*[START] * 4, right)][-1]
    assert (refused.minute_ends, refused.day_ends) == (right + 60, right + 86_400)
    later = [store.admit("account:2", quota, None, right + 60) for _ in range(3)]
    assert [verdict.admitted for verdict in later] == [True, True, False]


def test_rejections_dated_by_a_clock_that_was_ahead_are_not_strikes(store: QuotaStorage) -> None:
    quota, right = Quota(1, 1), START - 30 * 86_400
    for now in (*[START - 1] * 2, *[START] * 10, right, *[right + 1] * 10):
        assert store.admit("account:1", quota, 1, now).banned_until == 0
    assert store.admit("account:1", quota, 1, right + 1).banned_until == right + 301


def test_after_a_clock_was_set_back_reads_agree_with_requests(store: QuotaStorage) -> None:
    quota, right = Quota(3, 5), START - 30 * 86_400
    for now in (*[START - 1] * 4, *[START] * 11):
        store.admit("account:1", quota, 1, now)
    stands, ban = store.windows_of("account:1", right), store.bans_of([1], right)[1]
    assert ban.ends == right + 300
    assert ban.liftable_from <= right
    assert stands == (3, right + 60, 3, right + 86_400)
    store.lift_ban(1, right)
    found = store.admit("account:1", quota, 1, right)
    assert (found.banned_until, found.minute_ends, found.day_ends) == (0, stands.minute_ends, stands.day_ends)


def test_parallel_threads_get_exactly_the_quota(store: QuotaStorage) -> None:
    counted: list[bool] = []
    together = threading.Barrier(8)

    def ask() -> None:
        together.wait()
        counted.extend(store.admit("account:1", Quota(1_000, 333), 1, START).admitted for _ in range(50))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(counted), sum(counted)) == (400, 333)


def test_a_burst_is_not_banned_but_requests_after_it_are(store: QuotaStorage) -> None:
    burst = [store.admit("account:1", Quota(60, 1_000), 1, START + number / 100) for number in range(75)]
    assert [verdict.admitted for verdict in burst] == [True] * 60 + [False] * 15
    first = START + 0.6
    at_the_end = [store.admit("account:1", Quota(60, 1_000), 1, first + 0.999) for _ in range(100)]
    assert {verdict.banned_until for verdict in (*burst, *at_the_end)} == {0}
    later = [store.admit("account:1", Quota(60, 1_000), 1, first + 1).banned_until for _ in range(11)]
    assert later == [0] * 10 + [START + 301]


def test_the_first_rejection_of_each_window_is_not_a_strike(store: QuotaStorage) -> None:
    for minute in range(5):
        now = START + 60 * minute
        refusals = [store.admit("account:1", Quota(1, 1_000), 1, now) for _ in range(30)][1:]
        assert {verdict.banned_until for verdict in refusals} == {0}


ASK = """
import sys
from adoption.accounts.plans import Quota
from adoption.accounts.quotas.configured_storage import open_quota_storage
store = open_quota_storage(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
per_minute, key, times = map(int, sys.argv[2:5])
quota, now = Quota(per_minute, 5_000), float(sys.argv[5])
verdicts = [store.admit("account:1", quota, key or None, now) for _ in range(times)]
print(sum(verdict.admitted for verdict in verdicts), max(verdict.banned_until for verdict in verdicts))
"""


def ask_from_processes(address: str, processes: int, *asked: float) -> list[tuple[int, int]]:
    """Return, for each process, how many of its requests were admitted and when its ban ends."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", ASK, address, *map(str, asked)]
    started = [subprocess.Popen(command, **pipes) for _ in range(processes)]
    for process in started:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    answers = [process.communicate()[0].split() for process in started]
    return [(int(admitted), int(banned_until)) for admitted, banned_until in answers]


@pytest.mark.usefixtures("store")
def test_parallel_processes_get_exactly_the_quota(address: str) -> None:
    assert sum(admitted for admitted, _ in ask_from_processes(address, 4, 777, 0, 300, START)) == 777


@pytest.mark.usefixtures("store")
def test_of_75_parallel_requests_60_are_admitted_and_no_key_is_banned(address: str) -> None:
    answers = ask_from_processes(address, 3, 60, 1, 25, START)
    assert sum(admitted for admitted, _ in answers) == 60
    assert {banned_until for _, banned_until in answers} == {0}


def test_a_sweep_deletes_only_expired_rows(tmp_path: Path) -> None:
    store = open_quota_storage(f"sqlite:///{tmp_path / 'quotas.sqlite3'}")
    assert isinstance(store, SqliteQuotas)
    quota = Quota(10_000, 10_000)
    for number in range(20):
        store.admit(f"address:{number}", quota, None, START)
    store.admit("account:1", quota, 1, START + 86_000)
    change(store)
    change(store, now=START + 86_390, key="sign-ins:recent")
    for _ in range(PURGE_EVERY):
        last = store.admit("account:2", quota, 2, START + 86_400)
    with store as connection:
        (subjects,) = connection.execute("SELECT group_concat(subject) FROM windows").fetchone()
        counters = connection.execute("SELECT key FROM counters").fetchall()
    assert set(subjects.split(",")) == {"account:1", "account:2"}
    assert counters == [("sign-ins:recent",)]
    assert last.day_used == PURGE_EVERY
    assert store.admit("account:1", quota, 1, START + 86_401).day_used == 2


def test_an_exception_leaves_no_lock_on_the_quota_store(tmp_path: Path) -> None:
    url, none = f"sqlite:///{tmp_path / 'quotas.sqlite3'}", cast("int", None)
    store, other = open_quota_storage(url), open_quota_storage(url)
    assert store.admit("account:1", Quota(1, none), 1, START).admitted
    with pytest.raises(TypeError):
        store.admit("account:1", Quota(1, none), 1, START)
    other.require_available()


@pytest.mark.parametrize("url", ["sqlite:////nowhere/at/all/quotas.sqlite3", "redis://127.0.0.1:1/0"])
def test_an_unreachable_quota_store_is_unavailable(url: str) -> None:
    store = open_quota_storage(url)
    with pytest.raises(Unavailable):
        store.admit("account:1", Quota(1, 1), 1, START)
    with pytest.raises(Unavailable):
        store.require_available()
    assert not store.check()
    store.close()


def test_a_reachable_quota_store_passes_its_check(store: QuotaStorage) -> None:
    store.require_available()
    assert store.admit("account:1", Quota(9, 9), 1, START).minute_used == 1


KEY, MOST, LASTS = "sign-ins:somebody", 8, 60


def change(store: QuotaStorage, amount: int = 1, now: float = START, key: str = KEY) -> int | None:
    return store.change_counter(key, amount, MOST, LASTS, now)


def test_a_counter_stops_at_its_limit_and_can_be_decreased(store: QuotaStorage) -> None:
    assert [change(store) for _ in range(10)] == [1, 2, 3, 4, 5, 6, 7, 8, None, None]
    assert [change(store, -1), change(store), change(store)] == [7, 8, None]
    assert change(store, key="sign-ins:another") == 1
    assert change(store, -20) == 0
    assert store.read_counter(KEY, START)[0] == 0


def test_parallel_threads_count_exactly_to_the_limit(store: QuotaStorage) -> None:
    together, counted = threading.Barrier(8), []

    def count() -> None:
        together.wait()
        counted.extend(change(store) for _ in range(20))

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each for each in counted if each is not None) == [*range(1, MOST + 1)]


def test_a_counter_expires_in_a_file(tmp_path: Path) -> None:
    """Redis uses its own clock."""
    store = open_quota_storage(f"sqlite:///{tmp_path / 'quotas.sqlite3'}")
    assert [change(store) for _ in range(2)] == [1, 2]
    assert change(store, now=START + LASTS - 1) == 3
    assert change(store, now=START + LASTS) == 1
    store.close()


def test_flask_limiter_counts_in_the_quota_store(store: QuotaStorage) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False):
        windows, limit = FixedWindowRateLimiter(store), RateLimitItemPerMinute(2)
        assert [windows.hit(limit, "192.0.2.7") for _ in range(3)] == [True, True, False]
        ends, left = windows.get_window_stats(limit, "192.0.2.7")
        assert time.time() + 58 < ends <= time.time() + 61
        assert left == 0


def test_counters_in_memory_are_exact_and_bounded() -> None:
    counters = MemoryCounters(kept=3)
    assert [counters.change(KEY, 1, 2, LASTS, START) for _ in range(3)] == [1, 2, None]
    assert counters.change(KEY, -1, 2, LASTS, START) == 1
    assert counters.change(KEY, -9, 2, LASTS, START) == 0
    assert counters.change(KEY, 1, 2, LASTS, START) == 1
    assert counters.change(KEY, 1, 2, LASTS, START + LASTS) == 1
    for number in range(10):
        counters.change(f"flood:{number}", 1, 2, LASTS, START)
    assert len(counters.counters) == 3
