"""Quotas of everything under /v1: flask-limiter with a strategy and a store of our own."""

from functools import cache

import limits.strategies
from flask import Flask, Response, g
from flask.ctx import _AppCtxGlobals as Globals
from flask_limiter import Limiter
from limits import RateLimitItem, RateLimitItemPerMinute, WindowStats

from adoption.accounts.plans import FREE, Quota
from adoption.accounts.quota_storage import QuotaStorage
from adoption.accounts.quota_stores import open_quota_store
from adoption.accounts.quotas import Shown, Verdict
from adoption.settings import Settings
from api.access import client_address
from api.durations import duration, plural
from api.errors import UNAVAILABLE_FOR, Problem


class PlanWindows(limits.strategies.RateLimiter):
    """A strategy that counts a plan's two windows, and applies bans, in one step of the quota store."""

    store: QuotaStorage

    def hit(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        known = g._get_current_object()
        caller = known.caller
        key_id = None if caller is None else caller.key_id
        verdict = known.verdict = self.store.admit(identifiers[0], quota_of(caller), key_id, known.now)
        return verdict.admitted

    def test(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        return bool(g.verdict.admitted)

    def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        shown: Shown = g.verdict.shown(quota_of(g.caller))
        return WindowStats(shown.reset, shown.remaining)


limits.strategies.STRATEGIES["plan-windows"] = PlanWindows  # type: ignore[assignment]


class PlanLimiter(Limiter):
    """flask-limiter with one limit, the caller's plan.

    The library resolves its tables of limits, exemptions and hints again on each request. With one limit for
    everything they are empty, and resolving them costs more than the rest of a list.
    """

    def init_app(self, app: Flask) -> None:
        """Check every request, without the hooks for the library's own headers and context.

        ``add_headers`` writes the headers, and ``g`` has what the library would keep in its context.
        """
        super().init_app(app)
        app.after_request_funcs[None].pop()
        app.teardown_request_funcs[None].pop()

    def _check_request_limit(self, callable_name: str | None = None, in_middleware: bool = True) -> None:
        known = g._get_current_object()
        if known.under_v1 and not self.limiter.hit(limit_of(quota_of(known.caller)), subject(known)):
            raise refusal()


@cache
def limit_of(quota: Quota) -> RateLimitItem:
    return RateLimitItemPerMinute(quota.per_minute)


def quota_of(caller: object) -> Quota:
    """Return the quota of a caller. One without a valid key has the free plan's, for its address."""
    return FREE.quota if caller is None else caller.quota  # type: ignore[attr-defined]


def subject(known: Globals) -> str:
    caller = known.caller
    return f"address:{client_address()}" if caller is None else f"account:{caller.account_id}"


def gate(app: Flask) -> None:
    """Register the limiter's check. The strategy uses a store of our own; the library's is unused."""
    settings: Settings = app.config["HOMEWARD"]
    limiter = PlanLimiter(
        lambda: subject(g), app=app, strategy="plan-windows", storage_uri="memory://", headers_enabled=False
    )
    store = app.extensions["homeward.quotas"] = open_quota_store(settings.quota_url)
    limiter.limiter.store = store  # type: ignore[attr-defined]


def refusal() -> Problem:
    verdict: Verdict = g.verdict
    quota = quota_of(g.caller)
    seconds = verdict.retry_after(quota, g.now)
    headers = {"Retry-After": str(seconds)}
    if verdict.banned_until:
        message = f"This key is banned for sending requests after a 429. The ban ends in {duration(seconds)}."
        return Problem(429, message, "key_banned", headers)
    shown = verdict.shown(quota)
    window = "minute" if shown.reset == verdict.minute_ends else "day"
    allowed = plural(shown.limit, "request")
    message = f"The quota of {allowed} a {window} is used up. Try again in {duration(seconds)}."
    return Problem(429, message, headers=headers)


def add_headers(response: Response, known: Globals) -> None:
    """Add the three rate limit headers. If nothing could be counted, they name the next try."""
    verdict: Verdict | None = getattr(known, "verdict", None)
    quota = quota_of(getattr(known, "caller", None))
    if verdict is None:
        shown = Shown(quota.per_minute, 0, int(known.now) + UNAVAILABLE_FOR)
    else:
        shown = verdict.shown(quota)
    headers = response.headers
    headers.add("X-RateLimit-Limit", str(shown.limit))
    headers.add("X-RateLimit-Remaining", str(shown.remaining))
    headers.add("X-RateLimit-Reset", str(shown.reset))
