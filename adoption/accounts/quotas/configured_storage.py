"""The quota storage of the setting ``HOMEWARD_QUOTA_URL``."""

from flask import current_app
from limits.storage import storage_from_string

from adoption.accounts.quotas.limiter_storage import QuotaStorage
from adoption.accounts.quotas.redis_storage import RedisQuotas
from adoption.accounts.quotas.sqlite_storage import SqliteQuotas


def storage_uri(url: str) -> str:
    """Return the URI that makes ``limits`` use our storage class instead of a class of its own."""
    return f"homeward+{url}"


def open_quota_storage(url: str) -> QuotaStorage:
    """Return the storage for a URL. The storage connects on its first use."""
    store = storage_from_string(storage_uri(url))
    assert isinstance(store, SqliteQuotas | RedisQuotas)  # noqa: S101 - settings allow no other scheme
    return store


def the_quota_storage() -> QuotaStorage:
    """Return the quota storage of the running service."""
    store: QuotaStorage = current_app.extensions["homeward.quotas"]
    return store
