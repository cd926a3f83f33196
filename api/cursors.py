"""Cursors of lists: the sort key of the last item, signed for one list with its filters."""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import orjson
from flask import current_app
from pydantic import Field

from adoption.request_context import current_request
from api.errors import Problem
from api.query_parameters import reason

NOT_ISSUED = (
    "was not issued for this list with this filter. "
    "Use the address in the Link header unchanged, or start again without a cursor"
)
CURSOR_PATTERN = "^[0-9A-Za-z_-]{1,2000}[.][0-9a-f]{32}$"

CursorText = Annotated[
    str,
    Field(
        pattern=CURSOR_PATTERN, description="The start of the page. Opaque: take it from the `Link` header."
    ),
    reason(NOT_ISSUED),
]


def seal_cursor(sort_key: Sequence[Any], query: Mapping[str, str]) -> str:
    """Return the cursor of the page after this sort key, for this operation and query."""
    text = base64.urlsafe_b64encode(orjson.dumps(sort_key)).decode().rstrip("=")
    return f"{text}.{sign_sort_key(text, query)}"


def open_cursor(cursor: str, query: Mapping[str, str]) -> list[Any]:
    """Return the sort key in a cursor. For the first page, ``cursor`` and the returned list are empty.

    Raises Problem if the cursor was issued for another list or query, or by another service.
    """
    if not cursor:
        return []
    text, _, signature = cursor.partition(".")
    if not hmac.compare_digest(signature, sign_sort_key(text, query)):
        raise Problem(400, f"cursor {NOT_ISSUED}.")
    opened: list[Any] = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    return opened


def sign_sort_key(text: str, query: Mapping[str, str]) -> str:
    filters = sorted((name, value) for name, value in query.items() if name not in ("cursor", "limit"))
    bound = orjson.dumps([current_request().endpoint, filters, text])
    key: bytes = current_app.config["HOMEWARD"].secret_key.encode()[:64]
    return hashlib.blake2b(bound, key=key, digest_size=16).hexdigest()
