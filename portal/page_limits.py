"""Limits of pages that cost more than others, per client address.

Nobody who reads or fills in pages meets them, not even a whole office or fair behind one address.
"""

import time
from collections.abc import Callable
from functools import wraps
from math import ceil
from typing import Any

from flask import Flask, request
from flask_limiter import Limiter, RequestLimit

from adoption.accounts.throttles import in_words
from adoption.errors import TooMany

SEARCHES = "300 per minute"
LIMITS = {
    "portal.feed": "120 per minute",
    "portal.poster": "120 per minute",
    "portal.sitemap_part": "120 per minute",
    "staff.check_new": "300 per minute",
    "staff.check_edited": "300 per minute",
    "staff.upload_import": "60 per hour",
    "staff.choose_columns": "300 per hour",
    "staff.add_photos": "1200 per hour",
    "staff.download_export": "60 per hour",
    "staff.export_applicant": "60 per hour",
    "staff.audit_file": "60 per hour",
}
"""By endpoint, for each address."""


def limit_pages(app: Flask, limiter: Limiter) -> None:
    """Limit the views of ``LIMITS``, and searches of the catalogue."""
    views: dict[str, Any] = app.view_functions
    for endpoint, limit in LIMITS.items():
        views[endpoint] = limiter.limit(limit, on_breach=refuse)(views[endpoint])
    catalogue = views["portal.catalogue"]
    views["portal.catalogue"] = only_searches(catalogue, limiter.limit(SEARCHES, on_breach=refuse)(catalogue))


def only_searches(view: Callable[[], Any], limited: Callable[[], Any]) -> Callable[[], Any]:
    """Return a view that is limited for searches, and costs other requests nothing."""

    @wraps(view)
    def choose() -> Any:
        return (limited if request.args.get("q") else view)()

    return choose


def refuse(breached: RequestLimit) -> None:
    """Raise TooMany, with how long to wait."""
    seconds = max(1, ceil(breached.reset_at - time.time()))
    wait = in_words(min(seconds, breached.limit.get_expiry()))
    raise TooMany(f"Your network sent too many requests like this one. Try again in {wait}.", seconds)
