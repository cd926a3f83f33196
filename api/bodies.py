"""Request bodies: strict JSON (RFC 8259)."""

import json
import re
from typing import Any, NoReturn

from flask import Request, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import ClientDisconnected
from werkzeug.http import parse_options_header

from adoption.request_context import RequestContext
from api.errors import MESSAGES, Problem
from api.request_checks import BODY_LARGEST

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""JSON can escape one (RFC 8259, section 8.2), and UTF-8 cannot encode it."""


class StrictJSON(DefaultJSONProvider):
    """Rejects what the standard module accepts: duplicate members, NaN and Infinity, other encodings."""

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Raise ValueError with the reason, as the end of a sentence that begins with "The body"."""
        try:
            text = s.decode() if isinstance(s, bytes) else s
        except UnicodeDecodeError as error:
            raise ValueError(f"is not UTF-8: byte {error.start} cannot be decoded") from error
        try:
            return json.loads(text, object_pairs_hook=unique_members, parse_constant=refuse_constant)
        except RecursionError as error:
            raise ValueError("is nested too deeply") from error
        except json.JSONDecodeError as error:
            raise ValueError(
                f"is not JSON: {error.msg}, at line {error.lineno}, column {error.colno}"
            ) from error


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"has the member {quoted(name)} twice")
            seen.add(name)
    if any(LONE_SURROGATE.search(name) for name in made):
        raise ValueError("has a member whose name contains a lone surrogate")
    return made


def refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"contains {constant}, which is not JSON")


def quoted(text: str) -> str:
    """Return what a caller sent, short enough to quote."""
    return repr(text if len(text) <= 50 else text[:50] + "…")


class StrictRequest(Request):
    def on_json_loading_failed(self, e: ValueError | None) -> Any:
        """Pass the reason on to ``demand_object``. Flask would hide it."""
        if e is not None:
            raise e
        return super().on_json_loading_failed(e)


def is_json(media_type: str) -> bool:
    if media_type == "application/json":
        return True
    named, options = parse_options_header(media_type)
    return named == "application/json" and options.get("charset", "utf-8") in ("utf-8", "utf8")


def demand_object(context: RequestContext) -> None:
    """Raise Problem, 415, 413 or 400, unless the body of an operation that takes one is a JSON object."""
    environ = context.environ
    if environ["REQUEST_METHOD"] != "POST" or context.endpoint is None:
        return
    if not is_json(environ.get("CONTENT_TYPE", "").lower()):
        raise Problem(415, "The body must be JSON in UTF-8, sent with Content-Type: application/json.")
    if environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        message = "The body must not be compressed. Send it without Content-Encoding."
        raise Problem(415, message, headers={"Accept-Encoding": "identity"})
    if (request.content_length or 0) > BODY_LARGEST:
        raise Problem(413, MESSAGES[413])
    try:
        body = request.get_json(force=True)  # kept by the request, and so read once
    except ClientDisconnected as error:
        raise Problem(
            400, "The body is incomplete: the connection ended before all of it arrived."
        ) from error
    except ValueError as error:
        # The interpreter's own errors, such as for a number of 5,000 digits, name its settings.
        reason = str(error) if "sys." not in str(error) else "contains a number that is too long"
        raise Problem(400, f"The body {reason}.") from error
    if not isinstance(body, dict):
        raise Problem(400, "The body must be a JSON object.")
