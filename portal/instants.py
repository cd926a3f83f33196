"""Instants as people read them. Days and hours are UTC's, as those of the quotas are."""

from datetime import UTC, date, datetime

from markupsafe import Markup

from portal.words import counted

MINUTE, HOUR, DAY = 60, 3_600, 86_400


def day_in_words(day: date, today: date) -> str:
    """As "3 November", with the year where it is another one; the parts stay in one line."""
    words = f"{day.day}\N{NO-BREAK SPACE}{day:%B}"
    return words if day.year == today.year else f"{words}\N{NO-BREAK SPACE}{day.year}"


def ago(when: datetime, now: datetime) -> str:
    """How long ago something was, as far as one cares: "4 minutes ago", "yesterday", "on 3 March"."""
    seconds = (now - when).total_seconds()
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{counted(int(seconds // MINUTE), 'minute')} ago"
    if seconds < DAY:
        return f"{counted(int(seconds // HOUR), 'hour')} ago"
    days = (now.astimezone(UTC).date() - when.astimezone(UTC).date()).days
    if days <= 1:
        return "yesterday"
    if days <= 14:
        return f"{days} days ago"
    return f"on {day_in_words(when.astimezone(UTC).date(), now.date())}"


def soon(seconds: float) -> str:
    """How long something takes yet: "18 seconds", "4 minutes", "3 hours"."""
    whole = max(1, int(seconds))
    if whole < 2 * MINUTE:
        return counted(whole, "second")
    if whole < 2 * HOUR:
        return counted(round(whole / MINUTE), "minute")
    return counted(round(whole / HOUR), "hour")


def with_hour(when: datetime, now: datetime) -> str:
    """As "3 March, 09:40", with its year where that is another than today's."""
    return f"{day_in_words(when.astimezone(UTC).date(), now.date())}, {when.astimezone(UTC):%H:%M}"


def stamp(when: datetime, words: str = "") -> Markup:
    """A ``<time>`` with the whole instant behind it; ``words`` are what is read."""
    utc = when.astimezone(UTC)
    whole = f"{utc.day} {utc:%B %Y, %H:%M} UTC"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        f"{utc:%Y-%m-%dT%H:%M:%SZ}", whole, words or whole
    )
