"""Access tokens of the Petfinder API.

A token is the public id of an API key, the hour of issue and a signature. Nothing is stored. A token works
until its key is revoked or expires, because many clients never request a second token.
"""

import hashlib
import hmac
import re

from adoption.accounts.api_access.callers import Caller, caller_with_public_id
from adoption.request_context import RequestContext
from adoption.settings import Settings
from api.authentication import BEARER, find_caller

TOKEN = re.compile(r"hwt_([0-9A-Za-z]{12})_([0-9a-f]{1,8})_([0-9a-f]{40})")
HOUR = 3600
EXPIRES_IN = HOUR
"""The lifetime that a token response states, because clients expect one."""


def issue_token(public_id: str, now: float, settings: Settings) -> str:
    hour = f"{int(now // HOUR):x}"
    return f"hwt_{public_id}_{hour}_{sign_token(public_id, hour, settings)}"


def sign_token(public_id: str, hour: str, settings: Settings) -> str:
    bound = f"petfinder token {public_id} {hour}"
    return hmac.new(settings.secret_key.encode(), bound.encode(), hashlib.sha256).hexdigest()[:40]


def find_token_caller(context: RequestContext, settings: Settings) -> Caller | None:
    """Return the caller with the request's token or secret key; None if it is missing or invalid."""
    given = BEARER.fullmatch(context.environ.get("HTTP_AUTHORIZATION", ""))
    token = TOKEN.fullmatch(given[1]) if given else None
    if token is None:
        caller = find_caller(context)
        return None if caller is None or caller.is_publishable else caller
    public_id, hour, signature = token.groups()
    if not hmac.compare_digest(signature, sign_token(public_id, hour, settings)):
        return None
    return caller_with_public_id(public_id, context.now)
