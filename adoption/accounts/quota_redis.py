"""Quotas in Redis, for several machines; each request is one call of one script."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from redis import Redis
from redis.exceptions import ConnectionError as ConnectionBroken
from redis.exceptions import NoScriptError, RedisError

from adoption.accounts.plans import Quota
from adoption.accounts.quotas import (
    BANS_REMEMBERED,
    CLOCKS_APART,
    DAY,
    FIRST_BAN,
    LONGEST_BAN,
    MINUTE,
    STRIKE_AFTER,
    STRIKES_ALLOWED,
    STRIKES_WITHIN,
    Ban,
    Standing,
    Verdict,
)
from adoption.errors import Unavailable

# The time comes in as an argument, so every stored end is compared with it and never left to Redis's own
# expiry, which only sweeps up behind. The rules are those of quota_sqlite, said in Redis's language.
ADMIT = f"""
local window, strikes, bans, refusals = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local now, whole = tonumber(ARGV[1]), math.floor(tonumber(ARGV[1]))
local per_minute, per_day, has_key = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'

local w = redis.call('HMGET', window, 'minute_used', 'minute_ends', 'day_used', 'day_ends')
local minute_used, minute_ends = tonumber(w[1]) or 0, tonumber(w[2]) or 0
local day_used, day_ends = tonumber(w[3]) or 0, tonumber(w[4]) or 0
if minute_ends > now + {MINUTE + CLOCKS_APART} or day_ends > now + {DAY + CLOCKS_APART} then
    if minute_ends > now + {MINUTE + CLOCKS_APART} then minute_ends = whole + {MINUTE} end
    if day_ends > now + {DAY + CLOCKS_APART} then day_ends = whole + {DAY} end
    redis.call('HSET', window, 'minute_ends', minute_ends, 'day_ends', day_ends)
end
if minute_ends <= now then minute_used, minute_ends = 0, whole + {MINUTE} end
if day_ends <= now then day_used, day_ends = 0, whole + {DAY} end

local started, seconds, ends
if has_key then
    local ban = redis.call('HMGET', bans, 'started', 'seconds', 'ends')
    started, seconds, ends = tonumber(ban[1]), tonumber(ban[2]), tonumber(ban[3]) or 0
    if ends > now and ends > now + seconds + {CLOCKS_APART} then
        ends = whole + seconds
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
        ends = whole + seconds
        redis.call('HSET', bans, 'started', ARGV[1], 'seconds', seconds, 'ends', ends)
        redis.call('EXPIRE', bans, {BANS_REMEMBERED + LONGEST_BAN})
        redis.call('DEL', strikes)
    end
end
return {{0, minute_used, minute_ends, day_used, day_ends, ends}}
"""


# A ban that is gone already must not come back as half a row.
LIFT = """
local ends = tonumber(redis.call('HGET', KEYS[1], 'ends')) or 0
if ends > tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'ends', ARGV[1]) end
return 0
"""

ADMIT_SHA = hashlib.sha1(ADMIT.encode(), usedforsecurity=False).hexdigest()
"""The name by which Redis knows the script once it has had it."""


class RedisQuotas:
    def __init__(self, url: str) -> None:
        self.redis = Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1)
        self.resting: list[Any] = []

    def admit(self, subject: str, quota: Quota, key_id: int | None, now: float) -> Verdict:
        of_key = [f"homeward:{what}:{key_id}" for what in ("strikes", "ban", "refusals")]
        keys = [f"homeward:window:{subject}", *of_key]
        asked: list[str | int] = [repr(now), quota.per_minute, quota.per_day, int(key_id is not None)]
        try:
            try:
                admitted, *rest = self.call("EVALSHA", ADMIT_SHA, len(keys), *keys, *asked)
            except NoScriptError:
                admitted, *rest = self.call("EVAL", ADMIT, len(keys), *keys, *asked)
        except RedisError as error:
            raise Unavailable("Requests cannot be counted at the moment.") from error
        return Verdict(bool(admitted), *rest)

    def call(self, *command: str | int) -> Any:
        """One command on a connection that rests here: the pool's own checks cost as much as the command."""
        try:
            connection = self.resting.pop()
        except IndexError:
            connection = self.redis.connection_pool.get_connection()
        try:
            return say(connection, *command)
        except ConnectionBroken:
            # Redis was started anew since the last call. What is counted twice so is on the safe side.
            connection.disconnect()
            return say(connection, *command)
        finally:
            self.resting.append(connection)

    def standing(self, subject: str, now: float) -> Standing:
        with saying_unavailable():
            kept = self.call("HMGET", f"homeward:window:{subject}", *Standing._fields)
        return Standing(*(int(number or 0) for number in kept)).at(now)

    def bans_of(self, key_ids: Iterable[int], now: float) -> dict[int, Ban]:
        bans = {}
        with saying_unavailable():
            for key_id in key_ids:
                started, ends = self.call("HMGET", f"homeward:ban:{key_id}", "started", "ends")
                if ends and int(ends) > now:
                    bans[key_id] = Ban(float(started), int(ends)).at(now)
        return bans

    def lift(self, key_id: int, now: float) -> None:
        with saying_unavailable():
            self.call("EVAL", LIFT, 1, f"homeward:ban:{key_id}", int(now))

    def check(self) -> None:
        with saying_unavailable():
            self.redis.ping()

    def close(self) -> None:
        self.redis.close()


@contextmanager
def saying_unavailable() -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        raise Unavailable("Requests cannot be counted at the moment.") from error


def say(connection: Any, *command: str | int) -> Any:
    connection.send_command(*command, check_health=False)
    return connection.read_response()
