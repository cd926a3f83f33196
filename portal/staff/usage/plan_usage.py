"""An account's usage of the limits of its plan: animals, photos and today's imports."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from adoption.accounts.models import Account
from adoption.accounts.plans import GB, PLANS
from adoption.animals import animal_and_photo_limits
from adoption.imports.daily_limit import imports_today
from adoption.translations import gettext
from portal.dates import duration_in_words

HIGH = 80
"""The percentage of a limit from which the page warns that the limit is nearly reached."""


class UsedAmount(NamedTuple):
    """An account's usage of one limit of its plan."""

    name: str
    label: str
    used: int
    cap: int | None
    used_text: str
    cap_text: str
    """The limit in words. Empty if there is no limit."""
    hint: str = ""

    @property
    def percent(self) -> int:
        """The used share of the limit in percent, at most 100; 0 without a limit."""
        return min(100, self.used * 100 // self.cap) if self.cap else 0

    @property
    def text(self) -> str:
        """The used amount, the limit and the state in words, for screen readers."""
        values = {"used": self.used_text, "limit": self.cap_text}
        if self.state == "full":
            return gettext("%(used)s of %(limit)s, used up", **values)
        if self.state == "high":
            return gettext("%(used)s of %(limit)s, nearly full", **values)
        return gettext("%(used)s of %(limit)s", **values) if self.cap_text else self.used_text

    @property
    def state(self) -> str:
        if self.cap is not None and self.used >= self.cap:
            return "full"
        return "high" if self.percent >= HIGH else "normal"


def used_amounts_of(account: Account, now: datetime) -> list[UsedAmount]:
    """Return the account's usage of each limit of its plan."""
    caps = account.caps
    animals = animal_and_photo_limits.count_account_animals(account.id, now), caps.animals
    photos = animal_and_photo_limits.count_photo_bytes(account.id), caps.photo_bytes
    imports = imports_today(account.id, now), caps.imports_a_day
    days, again = animal_and_photo_limits.REMOVED_COUNT_FOR.days, duration_in_words(seconds_to_midnight(now))
    amounts = (
        (
            used_amount("animals", gettext("Animals"), *animals),
            gettext("You cannot add animals. A removed animal still counts for %(days)s days.", days=days),
            gettext("A removed animal still counts for %(days)s days.", days=days),
        ),
        (
            used_amount("photos", gettext("Photos"), *photos),
            gettext("You cannot add photos. Remove some."),
            gettext("We count every size that we store of a photo."),
        ),
        (
            used_amount("imports", gettext("Imports today"), *imports),
            gettext("You can import again in %(duration)s.", duration=again),
            gettext("Starts again in %(duration)s.", duration=again),
        ),
    )
    more = how_to_get_more(account)
    return [
        amount._replace(hint=f"{full} {more}" if amount.state == "full" else hint)
        for amount, full, hint in amounts
    ]


def how_to_get_more(account: Account) -> str:
    if PLANS[account.plan].custom_quota:
        return gettext("To add more, ask for a higher limit.")
    return gettext("To add more, request a larger plan below.")


def used_amount(name: str, label: str, used: int, cap: int | None) -> UsedAmount:
    in_words = gigabytes_in_words if name == "photos" else "{:,}".format
    return UsedAmount(name, label, used, cap, in_words(used), "" if cap is None else in_words(cap))


def seconds_to_midnight(now: datetime) -> float:
    """Return the seconds until midnight UTC, when the daily count of imports starts again."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today + timedelta(days=1) - now).total_seconds()


def gigabytes_in_words(size: int) -> str:
    """Return a size in bytes as megabytes or gigabytes, such as "1.5 GB"."""
    if size < GB:
        return gettext("%(number)s MB", number=f"{size / 10**6:,.0f}")
    return gettext("%(number)s GB", number=f"{size / GB:,.1f}".removesuffix(".0"))
