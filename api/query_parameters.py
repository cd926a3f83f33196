"""Query parameters, declared as Pydantic models and read strictly."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from apiflask.schema_adapters import registry
from apiflask.schema_adapters.pydantic import PydanticAdapter
from flask import Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, PrivateAttr, ValidationError, WrapValidator

from adoption.request_context import current_request
from api.bodies import quote_briefly
from api.errors import Problem, describe_violations

PARAMETERS_MOST = 100
QUERY_LONGEST = 300
"""The maximum number of bytes in a query that is cached. Nearly all documented queries are shorter.

A query with free text is not cached, because every caller writes a different text.
"""
FREE_TEXT = re.compile(rb"(?:^|&)(?:q|near)=")
NUMBER = re.compile(r"[0-9]{1,19}")


class QueryParameters(BaseModel):
    """The query parameters of an operation. This base class has no parameters."""

    # Frozen: all requests with the same query share one object. Enumeration members are stored as text.
    model_config = ConfigDict(frozen=True, use_enum_values=True)
    _given: dict[str, str] = PrivateAttr(default_factory=dict)

    def model_post_init(self, given: Any, /) -> None:
        self._given = given or {}

    @property
    def given(self) -> dict[str, str]:
        """The texts of the request's parameters, by name."""
        return self._given


def parse_parameters(query: bytes, known: tuple[str, ...]) -> dict[str, str]:
    """Return a query's parameters. Raise Problem if a parameter is unknown or repeated.

    If a filter's name is mistyped, the caller must not get the unfiltered list.
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
            raise Problem(400, f"{quote_briefly(name)} is not a known parameter. {known_are}")
        if name in given:
            raise Problem(400, f"{name} may be given only once.")
        given[name] = value
    return given


def validate_parameters(model: type[BaseModel], given: dict[str, str]) -> BaseModel:
    """Return the parameters as an object of ``model``.

    If a parameter is invalid, raise Problem with the name of the first invalid parameter.
    """
    try:
        return model.model_validate(given, context=given)
    except ValidationError as error:
        raise Problem(400, describe_violations(error)[0]) from error


@lru_cache(100)  # clients repeat the same queries
def parse_query(model: type[BaseModel], query: bytes) -> BaseModel:
    return validate_parameters(model, parse_parameters(query, tuple(model.model_fields)))


def query_string() -> bytes:
    query: str = current_request().environ.get("QUERY_STRING", "")
    return query.encode("latin-1")


class StrictAdapter(PydanticAdapter):
    """The parser of queries and headers for ``@v1.input``.

    APIFlask's own adapter would accept a repeated parameter and use its first value. It would take 18 % of
    the CPU time of a request for a list. It also renames headers, even in errors.
    """

    def validate_input(self, request: Request, location: str, **options: Any) -> BaseModel:
        if location == "query":
            query = query_string()
            is_cached = len(query) <= QUERY_LONGEST and not FREE_TEXT.search(query)
            read = parse_query if is_cached else parse_query.__wrapped__
            return read(self.model_class, query)
        if location == "headers":
            return validate_parameters(self.model_class, dict(request.headers))
        return super().validate_input(request, location, **options)


registry.register("pydantic", StrictAdapter)


def reject_parameters() -> None:
    """Raise Problem if the request has a query parameter. Operations without query parameters call this."""
    parse_query.__wrapped__(QueryParameters, query_string())


def require_ascii_digits(text: str) -> str:
    """Return the text unchanged. Raise ValueError if the text is not a number in ASCII digits.

    Pydantic alone would accept +5, 1_0 and 5.0 too.
    """
    if not NUMBER.fullmatch(text):
        raise ValueError("is not a number")
    return text


def read_id(text: str) -> int | None:
    """Return the id in a path, or None if ``text`` cannot be an id.

    An id has only ASCII digits (Python's ``int`` accepts others), and is not too large for the database.
    """
    return int(text) if NUMBER.fullmatch(text) and int(text) < 2**63 else None


ASCII_DIGITS = BeforeValidator(require_ascii_digits)


def reason(words: str) -> WrapValidator:
    """Return a validator that replaces Pydantic's error message with ``words``.

    In ``words``, the placeholder ``{}`` is replaced with the caller's value.
    """

    def check(text: str, validate: Callable[[str], object]) -> object:
        try:
            return validate(text)
        except ValueError as error:
            raise ValueError(words.format(quote_briefly(text))) from error

    return WrapValidator(check)
