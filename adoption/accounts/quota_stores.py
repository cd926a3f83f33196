"""Where quotas are counted: one store for each setting."""

from flask import current_app

from adoption.accounts.quota_redis import RedisQuotas
from adoption.accounts.quota_sqlite import SqliteQuotas
from adoption.accounts.quotas import QuotaStore


def open_quota_store(url: str) -> QuotaStore:
    """The store that ``HOMEWARD_QUOTA_URL`` names; it connects on its first use."""
    if url.startswith("sqlite:///"):
        return SqliteQuotas(url.removeprefix("sqlite:///"))
    return RedisQuotas(url)


def the_quotas() -> QuotaStore:
    """The store of the running service."""
    store: QuotaStore = current_app.extensions["homeward.quotas"]
    return store
