"""The token endpoint: a client id and secret for an access token."""

import base64
import binascii
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote_plus

from flask import Response, current_app, request

from adoption.accounts.api_access.callers import Caller, caller_of
from adoption.accounts.api_access.key_format import DIRECTORY_READ, PREFIX, read_key
from adoption.accounts.quotas.throttles import MINUTE, Throttle
from adoption.accounts.quotas.windows import Verdict
from adoption.request_context import add_to_context, current_request
from api.errors import MESSAGES, Problem
from api.http_rules import BODY_LARGEST, demand_length
from api.petfinder import petfinder
from api.petfinder.access_tokens import EXPIRES_IN, issue_token
from api.petfinder.problems import MISSING, PetfinderProblem, client_problem, json_response, parameter_problem
from api.quotas import PlanWindows, demand_admission

TOKENS = Throttle("petfinder_token", 60, MINUTE)
"""Token requests of one key."""
GRANT = "client_credentials"


class Client(NamedTuple):
    """The credentials of a token request."""

    public_id: str
    caller: Caller


@petfinder.post("/oauth2/token", strict_slashes=False)
def create_token() -> Response:
    context, settings = current_request(), current_app.config["HOMEWARD"]
    windows = PlanWindows(current_app.extensions["homeward.quotas"])
    given = read_fields()
    client = find_client(given)
    if client is None or given.get("grant_type") != GRANT:
        verdict, quota = windows.hit(None, context)
        demand_admission(add_to_context(verdict=verdict, quota=quota))
    demand_grant(given)
    if client is None:
        raise client_problem()
    show_account_quota(windows, client.caller)
    if not client.caller.may(DIRECTORY_READ):
        raise PetfinderProblem(403, f"This key lacks the scope {DIRECTORY_READ}. Create a key that has it.")
    if not TOKENS.take(client.public_id, context.now):
        wait = str(TOKENS.ends_in(context.now))
        message = f"This key requested {TOKENS.most} tokens in a minute. Use one token for all requests."
        raise Problem(429, message, headers={"Retry-After": wait})
    token = issue_token(client.public_id, context.now, settings)
    body = {"token_type": "Bearer", "expires_in": EXPIRES_IN, "access_token": token}
    return json_response(body, headers=[("Cache-Control", "no-store")])


def read_fields() -> dict[str, Any]:
    """Return the fields of the query, the body and HTTP Basic. Later ones replace earlier ones."""
    environ = current_request().environ
    demand_length(environ)
    if (request.content_length or 0) > BODY_LARGEST:
        raise Problem(413, MESSAGES[413])
    given: dict[str, Any] = dict(parse_qsl(environ.get("QUERY_STRING", "")))
    if "json" in environ.get("CONTENT_TYPE", "").lower():
        try:
            body = request.get_json(force=True)
        except ValueError as error:
            raise parameter_problem("body", f"The body {error}.", place="body") from error
        given |= body if isinstance(body, dict) else {}
    else:
        given |= request.form.to_dict()
    return given | basic_credentials(environ.get("HTTP_AUTHORIZATION", ""))


def basic_credentials(header: str) -> dict[str, str]:
    """Return the client id and secret of HTTP Basic, form-encoded as in RFC 6749, 2.3.1."""
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        return {}
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, ValueError):
        return {}
    client_id, _, secret = text.partition(":")
    return {"client_id": unquote_plus(client_id), "client_secret": unquote_plus(secret)}


def demand_grant(given: dict[str, Any]) -> None:
    if not given.get("grant_type"):
        raise parameter_problem("grant_type", f"grant_type is required: {GRANT}.", MISSING, "body")
    if given["grant_type"] != GRANT:
        raise parameter_problem("grant_type", f"grant_type must be {GRANT}.", place="body")


def find_client(given: dict[str, Any]) -> Client | None:
    """Return the client; None if its id or secret is missing or wrong."""
    secret = given.get("client_secret")
    key = read_key(secret) if isinstance(secret, str) and secret.startswith(PREFIX) else None
    if key is None or given.get("client_id") != f"{PREFIX}{key.public_id}":
        return None
    caller = caller_of(key, current_request().now)
    return None if caller is None else Client(key.public_id, caller)


def show_account_quota(windows: PlanWindows, caller: Caller) -> None:
    """Show the account's windows in the response's headers. A token request uses no quota."""
    now = current_request().now
    used = windows.storage.windows_of(f"account:{caller.account_id}", now)
    minute_ends, day_ends = used.minute_ends or int(now) + MINUTE, used.day_ends or int(now) + MINUTE
    verdict = Verdict(True, used.minute_used, minute_ends, used.day_used, day_ends)
    add_to_context(verdict=verdict, quota=caller.quota)
