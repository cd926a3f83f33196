"""Request quotas for /v1, counted in flask-limiter's storage."""

from adoption.accounts.api_access.callers import Caller
from adoption.accounts.plans import FREE, Quota
from adoption.accounts.quotas.limiter_storage import NO_LIMIT, QuotaStorage
from adoption.accounts.quotas.windows import ShownWindow, Verdict
from adoption.english_plurals import counted
from adoption.request_context import RequestContext
from api.durations_in_words import spell_duration
from api.errors import UNAVAILABLE_FOR, Problem

VISITOR_PER_MINUTE = 30
"""How many requests per minute one network address can send with an account's publishable keys."""
VISITOR_QUOTA = Quota(VISITOR_PER_MINUTE, NO_LIMIT)
PREFLIGHTS_PER_MINUTE = 600
PREFLIGHT_QUOTA = Quota(PREFLIGHTS_PER_MINUTE, NO_LIMIT)


class PlanWindows:
    """Rate limit strategy: a request counts against both windows of its plan, and its key must not be banned.

    The storage checks both windows and the ban in one atomic call. The strategies of the library ``limits``
    check one window at a time, so a request over the daily quota would still count against the minute's
    quota.
    """

    def __init__(self, storage: QuotaStorage) -> None:
        self.storage = storage

    def hit(self, caller: Caller | None, context: RequestContext) -> tuple[Verdict, Quota]:
        """Count a request if no window is full. Return the verdict, and the quota that the verdict is about.

        A publishable key in a page of another origin counts like an invalid key, so that only the pages of
        its owner can use up its quota. Raise Unavailable if the storage is unreachable.
        """
        admit, now = self.storage.admit, context.now
        if caller is None or not caller.accepts(context.environ.get("HTTP_ORIGIN")):
            return admit(f"address:{context.client_address}", FREE.quota, None, now), FREE.quota
        if caller.is_publishable:
            return self.hit_as_visitor(caller, context.client_address, now)
        return admit(f"account:{caller.account_id}", caller.quota, caller.key_id, now), caller.quota

    def hit_as_visitor(self, caller: Caller, address: str, now: float) -> tuple[Verdict, Quota]:
        """Count a request against the visitor's address and the account's pool for web pages.

        No request bans a publishable key, because a ban would stop the other visitors.
        """
        visitor = f"visitor:{caller.account_id}:{address}"
        own = self.storage.admit(visitor, VISITOR_QUOTA, None, now)
        if not own.admitted:
            return own, VISITOR_QUOTA
        pool = self.storage.admit(f"pages:{caller.account_id}", caller.quota, None, now)
        if not pool.admitted:
            self.storage.give_back(visitor, now)
            return pool, caller.quota
        fewest = min(own.shown(VISITOR_QUOTA).remaining, pool.shown(caller.quota).remaining)
        is_own = own.shown(VISITOR_QUOTA).remaining == fewest
        return (own, VISITOR_QUOTA) if is_own else (pool, caller.quota)

    def hit_as_preflight(self, context: RequestContext) -> tuple[Verdict, Quota]:
        """Count a browser's preflight request, which has no key, against its address alone."""
        subject = f"preflight:{context.client_address}"
        return self.storage.admit(subject, PREFLIGHT_QUOTA, None, context.now), PREFLIGHT_QUOTA


def demand_admission(context: RequestContext) -> None:
    """Raise Problem if the caller's quota is used up or its key is banned."""
    if context.verdict is not None and not context.verdict.admitted:
        raise quota_problem(context.verdict, context.quota, context.now)


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
    whose = " from one visitor of a web page" if quota == VISITOR_QUOTA else ""
    message = f"The quota of {allowed} a {window}{whose} is used up. Try again in {spell_duration(seconds)}."
    return Problem(429, message, headers=headers)


def quota_headers(context: RequestContext) -> list[tuple[str, str]]:
    """Return the three rate limit headers.

    If the storage is unreachable, the reset header has the time when the client can retry.
    """
    quota = context.quota
    if context.verdict is None:
        shown = ShownWindow(quota.per_minute, 0, int(context.now) + UNAVAILABLE_FOR)
    else:
        shown = context.verdict.shown(quota)
    return [
        ("X-RateLimit-Limit", str(shown.limit)),
        ("X-RateLimit-Remaining", str(shown.remaining)),
        ("X-RateLimit-Reset", str(shown.reset)),
    ]
