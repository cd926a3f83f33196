"""Rate limits of costly pages, per IP address.

The limits are far above the number of pages that people open by hand, even if many people in an office or at
a fair share one address.
"""

import time
from math import ceil
from typing import Any

from flask import Flask
from flask_limiter import Limiter, RequestLimit

from adoption.accounts.quotas.throttles import MINUTE, Throttle, wait_in_words
from adoption.errors import TooMany
from adoption.translations import gettext, message

TOO_MANY = message("Your network sent too many requests like this one. Try again in {wait}.")
SEARCHES = Throttle("searches", 300, MINUTE, TOO_MANY)
"""The rate limit of searches in the catalogue.

``limiter.limit`` would cost twice as much: 16 % of the CPU time of a search.
"""
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
"""The rate limit of each endpoint, per IP address."""


def limit_pages(app: Flask, limiter: Limiter) -> None:
    """Limit the views of ``LIMITS``."""
    views: dict[str, Any] = app.view_functions
    for endpoint, limit in LIMITS.items():
        views[endpoint] = limiter.limit(limit, on_breach=refuse_too_many)(views[endpoint])


def refuse_too_many(breached: RequestLimit) -> None:
    """Raise TooMany with the seconds to wait."""
    seconds = max(1, ceil(breached.reset_at - time.time()))
    wait = wait_in_words(min(seconds, breached.limit.get_expiry()))
    raise TooMany(gettext(TOO_MANY).replace("{wait}", wait), seconds)
