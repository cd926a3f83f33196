"""Quotas of everything under /v1, counted in flask-limiter's storage."""

from flask import Response

from adoption.accounts.api_access.callers import Caller
from adoption.accounts.plans import FREE, Quota
from adoption.accounts.quotas.rules import ShownWindow, Verdict
from adoption.accounts.quotas.storage import QuotaStorage
from adoption.text_joining import counted
from api.authentication import address_of_caller
from api.durations import duration
from api.errors import UNAVAILABLE_FOR, Problem


class PlanWindows:
    """The strategy: a request needs room in both windows of its plan, and a key that is not banned.

    The storage decides all of that in one atomic call. A strategy of ``limits`` decides one window at a time,
    so that a request over the daily quota would use up the minute's.
    """

    def __init__(self, storage: QuotaStorage) -> None:
        self.storage = storage

    def hit(self, caller: Caller | None, now: float) -> Verdict:
        """Count a request, if both windows have room. Raise Unavailable."""
        if caller is None:
            return self.storage.admit(f"address:{address_of_caller()}", FREE.quota, None, now)
        return self.storage.admit(f"account:{caller.account_id}", caller.quota, caller.key_id, now)


def demand_admission(verdict: Verdict, caller: Caller | None, now: float) -> None:
    """Raise Problem if the caller's quota is used up or its key is banned."""
    if not verdict.admitted:
        raise quota_problem(verdict, quota_of(caller), now)


def quota_of(caller: Caller | None) -> Quota:
    """Return the quota of a caller. One without a valid key has the free plan's, for its address."""
    return FREE.quota if caller is None else caller.quota


def quota_problem(verdict: Verdict, quota: Quota, now: float) -> Problem:
    seconds = verdict.retry_after(quota, now)
    headers = {"Retry-After": str(seconds)}
    if verdict.banned_until:
        message = f"This key is banned for sending requests after a 429. The ban ends in {duration(seconds)}."
        return Problem(429, message, "key_banned", headers)
    shown = verdict.shown(quota)
    window = "minute" if shown.reset == verdict.minute_ends else "day"
    allowed = counted(shown.limit, "request")
    message = f"The quota of {allowed} a {window} is used up. Try again in {duration(seconds)}."
    return Problem(429, message, headers=headers)


def add_quota_headers(response: Response, verdict: Verdict | None, quota: Quota, now: float) -> None:
    """Add the three rate limit headers. If nothing could be counted, they name the next try."""
    if verdict is None:
        shown = ShownWindow(quota.per_minute, 0, int(now) + UNAVAILABLE_FOR)
    else:
        shown = verdict.shown(quota)
    headers = response.headers
    headers.add("X-RateLimit-Limit", str(shown.limit))
    headers.add("X-RateLimit-Remaining", str(shown.remaining))
    headers.add("X-RateLimit-Reset", str(shown.reset))
