"""JSON in, strictly (RFC 8259)."""

import json
import re
from typing import Any, NoReturn

from flask import Request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import ClientDisconnected, LengthRequired
from werkzeug.http import parse_options_header

from api.errors import MESSAGES, Problem

BODY_LARGEST = 65_536

HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
"""A lone surrogate, which JSON can escape (RFC 8259, section 8.2) and UTF-8 cannot hold."""


class StrictJSON(DefaultJSONProvider):
    """Refuses what the standard module lets pass: doubled members, NaN and Infinity, other encodings."""

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Raises ValueError with the reason, as the end of a sentence that "The body" begins."""
        try:
            text = s.decode() if isinstance(s, bytes) else s
        except UnicodeDecodeError as error:
            raise ValueError(f"is not UTF-8, at byte {error.start}") from error
        try:
            return json.loads(text, object_pairs_hook=members, parse_constant=refuse_constant)
        except RecursionError as error:
            raise ValueError("is nested too deeply") from error
        except json.JSONDecodeError as error:
            raise ValueError(
                f"is not JSON: {error.msg}, at line {error.lineno}, column {error.colno}"
            ) from error


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"has the member {quoted(name)} twice")
            seen.add(name)
    if any(HALF_A_CHARACTER.search(name) for name in made):
        raise ValueError("has a member whose name holds half a character")
    return made


def refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"holds {constant}, which is not JSON")


def quoted(text: str) -> str:
    """What a caller sent, short enough to repeat."""
    return repr(text if len(text) <= 50 else text[:50] + "…")


class StrictRequest(Request):
    def on_json_loading_failed(self, e: ValueError | None) -> Any:
        """Let ``demand_object`` word the reason, which Flask would keep to itself."""
        if e is not None:
            raise e
        return super().on_json_loading_failed(e)


def is_json(media_type: str) -> bool:
    if media_type == "application/json":
        return True
    named, options = parse_options_header(media_type)
    return named == "application/json" and options.get("charset", "utf-8") in ("utf-8", "utf8")


def demand_length(request: Request) -> None:
    """Raise LengthRequired for a chunked body, on pages too.

    The server ends a chunked body that was cut off without an error, so it cannot be told from a complete
    one (RFC 9112, section 8). With a Content-Length it can.
    """
    if "HTTP_TRANSFER_ENCODING" in request.environ:
        raise LengthRequired


def demand_object(request: Request) -> None:
    """Where an operation takes a body, it is a JSON object. Raises Problem: 415, then 413, then 400."""
    if request.method != "POST" or request.endpoint is None:
        return
    if not is_json(request.environ.get("CONTENT_TYPE", "").lower()):
        raise Problem(415, "The body must be JSON in UTF-8, sent with Content-Type: application/json.")
    if (request.content_length or 0) > BODY_LARGEST:
        raise Problem(413, MESSAGES[413])
    try:
        body = request.get_json(force=True)  # kept by the request, and so read once
    except ClientDisconnected as error:
        raise Problem(
            400, "The body is incomplete: the connection ended before all of it arrived."
        ) from error
    except ValueError as error:
        # The interpreter's own refusals, such as of a number of 5,000 digits, name its settings.
        reason = str(error) if "sys." not in str(error) else "holds a number that is too long"
        raise Problem(400, f"The body {reason}.") from error
    if not isinstance(body, dict):
        raise Problem(400, "The body must be a JSON object.")
