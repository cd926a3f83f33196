"""Authentication by API key, and scopes."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from flask import Flask

from adoption.accounts.api_access.api_keys import USE_STORED_EVERY, store_last_use
from adoption.accounts.api_access.callers import Caller, caller_of
from adoption.accounts.api_access.key_format import read_key
from adoption.request_context import RequestContext
from adoption.storage.database import is_unavailable
from api.errors import Problem

View = TypeVar("View", bound=Callable[..., object])

BEARER = re.compile(r"bearer +([^ ]+) *", re.IGNORECASE)


def needs(*scopes: str) -> Callable[[View], View]:
    """Set the scopes of an operation.

    A key needs one of the scopes. An operation without scopes needs no key.
    """

    def mark(view: View) -> View:
        view.scopes = scopes  # type: ignore[attr-defined]
        return view

    return mark


def scopes_of(app: Flask, endpoint: str | None) -> tuple[str, ...]:
    return getattr(app.view_functions.get(endpoint or ""), "scopes", ())


def find_caller(context: RequestContext) -> Caller | None:
    """Return the caller with the request's key, or None if the key is missing or invalid."""
    given = BEARER.fullmatch(context.environ.get("HTTP_AUTHORIZATION", ""))
    key = read_key(given[1]) if given else None
    return None if key is None else caller_of(key, context.now)


def demand_key_and_scope(scopes: Sequence[str], context: RequestContext) -> None:
    """Raise Problem if the key is missing or invalid (401) or lacks a scope (403)."""
    caller, now = context.caller, context.now
    if caller is None:
        raise Problem(
            401,
            "A valid API key is required. Send it as the header Authorization: Bearer hw_…",
            headers={"WWW-Authenticate": 'Bearer realm="Homeward"'},
        )
    if not any(map(caller.may, scopes)):
        has = ", ".join(caller.scopes.split())
        raise Problem(403, f"This key lacks the scope {' or '.join(scopes)}. Its scopes: {has}.")
    if now - caller.last_used >= USE_STORED_EVERY:
        store_time_of_use(caller, now)


def store_time_of_use(caller: Caller, now: float) -> None:
    try:
        store_last_use(caller.key_id, now)
    except Exception as error:
        # The time of last use is only for display. If it cannot be stored, the request still succeeds.
        if not is_unavailable(error):
            raise
