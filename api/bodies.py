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
from api.http_rules import BODY_LARGEST

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair. JSON can escape it (RFC 8259, section 8.2); UTF-8 cannot encode it."""


class StrictJSON(DefaultJSONProvider):
    """A JSON parser that rejects duplicate members, NaN, Infinity and encodings other than UTF-8."""

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Return the parsed body.

        Raise ValueError if the body is invalid. The message continues a sentence that begins with "The body".
        """
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
                raise ValueError(f"has the member {quote_briefly(name)} twice")
            seen.add(name)
    if any(LONE_SURROGATE.search(name) for name in made):
        raise ValueError("has a member whose name contains a lone surrogate")
    return made


def refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"contains {constant}, which is not JSON")


def quote_briefly(text: str) -> str:
    """Return the caller's text, shortened for an error message."""
    return repr(text if len(text) <= 50 else text[:50] + "…")


class StrictRequest(Request):
    def on_json_loading_failed(self, e: ValueError | None) -> Any:
        """Raise the parser's error for ``demand_object``. Flask would hide the reason."""
        if e is not None:
            raise e
        return super().on_json_loading_failed(e)


def is_json(media_type: str) -> bool:
    if media_type == "application/json":
        return True
    named, options = parse_options_header(media_type)
    return named == "application/json" and options.get("charset", "utf-8") in ("utf-8", "utf8")


def demand_object(context: RequestContext) -> None:
    """Raise Problem (415, 413 or 400) if the operation takes a body and the body is not a JSON object."""
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
        body = request.get_json(force=True)  # the request caches its data
    except ClientDisconnected as error:
        raise Problem(
            400, "The body is incomplete: the connection ended before all of it arrived."
        ) from error
    except ValueError as error:
        # Python's own errors mention interpreter settings, such as the one for a number of 5,000 digits.
        reason = str(error) if "sys." not in str(error) else "contains a number that is too long"
        raise Problem(400, f"The body {reason}.") from error
    if not isinstance(body, dict):
        raise Problem(400, "The body must be a JSON object.")
