"""Dates and times in words, as ``<time>`` elements in the page's time zone.

Staff pages and a shelter's public pages use the shelter's zone. Other pages use UTC. On public pages
``static/js/times.js`` then rewrites times in the reader's zone.
"""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from flask import g
from markupsafe import Markup

from adoption.accounts.project_access import ProjectAccess
from adoption.request_context import current_request
from adoption.time_zones import UTC_NAME, date_in, month_name, time_in, zone_info
from adoption.translations import gettext, message, ngettext
from portal.capitalization import capitalise

MINUTE, HOUR, DAY = 60, 3_600, 86_400
NEAR = {-1: message("yesterday"), 0: message("today"), 1: message("tomorrow")}
SHORT_MONTHS = (
    *(message("Jan"), message("Feb"), message("Mar"), message("Apr"), message("May"), message("Jun")),
    *(message("Jul"), message("Aug"), message("Sep"), message("Oct"), message("Nov"), message("Dec")),
)


def page_zone() -> ZoneInfo:
    """Return the zone of the shelter whose page this is, or UTC."""
    access: ProjectAccess | None = g.get("access")
    if access:
        return zone_info(access.project.time_zone)
    if site := current_request().site:
        return zone_info(site.time_zone)
    return zone_info(g.get("time_zone", UTC_NAME))


def show_times_in(time_zone: str) -> None:
    """Set the time zone of a platform page about one shelter."""
    g.time_zone = time_zone


def current_date(time_zone: str | None = None) -> date:
    """Return the current date in a zone. The default is the page's zone."""
    return datetime.now(zone_info(time_zone) if time_zone else page_zone()).date()


def day_in_words(day: date, today: date) -> str:
    """Return a date such as "3 November".

    The year is added unless it is the current year.
    """
    month = month_name(day)
    if day.year == today.year:
        return gettext("%(day)s\N{NO-BREAK SPACE}%(month)s", day=day.day, month=month)
    return gettext(
        "%(day)s\N{NO-BREAK SPACE}%(month)s\N{NO-BREAK SPACE}%(year)s",
        day=day.day,
        month=month,
        year=day.year,
    )


def ago(when: datetime, now: datetime | None = None, capitalised: bool = False) -> Markup:
    """Return how long ago an instant was: "4 minutes ago", "yesterday", "on 3 March"."""
    now = now or datetime.now(UTC)
    seconds = (now.astimezone(UTC) - when.astimezone(UTC)).total_seconds()
    if seconds < MINUTE:
        words = gettext("just now")
    elif seconds < HOUR:
        words = ngettext("%(num)s minute ago", "%(num)s minutes ago", int(seconds // MINUTE))
    elif seconds < DAY:
        words = ngettext("%(num)s hour ago", "%(num)s hours ago", int(seconds // HOUR))
    else:
        words = days_ago(local(when).date(), local(now).date())
    return element(when, capitalise(words) if capitalised else words, "ago")


def days_ago(day: date, today: date) -> str:
    days = (today - day).days
    if days <= 1:
        return gettext("yesterday")
    if days <= 14:
        return gettext("%(days)s days ago", days=days)
    return gettext("on %(day)s", day=day_in_words(day, today))


def day_of(when: datetime, now: datetime | None = None) -> Markup:
    """Return the day of an instant, such as "3 November"."""
    words = day_in_words(local(when).date(), local(now or datetime.now(UTC)).date())
    return element(when, words, "day")


def month_of(when: datetime) -> Markup:
    return element(when, month_name(local(when)))


def day_and_time(when: datetime, now: datetime | None = None, capitalised: bool = False) -> Markup:
    """Return a day and time such as "today, 09:40" or "3 March, 09:40".

    The zone is added only if it is UTC.
    """
    local_time, today = local(when), local(now or datetime.now(UTC)).date()
    near = NEAR.get((local_time.date() - today).days)
    day = gettext(near) if near else day_in_words(local_time.date(), today)
    words = gettext("%(day)s, %(time)s", day=day, time=f"{local_time:%H:%M}")
    words += " UTC" if page_zone().key == UTC_NAME else ""
    return element(when, capitalise(words) if capitalised else words, "moment")


def recent(when: datetime, now: datetime | None = None) -> Markup:
    """Return an instant as "Today, 09:40" or "Yesterday, 16:02".

    Before yesterday, the result is only the date, such as "24 Nov 2025".
    """
    local_time, today = local(when), local(now or datetime.now(UTC)).date()
    if (today - local_time.date()).days in (0, 1):
        return day_and_time(when, now, capitalised=True)
    return element(when, short_day(local_time.date(), today))


def short_day(day: date, today: date) -> str:
    """Return a date such as "24 Nov".

    The year is added unless it is the current year.
    """
    month = gettext(SHORT_MONTHS[day.month - 1])
    if day.year == today.year:
        return gettext("%(day)s %(month)s", day=day.day, month=month)
    return gettext("%(day)s %(month)s %(year)s", day=day.day, month=month, year=day.year)


def full_date_and_time(when: datetime) -> Markup:
    """Return the whole date and time with its zone, such as "29 November 2026, 14:05 GMT"."""
    return element(when, date_in_full(when), "full")


def element(when: datetime, words: str, shape: str = "") -> Markup:
    """Return a ``<time>`` element with the text ``words``.

    On public pages, a script replaces the text with the time in the reader's zone, in the format ``shape``.
    """
    return Markup('<time datetime="{}" title="{}"{}>{}</time>').format(
        rfc3339(when),
        date_in_full(when),
        Markup(' data-shape="{}"').format(shape) if shape and "access" not in g else "",
        words,
    )


def local(when: datetime) -> datetime:
    return when.astimezone(page_zone())


def date_in_full(when: datetime) -> str:
    zone = page_zone().key
    return gettext("%(day)s, %(time)s", day=date_in(zone, when), time=time_in(zone, when))


def rfc3339(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def duration_in_words(seconds: float) -> str:
    """Return a duration in words, such as "18 seconds", "4 minutes" or "3 hours"."""
    rounded = max(1, int(seconds))
    if rounded < 2 * MINUTE:
        return ngettext("%(num)s second", "%(num)s seconds", rounded)
    if rounded < 2 * HOUR:
        return ngettext("%(num)s minute", "%(num)s minutes", round(rounded / MINUTE))
    return ngettext("%(num)s hour", "%(num)s hours", round(rounded / HOUR))
