"""Rules for query parameters: lists of values, separated by commas, and times."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from api.bodies import quote_briefly

VALUES_MOST = 20
"""The maximum number of values of one parameter."""


class CheckedText:
    """A rule for the text of a parameter. It checks requests, and is shown in the specification document."""

    def check(self, text: str) -> str:
        """Return the text unchanged. Raises ValueError if the text breaks the rule.

        The message of the error continues a sentence that begins with the parameter's name.
        """
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the texts that pass the check."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return handler(schema) | self.schema()


@dataclass(frozen=True)
class Choices(CheckedText):
    """A rule for a list of up to ``most`` items. Each item is one of ``values``."""

    values: tuple[str, ...]
    most: int = VALUES_MOST

    def check(self, text: str) -> str:
        given = text.split(",")
        if len(given) > self.most:
            raise ValueError(f"has {len(given):,} values; {self.most} are allowed")
        for each in given:
            if each not in self.values:
                raise ValueError(
                    f"must have one or more of {', '.join(self.values)}, separated by commas, "
                    f"not {quote_briefly(each)}"
                )
        return text

    def described(self, words: str) -> Any:
        """Return the description of a parameter: ``words``, followed by the allowed values."""
        return Field(description=f"{words}: {', '.join(f'`{each}`' for each in self.values)}.")

    def schema(self) -> dict[str, Any]:
        one = "|".join(self.values)
        return {"pattern": f"^({one})(,({one})){{0,{self.most - 1}}}$"}


@dataclass(frozen=True)
class Texts(CheckedText):
    """A rule for a list of up to ``most`` texts without control characters."""

    longest: int
    most: int = VALUES_MOST

    def check(self, text: str) -> str:
        if not re.fullmatch(self.schema()["pattern"], text):
            only = f"1 to {self.longest} characters, without control characters"
            if self.most == 1:
                raise ValueError(f"must have {only}")
            raise ValueError(f"must have 1 to {self.most} values, separated by commas, each with {only}")
        return text

    def schema(self) -> dict[str, Any]:
        one = rf"[^{',' if self.most > 1 else ''}\u0000-\u001f\u007f]{{1,{self.longest}}}"
        return {"pattern": f"^{one}(,{one}){{0,{self.most - 1}}}$" if self.most > 1 else f"^{one}$"}


INSTANT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?", re.ASCII | re.IGNORECASE)
FIRST_INSTANT, LAST_INSTANT = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


class Instant(CheckedText):
    """A time in RFC 3339, or a date."""

    def check(self, text: str) -> str:
        try:
            parse_instant(text)
        except ValueError as error:
            raise ValueError(
                "must be a date such as 2026-11-29, or a time with its zone such as 2026-11-29T08:00:00Z, "
                f"not {quote_briefly(text)}. In an address, + is written as %2B"
            ) from error
        return text

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "string", "format": each} for each in ("date", "date-time")]}


def parse_instant(text: str) -> datetime:
    """Return a time in UTC. For a date, return its first instant.

    Raises ValueError if ``text`` is neither a time nor a date.
    """
    if not INSTANT.fullmatch(text):
        raise ValueError("is not a time")
    when = datetime.fromisoformat(text.upper())
    try:
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except OverflowError:
        return FIRST_INSTANT if when.year == 1 else LAST_INSTANT
