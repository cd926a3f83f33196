"""API keys as the table of the API keys page shows them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from adoption.accounts.api_access.api_keys import name_of_key, prefix_of_key
from adoption.accounts.models import ApiKey
from adoption.accounts.quotas.bans import Ban
from adoption.accounts.quotas.configured_storage import the_quota_storage
from adoption.errors import Unavailable
from adoption.translations import gettext
from portal.capitalization import capitalise
from portal.dates import ago, day_of, duration_in_words
from portal.staff.api_key_forms import SCOPE_LABELS


class ApiKeyRow(NamedTuple):
    """An API key in the table, or in the list of keys that no longer work."""

    id: int
    name: str
    start: str
    access: str
    used: Any
    created: Any
    origins: list[str]
    """The websites whose pages can use the key. Empty for a secret key."""
    from_programs: bool
    ended: Any
    """A sentence about when the key was revoked or expired. Empty while the key works."""
    expires: Any
    ban: str
    """How much longer the key is banned, in words. Empty without a ban."""
    lifting: str
    """When an owner can lift the ban: ``now`` or ``later``.

    Empty if there is no ban, or if the ban ends before an owner can lift it.
    """


def key_rows(keys: Sequence[ApiKey], now: datetime) -> list[ApiKeyRow]:
    """Return the rows of the keys, newest first. If the quota store does not answer, they show no bans."""
    try:
        bans = the_quota_storage().bans_of(
            [key.id for key in keys if key.revoked_at is None], now.timestamp()
        )
    except Unavailable:
        bans = {}
    rows = []
    for key in reversed(keys):
        ban = bans.get(key.id)
        rows.append(
            ApiKeyRow(
                key.id,
                name_of_key(key),
                f"{prefix_of_key(key)}{key.public_id[:4]}…",
                capitalise(
                    ", ".join(gettext(SCOPE_LABELS[scope][0]).lower() for scope in key.scopes.split())
                ),
                last_use_in_words(key.last_used_at, now),
                last_use_in_words(key.created_at, now),
                key.origins.split(),
                key.from_programs,
                ban_end(key, now),
                day_of(key.expires_at, now) if key.expires_at else "",
                duration_in_words(ban.ends - now.timestamp()) if ban else "",
                when_liftable(ban, now.timestamp()) if ban else "",
            )
        )
    return rows


def when_liftable(ban: Ban, now: float) -> str:
    if ban.liftable_from <= now:
        return "now"
    return "later" if ban.liftable_from < ban.ends else ""


def last_use_in_words(when: datetime | None, now: datetime) -> Any:
    return ago(when, now, capitalised=True) if when else ""


def ban_end(key: ApiKey, now: datetime) -> Any:
    if key.revoked_at is not None:
        return gettext("Revoked %(when)s", when=ago(key.revoked_at, now))
    if key.expires_at is not None and key.expires_at <= now:
        return gettext("Expired %(when)s", when=ago(key.expires_at, now))
    return ""
