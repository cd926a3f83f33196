"""Who is calling, and whether they may: the gates before and after the quota's."""

import re
from collections.abc import Callable
from typing import TypeVar

from flask import Flask, Request, current_app, g, request
from flask.ctx import _AppCtxGlobals as Globals

from adoption import addresses
from adoption.accounts.keyring import USE_NOTED_EVERY, note_use
from adoption.accounts.keys import read_key
from adoption.accounts.queries import Caller, caller_of
from adoption.database import is_unavailable
from adoption.settings import Settings
from api.errors import Problem

View = TypeVar("View", bound=Callable[..., object])

BEARER = re.compile(r"bearer +([^ ]+) *", re.IGNORECASE)


def needs(scope: str) -> Callable[[View], View]:
    """Say which scope a key must have for this operation. A view without it can be read by anybody."""

    def mark(view: View) -> View:
        view.scope = scope  # type: ignore[attr-defined]
        # Otherwise APIFlask wraps it in a function that asks on each request whether it is a coroutine.
        view._sync_ensured = True  # type: ignore[attr-defined]
        return view

    return mark


def scope_of(app: Flask, endpoint: str | None) -> str | None:
    return getattr(app.view_functions.get(endpoint or ""), "scope", None)


def caller(request: Request, now: float) -> Caller | None:
    """Whom the request's key speaks for; None where it is missing or not good."""
    given = BEARER.fullmatch(request.environ.get("HTTP_AUTHORIZATION", ""))
    key = read_key(given[1]) if given else None
    return None if key is None else caller_of(key, now)


def demand_key_and_scope(app: Flask, known: Globals) -> None:
    """Raises Problem, 401 or 403. What is no operation, such as an unknown address, demands neither."""
    scope = scope_of(app, known.asked.endpoint)
    if scope is None:
        return
    caller: Caller | None = known.caller
    if caller is None:
        raise Problem(
            401,
            "A valid API key is needed, sent as the header Authorization: Bearer hw_….",
            headers={"WWW-Authenticate": 'Bearer realm="Homeward"'},
        )
    if not caller.may(scope):
        raise Problem(403, f"This key has not the scope {scope}. It has: {', '.join(caller.scopes.split())}.")
    if known.now - caller.last_used >= USE_NOTED_EVERY:
        note(caller)


def note(caller: Caller) -> None:
    try:
        note_use(caller.key_id, g.now)
    except Exception as error:
        # The note is for people who look through their keys; a request does not fail for it.
        if not is_unavailable(error):
            raise


def client_address() -> str:
    settings: Settings = current_app.config["HOMEWARD"]
    forwarded = request.headers.get("X-Forwarded-For", "")
    return addresses.client_address(request.remote_addr, forwarded, settings.trusted_proxies)
