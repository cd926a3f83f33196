"""The page of usage and plans: quota windows, plan limits, requests of the last 30 days, and plans."""

import time
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template

from adoption.accounts.api_access.usage import DayUsage, usage_by_day
from adoption.accounts.models import Account
from adoption.accounts.project_access import ProjectAccess
from adoption.accounts.quotas.configured_storage import the_quota_storage
from adoption.accounts.quotas.windows import DAY, QuotaWindows
from adoption.errors import Unavailable
from adoption.storage.database import reading
from adoption.translations import gettext
from portal import htmx
from portal.dates import day_in_words, day_of, duration_in_words
from portal.staff import may, staff
from portal.staff.usage.charts import chart_of, chart_summary
from portal.staff.usage.plan_offers import offers_of, quota_for
from portal.staff.usage.plan_usage import HIGH, used_amounts_of


class Window(NamedTuple):
    """A quota window: requests in the current minute or day."""

    name: str
    label: str
    used: int
    limit: int
    percent: int
    """The used share of the limit in percent. It is rounded down, so that it is 100 only if no request is
    left."""
    again: str
    """A sentence about when the window starts again."""

    @property
    def state(self) -> str:
        return "full" if self.used >= self.limit else "high" if self.percent >= HIGH else "normal"

    @property
    def text(self) -> str:
        """The used requests, the limit and the state in words, for screen readers."""
        values = {"used": f"{self.used:,}", "limit": f"{self.limit:,}"}
        if self.state == "full":
            return gettext("%(used)s of %(limit)s requests, used up", **values)
        if self.state == "high":
            return gettext("%(used)s of %(limit)s requests, nearly full", **values)
        return gettext("%(used)s of %(limit)s requests", **values)


@staff.get("/usage")
@may("usage.see")
def usage(access: ProjectAccess) -> Response:
    now = datetime.now(UTC)
    with reading() as session:
        days = usage_by_day(session, access.account.id, now.date())
    quota, standing = quota_for(access.account), standing_of(access.account, now.timestamp())
    days = with_latest(days, standing)
    words = {
        "plan": access.account.plan.capitalize(),
        "quota": quota,
        "windows": windows_of(access.account, standing, now.timestamp()),
        "held": used_amounts_of(access.account, now),
        "days": [(day_in_words(day.day, now.date()), day) for day in reversed(days)],
        "period": gettext(
            "%(first)s to %(last)s",
            first=day_in_words(days[0].day, now.date()),
            last=day_in_words(now.date(), now.date()),
        ),
        "chart": chart_of(days, quota.per_day),
        "summary": chart_summary(days),
        "offers": offers_of(access.account),
        "asked_on": access.account.requested_at and day_of(access.account.requested_at, now),
    }
    return make_response(render_template("staff/usage/index.html", **words))


@staff.get("/usage/windows")
@may("usage.see", in_background=True)
def windows(access: ProjectAccess) -> Response:
    """Return the quota windows. A script reloads them regularly."""
    now = time.time()
    found = windows_of(access.account, standing_of(access.account, now), now)
    return htmx.fragment(render_template("staff/usage/_windows.html", windows=found))


def standing_of(account: Account, now: float) -> QuotaWindows | None:
    """Return the account's usage of its quota windows, or None if the quota store does not answer."""
    try:
        return the_quota_storage().windows_of(f"account:{account.id}", now)
    except Unavailable:
        return None


def with_latest(days: list[DayUsage], stands: QuotaWindows | None) -> list[DayUsage]:
    """Return the days. Today has at least as many requests as the day window has counted since midnight.

    The daily numbers are stored with a short delay, and the chart must agree with the quota windows.
    """
    today = days[-1]
    midnight = datetime.combine(today.day, datetime.min.time(), UTC).timestamp()
    if stands is None or not stands.day_ends or stands.day_ends - DAY < midnight:
        return days
    return [*days[:-1], today._replace(requests=max(today.requests, stands.day_used))]


def windows_of(account: Account, stands: QuotaWindows | None, now: float) -> list[Window] | None:
    """Return the minute window and the day window, or None if the usage is unknown."""
    quota = quota_for(account)
    if stands is None:
        return None
    return [
        quota_window(
            "minute", gettext("This minute"), stands.minute_used, quota.per_minute, stands.minute_ends, now
        ),
        quota_window("day", gettext("This day"), stands.day_used, quota.per_day, stands.day_ends, now),
    ]


def quota_window(name: str, label: str, used: int, limit: int, ends: int, now: float) -> Window:
    again = (
        gettext("Starts again in %(duration)s.", duration=duration_in_words(ends - now))
        if ends
        else gettext("Starts with your next request.")
    )
    return Window(name, label, used, limit, min(100, used * 100 // limit), again)
