"""Lists: query parameters, pages, cursors and ETags."""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import parse_qsl

import orjson
from flask import Request, Response, g, request

from api import bodies
from api.errors import Problem
from api.responses import Answer
from serving.compression import documents

LIMIT_DEFAULT = 20
LIMIT_MOST = 100
PARAMETERS_MOST = 100
QUERY_LONGEST = 300
"""Bytes of a query that is kept. No query of ours has more."""
PARAMETERS = ("limit", "status", "cursor")
NUMBER = re.compile(r"[0-9]{1,19}")
CURSOR = re.compile(r"([0-9]{1,19})-([0-9a-f]{32})")


class PageAsked(NamedTuple):
    limit: int
    status: str | None
    after: int
    """Only what has a higher id."""
    query: Mapping[str, str]
    """The parameters as the caller gave them."""


def page_asked(statuses: Sequence[str]) -> PageAsked:
    """Return the page that a list's query asks for. Raise Problem, which names the parameter."""
    given = parameters(PARAMETERS)
    limit, status = limit_in(given.get("limit")), status_in(given.get("status"), statuses)
    return PageAsked(limit, status, after_in(given) if "cursor" in given else 0, given)


def parameters(known: Sequence[str]) -> Mapping[str, str]:
    """Return the query's parameters, each known and given once. Raise Problem."""
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    query = asked.query_string
    return (parameters_in if len(query) <= QUERY_LONGEST else parameters_in.__wrapped__)(query, known)


@lru_cache(100)  # programs ask the same again and again
def parameters_in(query: bytes, known: Sequence[str]) -> Mapping[str, str]:
    """Return a query's parameters.

    An unknown parameter is rejected: a mistyped filter must never return the unfiltered list.
    """
    given: dict[str, str] = {}
    known_are = f"Known parameters: {', '.join(known) or 'none'}."
    if query.count(b"&") >= PARAMETERS_MOST:
        raise Problem(400, f"The query has more than {PARAMETERS_MOST} parameters. {known_are}")
    try:
        pairs = parse_qsl(query.decode(), keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise Problem(400, f"The query is not valid UTF-8. {known_are}") from error
    for name, value in pairs:
        if name not in known:
            raise Problem(400, f"{bodies.quoted(name)} is not a known parameter. {known_are}")
        if name in given:
            raise Problem(400, f"{name} may be given only once.")
        given[name] = value
    return MappingProxyType(given)  # read by all who ask the same


def limit_in(text: str | None) -> int:
    if text is None:
        return LIMIT_DEFAULT
    if not NUMBER.fullmatch(text) or not 1 <= int(text) <= LIMIT_MOST:
        raise Problem(400, f"limit must be a whole number from 1 to {LIMIT_MOST}, not {bodies.quoted(text)}.")
    return int(text)


def status_in(text: str | None, statuses: Sequence[str]) -> str | None:
    if text is not None and text not in statuses:
        raise Problem(400, f"status must be one of {', '.join(statuses)}, not {bodies.quoted(text)}.")
    return text


def after_in(given: Mapping[str, str]) -> int:
    found = CURSOR.fullmatch(given["cursor"])
    if not found or not hmac.compare_digest(found[2], seal(found[1], given.get("status"))):
        raise Problem(
            400,
            "cursor was not issued for this list with this filter. "
            "Use the address in the Link header unchanged, or start again without a cursor.",
        )
    return int(found[1])


def seal(last: str, status: str | None) -> str:
    """Return a cursor's signature. It is valid for one project, list and filter."""
    known = g._get_current_object()
    bound = f"{known.asked.endpoint} {known.caller.project_id} {status or ''} {last}"
    key = known.settings.secret_key.encode()[:64]
    return hashlib.blake2b(bound.encode(), key=key, digest_size=16).hexdigest()


def page(rows: Sequence[tuple[object, ...]], shown: Sequence[object], asked: PageAsked) -> Response:
    """Return a page of a list. ``rows`` has one row more than the limit if there is a next page."""
    if len(rows) <= asked.limit:
        return cacheable(shown)
    address = next_address(str(rows[asked.limit - 1][0]), asked)
    return cacheable(shown[: asked.limit], link=f'<{address}>; rel="next"')


def next_address(last: str, asked: PageAsked) -> str:
    # The parameters have passed their checks, so they contain nothing that needs escaping.
    kept = "".join(f"{name}={value}&" for name, value in asked.query.items() if name != "cursor")
    known = g._get_current_object()
    path = known.asked.path.removeprefix("/v1")
    return f"{known.settings.base_url}{path}?{kept}cursor={last}-{seal(last, asked.status)}"


def cacheable(body: object, link: str = "") -> Response:
    """Return a JSON response with its ETag, or 304 if the caller has it (RFC 9110, section 13)."""
    text = orjson.dumps(body)
    digest = hashlib.blake2b(text + link.encode(), digest_size=12).hexdigest()
    asked: Request = g._get_current_object().asked
    same = "HTTP_IF_NONE_MATCH" in asked.environ and asked.if_none_match.contains_weak(digest)
    response = Response(status=304) if same else Answer(text)
    response.headers.add("ETag", f'W/"{digest}"')
    response.headers.add("Cache-Control", "private, no-cache")
    response.headers.add("Vary", "Accept-Encoding")
    if link:
        response.headers.add("Link", link)
    # The library's checks cost as much as reading the key: leave them out if the client wants no compression.
    return documents.after_request(response) if "HTTP_ACCEPT_ENCODING" in asked.environ else response
