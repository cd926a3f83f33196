"""The page of usage and plans.

It shows quota windows, animals, photos, imports, 30 days of requests, and the plans.
"""

import time
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts import plan_requests
from adoption.accounts.api_access.usage import DayUsage, usage_by_day
from adoption.accounts.models import Account
from adoption.accounts.plans import PLANS, Caps, Quota, limits_in_words, quota_of_plan
from adoption.accounts.project_access import ProjectAccess
from adoption.accounts.quotas.configured_storage import the_quotas
from adoption.accounts.quotas.windows import DAY, QuotaWindows
from adoption.errors import Invalid, Unavailable
from adoption.storage.database import reading
from adoption.translations import gettext
from portal import htmx
from portal.current_user import actor
from portal.dates import day_in_words, day_of, duration_in_words
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.usage.charts import chart_of, chart_summary
from portal.staff.usage.plan_usage import HIGH, used_amounts_of


class Window(NamedTuple):
    """A quota window on the page."""

    name: str
    label: str
    used: int
    limit: int
    percent: int
    """The used percentage, a whole number from 0 to 100. It is 100 only if nothing is left."""
    again: str

    @property
    def state(self) -> str:
        return "full" if self.used >= self.limit else "high" if self.percent >= HIGH else "normal"

    @property
    def text(self) -> str:
        """The used requests, their limit and the state in words, for screen readers."""
        values = {"used": f"{self.used:,}", "limit": f"{self.limit:,}"}
        if self.state == "full":
            return gettext("%(used)s of %(limit)s requests, used up", **values)
        if self.state == "high":
            return gettext("%(used)s of %(limit)s requests, nearly full", **values)
        return gettext("%(used)s of %(limit)s requests", **values)


class PlanOffer(NamedTuple):
    """A plan on the page."""

    name: str
    label: str
    gives: list[str]
    current: bool
    requested: bool


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
    """Return the quota windows. The page reloads them."""
    now = time.time()
    found = windows_of(access.account, standing_of(access.account, now), now)
    return htmx.fragment(render_template("staff/usage/_windows.html", windows=found))


@staff.post("/usage/request")
@may("plan.request")
def request_plan(access: ProjectAccess) -> Response:
    plan = request.form.get("plan", "")
    try:
        plan_requests.request_plan(access.account.id, plan, actor())
        notice(
            gettext(
                "You have asked for %(plan)s. Nothing changes until we confirm it by email.",
                plan=plan.capitalize(),
            )
        )
    except Invalid:
        notice(gettext("Choose one of the plans below that you are not on yet."), "warn")
    return see_other(url_for(".usage"))


@staff.post("/usage/request/withdrawal")
@may("plan.request")
def withdraw_request(access: ProjectAccess) -> Response:
    plan_requests.withdraw_request(access.account.id, actor())
    notice(gettext("Request cancelled. Your plan does not change."))
    return see_other(url_for(".usage"))


def quota_for(account: Account) -> Quota:
    return quota_of_plan(account.plan, account.per_minute, account.per_day)


def standing_of(account: Account, now: float) -> QuotaWindows | None:
    """Return the account's usage of its quota windows, or None if the quota store does not answer."""
    try:
        return the_quotas().windows_of(f"account:{account.id}", now)
    except Unavailable:
        return None


def with_latest(days: list[DayUsage], stands: QuotaWindows | None) -> list[DayUsage]:
    """Return the days. Today has at least the requests that the day window has counted since midnight.

    The daily numbers are stored with a short delay, and the chart must agree with the meters.
    """
    today = days[-1]
    midnight = datetime.combine(today.day, datetime.min.time(), UTC).timestamp()
    if stands is None or not stands.day_ends or stands.day_ends - DAY < midnight:
        return days
    return [*days[:-1], today._replace(requests=max(today.requests, stands.day_used))]


def windows_of(account: Account, stands: QuotaWindows | None, now: float) -> list[Window] | None:
    """Return the minute and the day window. Both are None if the usage is unknown."""
    quota = quota_for(account)
    if stands is None:
        return None
    return [
        window(
            "minute", gettext("This minute"), stands.minute_used, quota.per_minute, stands.minute_ends, now
        ),
        window("day", gettext("This day"), stands.day_used, quota.per_day, stands.day_ends, now),
    ]


def window(name: str, label: str, used: int, limit: int, ends: int, now: float) -> Window:
    again = (
        gettext("Starts again in %(duration)s.", duration=duration_in_words(ends - now))
        if ends
        else gettext("Starts with your next request.")
    )
    return Window(name, label, used, limit, min(100, used * 100 // limit), again)


def offers_of(account: Account) -> list[PlanOffer]:
    return [
        PlanOffer(
            name,
            name.capitalize(),
            gives(account, name),
            name == account.plan,
            name == account.requested_plan,
        )
        for name in PLANS
    ]


def gives(account: Account, plan: str) -> list[str]:
    """Return what a plan includes. Only an account with a custom quota sees its numbers."""
    if PLANS[plan].custom_quota and (plan != account.plan or account.per_minute is None):
        agreed = gettext("Requests a minute and a day, animals, photos and imports as agreed with you")
        return [agreed, *domains_in(plan)]
    quota = quota_for(account) if plan == account.plan else PLANS[plan].quota
    rates = [
        gettext("%(number)s requests a minute", number=f"{quota.per_minute:,}"),
        gettext("%(number)s requests a day", number=f"{quota.per_day:,}"),
    ]
    caps = account.caps if plan == account.plan else PLANS[plan].caps
    return rates + capped_in(caps) + domains_in(plan)


def capped_in(caps: Caps) -> list[str]:
    """Return the plan's limits of animals, photos and imports."""
    unlimited = (
        gettext("Animals without a limit"),
        gettext("Photos without a limit"),
        gettext("Imports without a limit"),
    )
    return limits_in_words(caps) + [text for text, cap in zip(unlimited, caps, strict=True) if cap is None]


def domains_in(plan: str) -> list[str]:
    return [gettext("Custom domains")] if PLANS[plan].custom_domains else []
