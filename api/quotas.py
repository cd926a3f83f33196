"""Request quotas for /v1, counted in flask-limiter's storage."""

from adoption.accounts.api_access.callers import Caller
from adoption.accounts.plans import FREE, Quota
from adoption.accounts.quotas.limiter_storage import QuotaStorage
from adoption.accounts.quotas.windows import ShownWindow, Verdict
from adoption.english_plurals import counted
from adoption.request_context import RequestContext
from api.durations_in_words import spell_duration
from api.errors import UNAVAILABLE_FOR, Problem


class PlanWindows:
    """Rate limit strategy: a request counts against both windows of its plan, and its key must not be banned.

    The storage checks both windows and the ban in one atomic call. The strategies of the library ``limits``
    check one window at a time, so a request over the daily quota would still count against the minute's
    quota.
    """

    def __init__(self, storage: QuotaStorage) -> None:
        self.storage = storage

    def hit(self, caller: Caller | None, context: RequestContext) -> Verdict:
        """Count a request if neither window is full. Raise Unavailable if the storage is unreachable."""
        if caller is None:
            return self.storage.admit(f"address:{context.client_address}", FREE.quota, None, context.now)
        return self.storage.admit(f"account:{caller.account_id}", caller.quota, caller.key_id, context.now)


def demand_admission(context: RequestContext) -> None:
    """Raise Problem if the caller's quota is used up or its key is banned."""
    if context.verdict is not None and not context.verdict.admitted:
        raise quota_problem(context.verdict, quota_of(context.caller), context.now)


def quota_of(caller: Caller | None) -> Quota:
    """Return the caller's quota.

    Without a valid key, the quota is the free plan's quota, counted by IP address.
    """
    return FREE.quota if caller is None else caller.quota


def quota_problem(verdict: Verdict, quota: Quota, now: float) -> Problem:
    seconds = verdict.retry_after(quota, now)
    headers = {"Retry-After": str(seconds)}
    if verdict.banned_until:
        ends = spell_duration(seconds)
        message = f"This key is banned for sending requests after a 429. The ban ends in {ends}."
        return Problem(429, message, "key_banned", headers)
    shown = verdict.shown(quota)
    window = "minute" if shown.reset == verdict.minute_ends else "day"
    allowed = counted(shown.limit, "request")
    message = f"The quota of {allowed} a {window} is used up. Try again in {spell_duration(seconds)}."
    return Problem(429, message, headers=headers)


def quota_headers(context: RequestContext) -> list[tuple[str, str]]:
    """Return the three rate limit headers.

    If the storage is unreachable, the reset header has the time when the client can retry.
    """
    quota = quota_of(context.caller)
    if context.verdict is None:
        shown = ShownWindow(quota.per_minute, 0, int(context.now) + UNAVAILABLE_FOR)
    else:
        shown = context.verdict.shown(quota)
    return [
        ("X-RateLimit-Limit", str(shown.limit)),
        ("X-RateLimit-Remaining", str(shown.remaining)),
        ("X-RateLimit-Reset", str(shown.reset)),
    ]
