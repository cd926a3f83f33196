"""Quotas in Redis, for several machines. Each request runs one script."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionBroken
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry

from adoption.accounts.plans import Quota
from adoption.accounts.quotas.bans import (
    BANS_REMEMBERED,
    FIRST_BAN,
    LONGEST_BAN,
    STRIKE_AFTER,
    STRIKES_ALLOWED,
    STRIKES_WITHIN,
    Ban,
)
from adoption.accounts.quotas.limiter_storage import QuotaStorage
from adoption.accounts.quotas.windows import CLOCKS_APART, DAY, MINUTE, QuotaWindows, Verdict
from adoption.errors import Unavailable
from adoption.storage.circuit_breaker import Breaker

UNAVAILABLE = "Requests cannot be counted at the moment."

# The current time is an argument, which the script compares with stored ends. Redis's own expiry only deletes
# old keys. The rules are the same as in sqlite_storage.
ADMIT = f"""
local window, strikes, bans, refusals = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local now, second = tonumber(ARGV[1]), math.floor(tonumber(ARGV[1]))
local per_minute, per_day, has_key = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'

local w = redis.call('HMGET', window, 'minute_used', 'minute_ends', 'day_used', 'day_ends')
local minute_used, minute_ends = tonumber(w[1]) or 0, tonumber(w[2]) or 0
local day_used, day_ends = tonumber(w[3]) or 0, tonumber(w[4]) or 0
if minute_ends > now + {MINUTE + CLOCKS_APART} or day_ends > now + {DAY + CLOCKS_APART} then
    if minute_ends > now + {MINUTE + CLOCKS_APART} then minute_ends = second + {MINUTE} end
    if day_ends > now + {DAY + CLOCKS_APART} then day_ends = second + {DAY} end
    redis.call('HSET', window, 'minute_ends', minute_ends, 'day_ends', day_ends)
end
if minute_ends <= now then minute_used, minute_ends = 0, second + {MINUTE} end
if day_ends <= now then day_used, day_ends = 0, second + {DAY} end

local started, seconds, ends
if has_key then
    local ban = redis.call('HMGET', bans, 'started', 'seconds', 'ends')
    started, seconds, ends = tonumber(ban[1]), tonumber(ban[2]), tonumber(ban[3]) or 0
    if ends > now and ends > now + seconds + {CLOCKS_APART} then
        ends = second + seconds
        redis.call('HSET', bans, 'started', ARGV[1], 'ends', ends)
    end
    if ends > now then return {{0, minute_used, minute_ends, day_used, day_ends, ends}} end
end

if minute_used < per_minute and day_used < per_day then
    minute_used, day_used = minute_used + 1, day_used + 1
    redis.call('HSET', window, 'minute_used', minute_used, 'minute_ends', minute_ends,
        'day_used', day_used, 'day_ends', day_ends)
    redis.call('EXPIRE', window, {DAY + 3600})
    return {{1, minute_used, minute_ends, day_used, day_ends, 0}}
end

ends = 0
local strikes_key = false
if has_key then
    local full = minute_ends
    if day_used >= per_day then full = day_ends end
    local r = redis.call('HMGET', refusals, 'window_ends', 'first')
    local first = tonumber(r[2])
    if tonumber(r[1]) == full and first <= now + {CLOCKS_APART} then
        strikes_key = now - first >= {STRIKE_AFTER}
    else
        redis.call('HSET', refusals, 'window_ends', full, 'first', ARGV[1])
        redis.call('EXPIRE', refusals, {DAY + 3600})
    end
end
if strikes_key then
    redis.call('ZREMRANGEBYSCORE', strikes, '-inf', now - {STRIKES_WITHIN})
    redis.call('ZREMRANGEBYSCORE', strikes, string.format('(%.17g', now + {CLOCKS_APART}), '+inf')
    redis.call('ZADD', strikes, now, ARGV[1] .. ':' .. redis.call('ZCARD', strikes))
    redis.call('EXPIRE', strikes, {STRIKES_WITHIN + 3600})
    if redis.call('ZCARD', strikes) > {STRIKES_ALLOWED} then
        if started and now - started < {BANS_REMEMBERED} then
            seconds = math.min(seconds * 2, {LONGEST_BAN})
        else
            seconds = {FIRST_BAN}
        end
        ends = second + seconds
        redis.call('HSET', bans, 'started', ARGV[1], 'seconds', seconds, 'ends', ends)
        redis.call('EXPIRE', bans, {BANS_REMEMBERED + LONGEST_BAN})
        redis.call('DEL', strikes)
    end
end
return {{0, minute_used, minute_ends, day_used, day_ends, ends}}
"""


GIVE_BACK = """
local now = tonumber(ARGV[1])
for _, name in ipairs({'minute', 'day'}) do
    local w = redis.call('HMGET', KEYS[1], name .. '_used', name .. '_ends')
    if (tonumber(w[1]) or 0) > 0 and (tonumber(w[2]) or 0) > now then
        redis.call('HINCRBY', KEYS[1], name .. '_used', -1)
    end
end
return 0
"""

# An expired ban must not be stored again without its other fields.
LIFT = """
local ends = tonumber(redis.call('HGET', KEYS[1], 'ends')) or 0
if ends > tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'ends', ARGV[1]) end
return 0
"""

# A counter that would exceed its limit is not changed.
CHANGE_COUNTER = """
local amount, most, seconds = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local count = tonumber(redis.call('GET', KEYS[1]))
if (count or 0) + amount > most then return -1 end
if count then return redis.call('INCRBY', KEYS[1], math.max(amount, -count)) end
redis.call('SET', KEYS[1], math.max(amount, 0), 'EX', seconds)
return math.max(amount, 0)
"""

ANSWERS_WITHIN = 0.2
"""The maximum seconds that a request waits for Redis. After a timeout, the next requests do not wait."""


class RedisQuotas(QuotaStorage):
    STORAGE_SCHEME = ["homeward+redis", "homeward+rediss", "homeward+unix"]  # noqa: RUF012 - as in ``limits``

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        self.redis = Redis.from_url(
            uri.removeprefix("homeward+"),
            socket_timeout=ANSWERS_WITHIN,
            socket_connect_timeout=ANSWERS_WITHIN,
            # Redis may have restarted since the last call. If Redis stopped after counting but before
            # answering, the request is counted twice.
            retry=Retry(NoBackoff(), 1, (ConnectionBroken,)),
        )
        self.admit_script = self.redis.register_script(ADMIT)
        self.give_back_script = self.redis.register_script(GIVE_BACK)
        self.lift_script = self.redis.register_script(LIFT)
        self.counter_script = self.redis.register_script(CHANGE_COUNTER)
        self.breaker = Breaker(self.answers)

    @contextmanager
    def available(self) -> Iterator[None]:
        """Raise Unavailable if Redis fails in the block.

        While the breaker is open, raise Unavailable without running the block.
        """
        if self.breaker.is_open:
            raise Unavailable(UNAVAILABLE)
        try:
            yield
        except RedisError as error:
            if isinstance(error, ConnectionBroken | TimedOut):
                self.breaker.open()
            raise Unavailable(UNAVAILABLE) from error

    def admit(self, subject: str, quota: Quota, key_id: int | None, now: float) -> Verdict:
        of_key = [f"homeward:{what}:{key_id}" for what in ("strikes", "ban", "refusals")]
        arguments: list[str | int] = [repr(now), quota.per_minute, quota.per_day, int(key_id is not None)]
        with self.available():
            admitted, *rest = self.admit_script([f"homeward:window:{subject}", *of_key], arguments)
        return Verdict(bool(admitted), *rest)

    def give_back(self, subject: str, now: float) -> None:
        with self.available():
            self.give_back_script([f"homeward:window:{subject}"], [repr(now)])

    def windows_of(self, subject: str, now: float) -> QuotaWindows:
        with self.available():
            stored = self.redis.hmget(f"homeward:window:{subject}", QuotaWindows._fields)
        return QuotaWindows(*(int(number or 0) for number in stored)).at(now)

    def bans_of(self, key_ids: Iterable[int], now: float) -> dict[int, Ban]:
        bans = {}
        for key_id in key_ids:
            with self.available():
                started, ends = self.redis.hmget(f"homeward:ban:{key_id}", ["started", "ends"])
            if started and ends and int(ends) > now:
                bans[key_id] = Ban(float(started), int(ends)).at(now)
        return bans

    def lift_ban(self, key_id: int, now: float) -> None:
        with self.available():
            self.lift_script([f"homeward:ban:{key_id}"], [int(now)])

    def change_counter(self, key: str, amount: int, most: int, seconds: int, now: float) -> int | None:
        with self.available():
            count = int(self.counter_script([f"homeward:counter:{key}"], [amount, most, seconds]))
        return None if count < 0 else count

    def read_counter(self, key: str, now: float) -> tuple[int, float]:
        name = f"homeward:counter:{key}"
        with self.available():
            count, lasts = self.redis.get(name), self.redis.pttl(name)
        return (int(count), now + lasts / 1_000) if count and lasts > 0 else (0, now)

    def require_available(self) -> None:
        with self.available():
            self.redis.ping()

    def answers(self) -> bool:
        try:
            return bool(self.redis.ping())
        except RedisError:
            return False

    def close(self) -> None:
        self.breaker.stop()
        self.redis.close()
