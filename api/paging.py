"""Lists: what may stand in their query, and how a page leads to the next."""

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

from flask import Request, Response, current_app, g, request

from adoption.settings import Settings
from api import bodies
from api.errors import Problem

LIMIT_DEFAULT = 20
LIMIT_MOST = 100
PARAMETERS = ("limit", "status", "cursor")
NUMBER = re.compile(r"[0-9]{1,19}")
CURSOR = re.compile(r"([0-9]{1,19})-([0-9a-f]{32})")


class PageAsked(NamedTuple):
    limit: int
    status: str | None
    after: int
    """Only what has a higher id."""
    query: dict[str, str]
    """The parameters as the caller gave them."""


def page_asked(statuses: Sequence[str]) -> PageAsked:
    """Read the query of a list. Raises Problem, which names the parameter."""
    given = parameters(PARAMETERS)
    limit, status = limit_in(given.get("limit")), status_in(given.get("status"), statuses)
    return PageAsked(limit, status, after_in(given), given)


def parameters(known: Sequence[str]) -> dict[str, str]:
    """The query's parameters, each known and once. Raises Problem.

    A mistyped filter must never hand back the unfiltered list, so nothing passes that is not known.
    """
    given: dict[str, str] = {}
    named = ", ".join(known) or "none"
    try:
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]
        query = asked.query_string.decode()
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise Problem(
            400, f"The query must be UTF-8, with each parameter once; known are: {named}."
        ) from error
    for name, value in pairs:
        if name not in known:
            raise Problem(400, f"{bodies.quoted(name)} is not a parameter here; known are: {named}.")
        if name in given:
            raise Problem(400, f"{name} may stand once, and stands more often.")
        given[name] = value
    return given


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


def after_in(given: dict[str, str]) -> int:
    if "cursor" not in given:
        return 0
    found = CURSOR.fullmatch(given["cursor"])
    if not found or not hmac.compare_digest(found[2], seal(found[1], given.get("status"))):
        raise Problem(
            400,
            "cursor is not one that we gave for this list and this filter. "
            "Follow the Link header as it is, or start again without a cursor.",
        )
    return int(found[1])


def seal(last: str, status: str | None) -> str:
    """A cursor's proof: it holds for one project, list and filter alone."""
    settings = the_settings()
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    bound = f"{asked.endpoint} {g._get_current_object().caller.project_id} {status or ''} {last}"
    return hashlib.blake2b(bound.encode(), key=settings.secret_key.encode()[:64], digest_size=16).hexdigest()


def page(rows: Sequence[tuple[object, ...]], shown: Sequence[object], asked: PageAsked) -> Response:
    """A page of a list. ``rows`` may hold one more than asked for, which tells of a next page."""
    response = bodies.answer(shown[: asked.limit])
    if len(rows) > asked.limit:
        address = next_address(str(rows[asked.limit - 1][0]), asked)
        response.headers["Link"] = f'<{address}>; rel="next"'
    return cacheable(response)


def the_settings() -> Settings:
    settings: Settings = current_app._get_current_object().config["HOMEWARD"]  # type: ignore[attr-defined]
    return settings


def next_address(last: str, asked: PageAsked) -> str:
    # The parameters have passed their checks, so they hold nothing that an address would have to escape.
    kept = "".join(f"{name}={value}&" for name, value in asked.query.items() if name != "cursor")
    asked_of: Request = request._get_current_object()  # type: ignore[attr-defined]
    path = asked_of.path.removeprefix("/v1")
    return f"{the_settings().base_url}{path}?{kept}cursor={last}-{seal(last, asked.status)}"


def cacheable(response: Response) -> Response:
    """Give a response its ETag, and 304 where the caller has it already (RFC 9110, section 13)."""
    headers = response.headers
    told = response.get_data() + headers.get("Link", "").encode()
    digest = hashlib.blake2b(told, digest_size=12).hexdigest()
    headers.add("ETag", f'W/"{digest}"')
    headers.add("Cache-Control", "private, no-cache")
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    if "HTTP_IF_NONE_MATCH" in asked.environ and asked.if_none_match.contains_weak(digest):
        response.status_code = 304
        response.set_data(b"")
    return response
