"""Pages of a list, with cursors."""

import hashlib
import hmac
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from flask import Response, current_app
from pydantic import Field

from adoption.request_context import current_request
from adoption.settings import Settings
from api.cursors import NOT_ISSUED
from api.errors import Problem
from api.etags import etag_response
from api.query_parameters import ASCII_DIGITS, QueryParameters, reason
from api.schemas import OrderStatus, PetStatus

LIMIT_DEFAULT = 20
LIMIT_MOST = 100

PageLimit = Annotated[
    int,
    Field(ge=1, le=LIMIT_MOST, description="The maximum number of items in a page."),
    ASCII_DIGITS,
    reason(f"must be a whole number from 1 to {LIMIT_MOST}, not {{}}"),
]
STATUS_FILTER = Field(description="Return only items with this status.")


def one_of(statuses: type[StrEnum]) -> Any:
    return reason(f"must be one of {', '.join(statuses)}, not {{}}")


class PageQuery(QueryParameters):
    """The query parameters of a list."""

    limit: PageLimit = LIMIT_DEFAULT
    status: str | None = None
    cursor: Annotated[
        str,
        Field(
            pattern="^[0-9]{1,19}-[0-9a-f]{32}$",
            description="The start of the page. Opaque: take it from the `Link` header.",
        ),
        reason(NOT_ISSUED),
    ] = ""

    @property
    def after(self) -> int:
        """The last id of the previous page, from the cursor. For the first page, 0.

        Raises Problem if the cursor was issued for a different list.
        """
        if not self.cursor:
            return 0
        last, _, found = self.cursor.partition("-")
        if not hmac.compare_digest(found, sign_cursor(last, self.status, current_settings())):
            raise Problem(400, f"cursor {NOT_ISSUED}.")
        return int(last)

    @cached_property
    def kept(self) -> str:
        """The caller's query for the next page, without the cursor."""
        # The values are validated, so none needs escaping.
        return "".join(f"{name}={value}&" for name, value in self.given.items() if name != "cursor")

    def link_after(self, last: str) -> str:
        """Return the ``Link`` header with the address of the page that starts after the id ``last``."""
        return next_link(f"{self.kept}cursor={last}-{sign_cursor(last, self.status, current_settings())}")


class PetsQuery(PageQuery):
    status: Annotated[PetStatus, STATUS_FILTER, one_of(PetStatus)] = None  # type: ignore[assignment]  # or the document would allow null


class OrdersQuery(PageQuery):
    status: Annotated[OrderStatus, STATUS_FILTER, one_of(OrderStatus)] = None  # type: ignore[assignment]  # or the document would allow null


def current_settings() -> Settings:
    known: Settings = current_app.config["HOMEWARD"]
    return known


def next_link(query: str) -> str:
    """Return the ``Link`` header of the current list. The address of the next page has this query."""
    path = current_request().environ["PATH_INFO"].removeprefix("/v1")
    return f'<{current_settings().base_url}{path}?{query}>; rel="next"'


def sign_cursor(last: str, status: str | None, settings: Settings) -> str:
    """Return the signature of a cursor. The signature is valid for one project, list and filter."""
    context = current_request()
    bound = f"{context.endpoint} {context.project_id} {status or ''} {last}"
    key = settings.secret_key.encode()[:64]
    return hashlib.blake2b(bound.encode(), key=key, digest_size=16).hexdigest()


def page_response(rows: Sequence[tuple[object, ...]], items: Sequence[object], query: PageQuery) -> Response:
    """Return a page of a list. If there is a next page, ``rows`` has one row more than the limit."""
    if len(rows) <= query.limit:
        return etag_response(items)
    link = query.link_after(str(rows[query.limit - 1][0]))
    return etag_response(items[: query.limit], link)
