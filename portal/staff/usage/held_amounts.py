"""What an account has of all that its plan limits: animals, photos and today's imports."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from adoption.accounts.models import Account
from adoption.accounts.plans import GB, PLANS
from adoption.animals import plan_caps
from adoption.imports.plan_caps import imports_today
from portal.dates import duration_in_words

HIGH = 80
"""Per cent of a limit from which on it is nearly used up."""
REMOVED = f"A removed animal counts for {plan_caps.REMOVED_COUNT_FOR.days} more days."
NO_ANIMALS = (
    "You cannot add animals. Remove some (each counts for "
    f"{plan_caps.REMOVED_COUNT_FOR.days} more days), or {{}}."
)
ALL_SIZES = "We count every size that we store of a photo."
NO_PHOTOS = "You cannot add photos. Remove some, or {}."
IMPORTS_AGAIN = "Starts again in {}."
NO_IMPORTS = "You can import again in {}, or {}."


class Held(NamedTuple):
    """What the account has of something that its plan limits."""

    name: str
    label: str
    used: int
    cap: int | None
    used_text: str
    cap_text: str
    """Empty without a limit."""
    hint: str

    @property
    def percent(self) -> int:
        """From 0 to 100; 0 without a limit."""
        return min(100, self.used * 100 // self.cap) if self.cap else 0

    @property
    def text(self) -> str:
        """How much of how much, in words."""
        return f"{self.used_text} of {self.cap_text}" if self.cap_text else self.used_text

    @property
    def state(self) -> str:
        return "full" if is_full(self.used, self.cap) else "high" if self.percent >= HIGH else "normal"


def held_of(account: Account, now: datetime) -> list[Held]:
    """Return what the account has of all that its plan limits."""
    caps = account.caps
    more = "ask for a higher limit" if PLANS[account.plan].custom_quota else "request a larger plan below"
    animals = plan_caps.count_account_animals(account.id, now), caps.animals
    photos = plan_caps.photo_bytes_of(account.id), caps.photo_bytes
    imports = imports_today(account.id, now), caps.imports_a_day
    again = duration_in_words(seconds_to_midnight(now))
    return [
        held_amount(
            "animals", "Animals", *animals, NO_ANIMALS.format(more) if is_full(*animals) else REMOVED
        ),
        held_amount("photos", "Photos", *photos, NO_PHOTOS.format(more) if is_full(*photos) else ALL_SIZES),
        held_amount(
            "imports",
            "Imports today",
            *imports,
            (NO_IMPORTS if is_full(*imports) else IMPORTS_AGAIN).format(again, more),
        ),
    ]


def held_amount(name: str, label: str, used: int, cap: int | None, hint: str) -> Held:
    in_words = gigabytes if name == "photos" else "{:,}".format
    return Held(name, label, used, cap, in_words(used), "" if cap is None else in_words(cap), hint)


def is_full(used: int, cap: int | None) -> bool:
    return cap is not None and used >= cap


def seconds_to_midnight(now: datetime) -> float:
    """Return how long it is to midnight, UTC, when the imports of a day are counted again."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today + timedelta(days=1) - now).total_seconds()


def gigabytes(size: int) -> str:
    """Return a number of bytes in megabytes or gigabytes."""
    return f"{size / 10**6:,.0f} MB" if size < GB else f"{size / GB:,.1f} GB".replace(".0 GB", " GB")
