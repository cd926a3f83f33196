"""Lists: pages, cursors and ETags."""

import hashlib
import hmac
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

import orjson
from flask import Request, Response, g
from pydantic import Field

from api.errors import Problem
from api.query_parameters import ASCII_DIGITS, QueryParameters, reason
from api.responses import JsonResponse
from api.schemas import OrderStatus, PetStatus
from serving.compression import documents

LIMIT_DEFAULT = 20
LIMIT_MOST = 100
NOT_ISSUED = (
    "was not issued for this list with this filter. "
    "Use the address in the Link header unchanged, or start again without a cursor"
)


STATUS_FILTER = Field(description="Return only items with this status.")


def one_of(statuses: type[StrEnum]) -> Any:
    return reason(f"must be one of {', '.join(statuses)}, not {{}}")


class PageQuery(QueryParameters):
    """The query parameters of a list."""

    limit: Annotated[
        int,
        Field(ge=1, le=LIMIT_MOST, description="The maximum number of items in a page."),
        ASCII_DIGITS,
        reason(f"must be a whole number from 1 to {LIMIT_MOST}, not {{}}"),
    ] = LIMIT_DEFAULT
    status: str | None = None
    cursor: Annotated[
        str,
        Field(
            pattern="^[0-9]{1,19}-[0-9a-f]{32}$",
            description="The start of the page. Opaque: take it from the `Link` header.",
        ),
        reason(NOT_ISSUED),
    ] = ""
    _given: dict[str, str]

    def model_post_init(self, given: Any, /) -> None:
        self._given = given

    @property
    def after(self) -> int:
        """Only items with a higher id are on the page. Raise Problem for a cursor of another list."""
        if not self.cursor:
            return 0
        last, _, found = self.cursor.partition("-")
        if not hmac.compare_digest(found, seal(last, self.status)):
            raise Problem(400, f"cursor {NOT_ISSUED}.")
        return int(last)

    @cached_property
    def kept(self) -> str:
        """The parameters of the next page, as the caller gave them, without the cursor."""
        # They have passed their checks, so they contain nothing that needs escaping.
        return "".join(f"{name}={value}&" for name, value in self._given.items() if name != "cursor")

    def address_after(self, last: str) -> str:
        """Return the address of the next page."""
        known = g._get_current_object()
        path = known.asked.path.removeprefix("/v1")
        return f"{known.settings.base_url}{path}?{self.kept}cursor={last}-{seal(last, self.status)}"


class PetsQuery(PageQuery):
    status: Annotated[PetStatus, STATUS_FILTER, one_of(PetStatus)] = None  # type: ignore[assignment]  # or the document would allow null


class OrdersQuery(PageQuery):
    status: Annotated[OrderStatus, STATUS_FILTER, one_of(OrderStatus)] = None  # type: ignore[assignment]  # or the document would allow null


def seal(last: str, status: str | None) -> str:
    """Return a cursor's signature. It is valid for one project, list and filter."""
    known = g._get_current_object()
    bound = f"{known.asked.endpoint} {known.caller.project_id} {status or ''} {last}"
    key = known.settings.secret_key.encode()[:64]
    return hashlib.blake2b(bound.encode(), key=key, digest_size=16).hexdigest()


def page_response(rows: Sequence[tuple[object, ...]], items: Sequence[object], query: PageQuery) -> Response:
    """Return a page of a list. ``rows`` has one row more than the limit if there is a next page."""
    if len(rows) <= query.limit:
        return cacheable(items)
    address = query.address_after(str(rows[query.limit - 1][0]))
    return cacheable(items[: query.limit], link=f'<{address}>; rel="next"')


def cacheable(body: object, link: str = "") -> Response:
    """Return a JSON response with its ETag, or 304 if the caller has it (RFC 9110, section 13)."""
    text = orjson.dumps(body)
    digest = hashlib.blake2b(text + link.encode(), digest_size=12).hexdigest()
    asked: Request = g._get_current_object().asked
    same = "HTTP_IF_NONE_MATCH" in asked.environ and asked.if_none_match.contains_weak(digest)
    response = Response(status=304) if same else JsonResponse(text)
    response.headers.add("ETag", f'W/"{digest}"')
    response.headers.add("Cache-Control", "private, no-cache")
    response.headers.add("Vary", "Accept-Encoding")
    if link:
        response.headers.add("Link", link)
    # The library's checks cost as much as reading the key: leave them out if the client wants no compression.
    return documents.after_request(response) if "HTTP_ACCEPT_ENCODING" in asked.environ else response
