"""The caller of an API request, identified by the key."""

import hmac
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, bindparam, cast, extract, select

from adoption.accounts.api_access.key_format import KeyParts
from adoption.accounts.api_access.page_origins import ORIGIN_LONGEST, is_origin_allowed
from adoption.accounts.models import Account, ApiKey
from adoption.accounts.plans import Quota, quota_of_plan
from adoption.projects.models import Project
from adoption.storage.prepared_statements import Prepared


class Caller(NamedTuple):
    """The project and account of a valid API key."""

    key_id: int
    scopes: str
    project_id: int
    account_id: int
    quota: Quota
    last_used: int
    """The Unix time of the last stored use of the key; 0 if no use is stored."""
    origins: str
    """The origins of the web pages that can use a publishable key; empty for a secret key."""
    from_programs: bool

    @property
    def is_publishable(self) -> bool:
        return bool(self.origins)

    def accepts(self, origin: str | None) -> bool:
        """Return whether the key can be used with this ``Origin`` header; None if there is no header."""
        if not self.origins:
            return True
        if origin is None:
            return self.from_programs
        # The answers are cached, so a client must not choose how much memory they take.
        return len(origin) <= ORIGIN_LONGEST and is_origin_allowed(origin, self.origins)

    def may(self, scope: str) -> bool:
        return scope in self.scopes.split()


def unix_time(column: object) -> object:
    return cast(extract("epoch", column), BigInteger)  # type: ignore[arg-type]


KEY_ROW = Prepared(
    select(
        ApiKey.id,
        ApiKey.secret_hash,
        ApiKey.scopes,
        ApiKey.project_id,
        Project.account_id,
        Account.plan,
        Account.per_minute,
        Account.per_day,
        unix_time(ApiKey.last_used_at),  # type: ignore[call-overload]
        unix_time(ApiKey.expires_at),
        ApiKey.revoked_at.is_not(None),
        ApiKey.origins,
        ApiKey.from_programs,
    )
    .join(Project, Project.id == ApiKey.project_id)
    .join(Account, Account.id == Project.account_id)
    .where(ApiKey.public_id == bindparam("public_id"))
)

NO_ROW = (0, "0" * 64, "", 0, 0, "free", None, None, None, None, True, "", False)


def caller_of(key: KeyParts, now: float) -> Caller | None:
    """Return the caller who uses the key.

    None if the key is unknown, revoked or expired, or if its secret is wrong.

    Each case takes one lookup and one comparison, so the duration reveals nothing.
    """
    row = KEY_ROW.first(public_id=key.public_id) or NO_ROW
    is_genuine = hmac.compare_digest(key.secret_hash, row[1])
    return caller_of_row(row, now) if is_genuine else None


def caller_with_public_id(public_id: str, now: float) -> Caller | None:
    """Return the caller with a token of this key. The token's signature is already verified."""
    return caller_of_row(KEY_ROW.first(public_id=public_id) or NO_ROW, now)


def caller_of_row(row: tuple[Any, ...], now: float) -> Caller | None:
    """Return the caller; None if the key is revoked or expired."""
    key_id, _, scopes, project_id, account_id, plan, per_minute, per_day, used, expires, revoked = row[:11]
    if revoked or (expires is not None and expires <= now):
        return None
    quota = quota_of_plan(plan, per_minute, per_day)
    return Caller(key_id, scopes, project_id, account_id, quota, used or 0, *row[11:])
